import { count } from './counts.ts';
import type { Counts } from './counts.ts';

/** The commands that a file gives, each once. */
export interface Plan<Command> {
  readonly commands: readonly Command[];
  /** The number of commands whose text was changed to fit. */
  readonly adjusted: number;
  readonly adjustments: Counts;
  readonly skipped: Counts;
  /** Faults of the file itself, with their lines. */
  readonly faults: readonly string[];
}

/** One item of a file: its command, with the name that only one command may have, or the reason for none. */
export type PlannedItem<Command> =
  | {
      readonly kind: 'command';
      readonly name: string;
      readonly command: Command;
      readonly adjustments: readonly string[];
    }
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'fault'; readonly fault: string };

export const skipped = (reason: string): PlannedItem<never> => ({ kind: 'skipped', reason });

/** Combines the items of a file. Of several with the same name only the first counts. */
export function planOf<Command>(items: Iterable<PlannedItem<Command>>): Plan<Command> {
  const commands = new Map<string, Command>();
  const [adjustments, skips] = [new Map<string, number>(), new Map<string, number>()];
  const faults: string[] = [];
  let adjusted = 0;
  for (const item of items) {
    if (item.kind === 'fault') {
      faults.push(item.fault);
    } else if (item.kind === 'skipped') {
      count(skips, item.reason);
    } else if (commands.has(item.name)) {
      count(skips, 'given twice');
    } else {
      commands.set(item.name, item.command);
      if (item.adjustments.length > 0) adjusted += 1;
      for (const adjustment of item.adjustments) count(adjustments, adjustment);
    }
  }
  return { commands: [...commands.values()], adjusted, adjustments, skipped: skips, faults };
}
