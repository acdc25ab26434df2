import Table from 'cli-table3';
import type { Api } from './api.ts';

/** Counts answers by operation and status. */
export class Coverage {
  readonly #counts = new Map<string, Map<number, number>>();
  readonly #kinds = new Set<string>();
  answers = 0;

  /** `operationId`: null for a request that is no operation of the document. */
  add(operationId: string | null, kind: string, status: number): void {
    const name = operationId ?? OTHERS;
    const counts = this.#counts.get(name) ?? new Map<number, number>();
    counts.set(status, (counts.get(status) ?? 0) + 1);
    this.#counts.set(name, counts);
    this.#kinds.add(kind);
    this.answers += 1;
  }

  get kinds(): number {
    return this.#kinds.size;
  }

  count(status: number): number {
    return [...this.#counts.values()].reduce((sum, counts) => sum + (counts.get(status) ?? 0), 0);
  }

  /** Operations without any success, which means that the fuzzer did not get far enough. */
  neverAnswered({ operations }: Api): readonly string[] {
    return operations.flatMap(({ id }) => (this.#counts.get(id)?.has(200) === true ? [] : [id]));
  }

  table({ operations }: Api): string {
    const statuses = [...new Set([...this.#counts.values()].flatMap((counts) => [...counts.keys()]))].sort(
      (a, b) => a - b,
    );
    const table = new Table({
      head: ['', ...statuses.map(String)],
      colAligns: ['left', ...statuses.map(() => 'right' as const)],
      style: { head: [], border: [], compact: true },
    });
    for (const name of [...operations.map(({ id }) => id), OTHERS]) {
      const counts = this.#counts.get(name);
      table.push([name, ...statuses.map((status) => counts?.get(status)?.toLocaleString('en') ?? '')]);
    }
    return table.toString();
  }
}

const OTHERS = 'no operation';
