import type { BatchCommandBody } from '@paper/contracts/operator';
import { count } from './counts.ts';
import type { Counts } from './counts.ts';

export type RecordCommand = Extract<BatchCommandBody, { op: 'record-signal' }>;

export interface SignalPlan {
  readonly commands: readonly RecordCommand[];
  readonly adjusted: number;
  readonly adjustments: Counts;
  readonly skipped: Counts;
  /** With their lines. */
  readonly faults: readonly string[];
}

export type PlannedSignal =
  | { readonly kind: 'signal'; readonly command: RecordCommand; readonly adjustments: readonly string[] }
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'fault'; readonly fault: string };

/** Combines the items; (source, externalId) identifies a signal, so a second one with the same pair is skipped. */
export function planOf(items: Iterable<PlannedSignal>): SignalPlan {
  const commands = new Map<string, RecordCommand>();
  const [adjustments, skipped] = [new Map<string, number>(), new Map<string, number>()];
  const faults: string[] = [];
  let adjusted = 0;
  for (const item of items) {
    if (item.kind === 'fault') {
      faults.push(item.fault);
    } else if (item.kind === 'skipped') {
      count(skipped, item.reason);
    } else {
      const name = JSON.stringify([item.command.source, item.command.externalId]);
      if (commands.has(name)) {
        count(skipped, 'given twice');
        continue;
      }
      commands.set(name, item.command);
      if (item.adjustments.length > 0) adjusted += 1;
      for (const adjustment of item.adjustments) count(adjustments, adjustment);
    }
  }
  return { commands: [...commands.values()], adjusted, adjustments, skipped, faults };
}
