import type { BatchResult } from 'paper-trading-client';
import { count } from './counts.ts';
import type { Counts } from './counts.ts';
import type { Import } from './import.ts';

/** Counts the results of commands that each bring one market into a state; `kept` are refusals with `keptCode`. */
export function tallyMarkets(
  ids: readonly (string | undefined)[],
  results: readonly BatchResult[],
  keptCode: string,
  onFault: Import['onFault'],
) {
  let [changed, unchanged, kept] = [0, 0, 0];
  const failures = new Map<string, number>();
  for (const [index, result] of results.entries()) {
    const id = ids[index] ?? '';
    if (result.ok) {
      if (result.changed) changed += 1;
      else unchanged += 1;
    } else if (result.code === keptCode) {
      kept += 1;
    } else {
      count(failures, result.error);
      onFault(id, result.error);
    }
  }
  return { changed, unchanged, kept, failures };
}

/** The results of an import by their names: each a count, a note for people, and the count of each reason. */
export type Tallies = Readonly<Record<string, readonly [total: number, note?: string, reasons?: Counts]>>;

/** Each count with its reasons, the most frequent first. */
export function countLines(tallies: Tallies): string[] {
  const line = (label: string, value: number, text: string): string =>
    `  ${label.padEnd(10)}${String(value).padStart(6)}${text === '' ? '' : `  ${text}`}`;
  return Object.entries(tallies).flatMap(([name, [total, note = '', reasons = new Map<string, number>()]]) => {
    const sorted = [...reasons].sort(([, a], [, b]) => b - a);
    return [line(name, total, note), ...sorted.map(([reason, times]) => line('', times, reason))];
  });
}

/** The tallies for programs: the total of each name, and under `reasons` the number for each of its reasons. */
export function countFacts(tallies: Tallies): Readonly<Record<string, unknown>> {
  const entries = Object.entries(tallies);
  return {
    ...Object.fromEntries(entries.map(([name, [total]]) => [name, total])),
    reasons: Object.fromEntries(
      entries.flatMap(([name, [, , reasons]]) => (reasons === undefined ? [] : [[name, Object.fromEntries(reasons)]])),
    ),
  };
}
