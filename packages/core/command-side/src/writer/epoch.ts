import { applyDecision, decide } from '@paper/exchange';
import type { Settings } from '@paper/exchange/commands';
import { encodeDecision } from '@paper/journal';
import { pause } from '@paper/timing';
import { appendWithRetries } from './append.ts';
import type { Appending } from './append.ts';
import { loadWithRetries } from './load.ts';
import type { StartPoint } from './load.ts';
import { isUnreadable } from './fold.ts';
import type { FoldedState } from './fold.ts';
import type { Ids } from '../random.ts';
import { startWriterEpoch } from './system-commands.ts';

/** How often a new writer repeats its start after another writer appended in between. */
const ATTEMPTS = 10;
const CHECK_EVERY_MS = 1_000;

/** The start point of a new writer, and what its start needs. */
export interface EpochOptions {
  readonly appending: Appending;
  readonly loadFrom: StartPoint;
  readonly build: string;
  readonly ids: Ids;
  readonly settings: Settings;
  /** The wall clock; null while it is not trusted. */
  readonly read: () => number | null;
  /** Whether this process still leads: a process that was suspended must not fence its successor. */
  readonly leads: () => boolean;
}

/**
 * Reads the journal from the start point to its end, and appends WriterEpochStarted, which fences every other writer.
 * Waits while the journal is unreachable or the wall clock is not trusted.
 * @throws when the journal cannot be folded, is damaged or refuses the epoch, or when another writer keeps appending.
 */
export async function beginEpoch(options: EpochOptions): Promise<FoldedState> {
  const { appending, loadFrom, build, ids, settings, leads, read } = options;
  const { observer, ended } = appending;
  const isTemporary = (error: unknown): boolean => leads() && !isUnreadable(error);
  let folded: FoldedState | null = null;
  // A fold that failed has changed the state of its start point.
  const begin: StartPoint = () => {
    const from = folded;
    folded = null;
    return from === null ? loadFrom() : Promise.resolve(from);
  };
  let attempt = 1;
  while (attempt <= ATTEMPTS && !ended()) {
    const loaded = await loadWithRetries(appending, begin, isTemporary);
    if (loaded === null) break;
    folded = loaded;
    if (!leads()) throw new Error('the lease ran out before the epoch had begun');
    const at = read();
    if (at === null) {
      await untilTrusted(options);
      continue;
    }
    const command = startWriterEpoch(at, build, settings, ids);
    const decision = decide(loaded.state, command);
    if (decision.kind !== 'accepted') throw new Error(`the exchange did not begin an epoch: ${decision.kind}`);
    const { events } = decision;
    const { stored, head } = encodeDecision({ command, events, head: loaded.head, salt: ids.newSalt() });
    const appended = await appendWithRetries(appending, loaded.head, stored);
    if (appended.kind === 'refused') throw appended.error;
    if (appended.kind === 'stored') {
      applyDecision(loaded.state, events, command);
      return { ...loaded, head };
    }
    observer.noted('the journal grew while the epoch began; reading on', { attempt });
    attempt += 1;
  }
  throw new Error('another writer goes on appending to the journal, or this one has ended');
}

async function untilTrusted({ appending, read }: EpochOptions): Promise<void> {
  const { clock, ended, observer } = appending;
  observer.noted('the epoch starts once the wall clock is trusted', {});
  while (read() === null && !ended()) await pause(CHECK_EVERY_MS, { clock });
}
