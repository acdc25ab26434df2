/** A limit for a measured value. */
type Limit = { readonly atMost: number } | { readonly atLeast: number };

/** Returns `met` or `NOT met`, as a cell of a table. A missed limit sets the exit code to 1. */
export function verdict(value: number, limit: Limit): string {
  const isMet = 'atMost' in limit ? value <= limit.atMost : value >= limit.atLeast;
  if (!isMet) process.exitCode = 1;
  return isMet ? 'met' : 'NOT met';
}

/** Prints a line such as `a start: 2.60 s (bar: at most 3.00 s): met`. */
export function printBar(name: string, value: number, limit: Limit, show: (value: number) => string = String): void {
  const shown = 'atMost' in limit ? `at most ${show(limit.atMost)}` : `at least ${show(limit.atLeast)}`;
  console.log(`${name}: ${show(value)} (bar: ${shown}): ${verdict(value, limit)}`);
}
