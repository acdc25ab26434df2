import Table from 'cli-table3';

/** The recovery times of each kind of fault. */
export class Recoveries {
  readonly #tookMs = new Map<string, number[]>();

  note(fault: string, tookMs: number): void {
    const took = this.#tookMs.get(fault);
    if (took === undefined) this.#tookMs.set(fault, [tookMs]);
    else took.push(tookMs);
  }

  table(): string {
    const table = new Table({
      head: ['fault', 'times', 'recovered p50', 'max'],
      colAligns: ['left', 'right', 'right', 'right'],
      style: { head: [], border: [] },
    });
    for (const [fault, took] of [...this.#tookMs].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const sorted = [...took].sort((a, b) => a - b);
      table.push([fault, sorted.length, seconds(sorted[Math.floor(sorted.length / 2)]), seconds(sorted.at(-1))]);
    }
    return table.toString();
  }
}

const seconds = (ms = Number.NaN): string => `${(ms / 1000).toFixed(2)} s`;
