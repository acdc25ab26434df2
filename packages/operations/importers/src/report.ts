import type { BatchResult } from 'paper-trading-client';
import { count } from './counts.ts';
import type { Counts } from './counts.ts';

/** Results of commands that each bring one market into a state. */
export interface MarketTally {
  readonly changed: number;
  /** Markets that already were in the wanted state before the command. */
  readonly unchanged: number;
  /** Refused with `keptCode`: the market is in another state and stays there. */
  readonly kept: number;
  readonly failures: Counts;
}

/** Counts the results of these commands. `onFault` is called with the text of each failure. */
export function tallyMarkets(
  ids: readonly (string | undefined)[],
  results: readonly BatchResult[],
  { keptCode, onFault }: { readonly keptCode: string; readonly onFault: (line: string) => void },
): MarketTally {
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
      onFault(`${id}: ${result.error}`);
    }
  }
  return { changed, unchanged, kept, failures };
}

/** One line for a count, followed by the reasons, the most frequent first. */
export function countLines(name: string, total: number, note = '', reasons: Counts = new Map()): string[] {
  const line = (label: string, value: number, text: string): string =>
    `  ${label.padEnd(10)}${String(value).padStart(6)}${text === '' ? '' : `  ${text}`}`;
  const sorted = [...reasons].sort(([, a], [, b]) => b - a);
  return [line(name, total, note), ...sorted.map(([reason, times]) => line('', times, reason))];
}
