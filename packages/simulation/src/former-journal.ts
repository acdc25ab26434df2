import { createState, decide, evolve, type Settings } from '@paper/exchange';
import { EMPTY_HEAD, encodeDecision, type Head, type Journal } from '@paper/journal';
import type { Workload } from '@paper/testkit';

export interface FormerJournalOptions {
  readonly journal: Journal;
  /** Its first command starts the epoch; it continues after this journal. */
  readonly workload: Workload;
  readonly commands: number;
  readonly settings: Settings;
  /** Time of every decision, in milliseconds since 1970. */
  readonly at: number;
  readonly newSalt: () => string;
}

/**
 * Fills an empty journal with decisions of a former build by its rules version; this build's processes then continue
 * it.
 */
export async function writeFormerJournal(options: FormerJournalOptions): Promise<void> {
  const { at, commands, journal, newSalt, settings, workload } = options;
  const state = createState();
  let head: Head = EMPTY_HEAD;
  for (let n = 0; n < commands; n += 1) {
    const next = workload.next();
    const command = next.type === 'StartWriterEpoch' ? { ...next, at, settings } : { ...next, at };
    const decision = decide(state, command);
    workload.observe(command, decision);
    if (decision.kind !== 'accepted') continue;
    const { events } = decision;
    const encoded = encodeDecision({ command, events, head, salt: newSalt() });
    await journal.append(head, encoded.stored);
    for (const [index, event] of events.entries()) evolve(state, event, index === 0 ? command : null);
    head = encoded.head;
  }
}
