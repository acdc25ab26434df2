import type { Settings } from '@paper/exchange/commands';
import type { Journal } from '@paper/journal';
import { StoredExchange } from '@paper/testkit';
import type { Workload } from '@paper/testkit';

export interface FormerJournalOptions {
  readonly journal: Journal;
  /** The source of the commands. Its first command starts the epoch; the run continues with it after this journal. */
  readonly workload: Workload;
  readonly commands: number;
  readonly settings: Settings;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly newSalt: () => string;
}

/** Fills an empty journal with decisions under an earlier rules version, for this build to continue. */
export async function writeFormerJournal(options: FormerJournalOptions): Promise<void> {
  const { at, commands, journal, newSalt, settings, workload } = options;
  const exchange = new StoredExchange(journal, newSalt);
  for (let n = 0; n < commands; n += 1) {
    const next = workload.next();
    const command = next.type === 'StartWriterEpoch' ? { ...next, at, settings } : { ...next, at };
    workload.observe(command, await exchange.submit(command));
  }
}
