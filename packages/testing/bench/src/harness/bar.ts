/** A value, and the limit that it has to keep. */
export type Limit = { readonly value: number } & ({ readonly atMost: number } | { readonly atLeast: number });

export type Bar = Limit & {
  readonly name: string;
  /** The value and the limit as text. */
  readonly show?: (value: number) => string;
};

/** `met` or `NOT met`, as a cell of a table. A limit that is not met sets the exit code to 1. */
export function verdict(limit: Limit): string {
  const isMet = 'atMost' in limit ? limit.value <= limit.atMost : limit.value >= limit.atLeast;
  if (!isMet) process.exitCode = 1;
  return isMet ? 'met' : 'NOT met';
}

/** Prints a line such as `a start: 2.60 s (bar: at most 3.00 s): met`. */
export function printBar(bar: Bar): void {
  const show = bar.show ?? String;
  const limit = 'atMost' in bar ? `at most ${show(bar.atMost)}` : `at least ${show(bar.atLeast)}`;
  console.log(`${bar.name}: ${show(bar.value)} (bar: ${limit}): ${verdict(bar)}`);
}
