import { decide, type Settings } from '@paper/exchange';
import { appendForEver, type Appending } from './append.ts';
import { loadToEnd, type Beginning } from './load.ts';
import { apply, encode, type Memory } from './memory.ts';
import type { Ids } from '../random.ts';
import { startWriterEpoch } from './system-commands.ts';

/** How often a new writer reads on when somebody else's last append came in between. */
const ATTEMPTS = 10;
const LOOK_EVERY_MS = 1_000;

/** What a writer begins with, and how. */
export interface EpochOptions {
  readonly appending: Appending;
  readonly begin: Beginning;
  readonly build: string;
  readonly ids: Ids;
  readonly settings: Settings;
  /** The wall clock; null where it cannot be believed. */
  readonly read: () => number | null;
  /** Whether this process is still the one that may begin: one that was stopped meanwhile must not fence its successor. */
  readonly leads: () => boolean;
}

/**
 * Reads the journal to its end, from where `begin` stands, and appends WriterEpochStarted there: from then on every
 * other writer is fenced. Where the wall clock is not believed by then, it waits until it is, and reads on.
 *
 * @throws where the journal cannot be read or folded, refuses the epoch, or another writer goes on appending.
 */
export async function beginEpoch(options: EpochOptions): Promise<Memory> {
  const { appending, begin, build, ids, settings, leads, read } = options;
  const { journal, observer, ended } = appending;
  let loaded = await begin();
  let attempt = 1;
  while (attempt <= ATTEMPTS && !ended()) {
    loaded = await loadToEnd(journal, loaded);
    if (!leads()) throw new Error('the lease ran out before the epoch had begun');
    const at = read();
    if (at === null) {
      await untilBelieved(options);
      continue;
    }
    const command = startWriterEpoch(at, build, settings, ids);
    const decision = decide(loaded.state, command);
    if (decision.kind !== 'accepted') throw new Error(`the exchange did not begin an epoch: ${decision.kind}`);
    const { stored, head } = encode(command, decision.events, loaded.head, ids.newSalt());
    const appended = await appendForEver(appending, loaded.head, stored);
    if (appended.kind === 'refused') throw appended.error;
    if (appended.kind === 'stored') {
      apply(loaded.state, decision.events, command);
      return { head, state: loaded.state };
    }
    observer.noted('the journal grew while the epoch began; reading on', { attempt });
    attempt += 1;
  }
  throw new Error('another writer goes on appending to the journal, or this one has ended');
}

/** Resolves once the wall clock can be believed, or the writer has ended. */
async function untilBelieved({ appending, read }: EpochOptions): Promise<void> {
  const { clock, ended, observer } = appending;
  observer.noted('the epoch begins once the wall clock can be believed', {});
  while (read() === null && !ended()) {
    await new Promise<void>((resume) => void clock.after(LOOK_EVERY_MS, resume));
  }
}
