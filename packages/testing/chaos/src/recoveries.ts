import { quantile, seconds } from '@paper/bench';
import Table from 'cli-table3';

/** The recovery times of each kind of fault. */
export class Recoveries {
  readonly #tookMs = new Map<string, number[]>();

  note(fault: string, tookMs: number): void {
    this.#tookMs.set(fault, [...(this.#tookMs.get(fault) ?? []), tookMs]);
  }

  table(): string {
    const table = new Table({
      head: ['fault', 'times', 'recovered p50', 'max'],
      colAligns: ['left', 'right', 'right', 'right'],
      style: { head: [], border: [] },
    });
    for (const [fault, took] of [...this.#tookMs].sort(([a], [b]) => (a < b ? -1 : 1))) {
      table.push([fault, took.length, ...[0.5, 1].map((part) => seconds(quantile(took, part)))]);
    }
    return table.toString();
  }
}
