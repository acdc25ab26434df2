import type { Head } from '@paper/journal';
import { connectReadModels } from '../projection/database.ts';
import type { DatabaseOptions } from '../projection/database.ts';
import type { ReadDb } from '../models/tables.ts';
import { createFreshness } from './freshness.ts';
import type { Freshness } from './freshness.ts';
import { describeFill, FillWatch } from './fill.ts';
import { JournalCheck } from '../engine/journal-check.ts';
import type { JournalCheckOptions, ServedCheckpoint } from '../engine/journal-check.ts';
import type { ProgressSource, LocalProgress } from './progress.ts';
import { describeDivergence } from '../engine/divergence.ts';
import type { ComparedJournal } from '../engine/divergence.ts';
import { BeingFilled, ReadModels } from './read-models.ts';

export interface ReaderOptions extends Pick<DatabaseOptions, 'connectionString' | 'onBackend'> {
  /** The journal; the promise may resolve late. Until then, only reads that must be fresh are unavailable. */
  readonly journal: Promise<ComparedJournal>;
  /** The progress of a projector in the same process; default: none, so that the checkpoint is polled. */
  readonly localProgress?: LocalProgress;
  readonly onIdleError: (error: Error) => void;
  /** Receives the process id of each backend that serves long reads, so that its priority can be lowered. */
  readonly onLongReadBackend?: DatabaseOptions['onBackend'];
  readonly onDivergence?: JournalCheckOptions['onChange'];
}

/** The number of connections for long reads. More of them would only take the processor from short reads. */
export const LONG_READS_AT_ONCE = 2;

/** Slightly more than the time limit of a request, after which waiting requests need the connection. */
const STATEMENT_TIMEOUT_MS = 12_000;

/** Opens a pool of connections for reads. Statements are planned once and time out after `statementTimeoutMs`. */
export function connectReader(options: DatabaseOptions): ReadDb {
  return connectReadModels({ statementTimeoutMs: STATEMENT_TIMEOUT_MS, ...options, prepare: true });
}

/** The parts of a process that uses the read models. */
export type Reader = ReturnType<typeof createReader>;

export function createReader(options: ReaderOptions) {
  const { connectionString, journal, localProgress, onBackend, onIdleError, onLongReadBackend, onDivergence } = options;
  const connection = {
    connectionString,
    onIdleError: (error: Error) => {
      journalCheck.invalidate();
      onIdleError(error);
    },
  };
  const db = connectReader({ ...connection, onBackend });
  const longReads = { maxConnections: LONG_READS_AT_ONCE, onBackend: onLongReadBackend };
  const forLongReads = connectReader({ ...connection, ...longReads });
  const checkpoint = (): Promise<ServedCheckpoint> => readModels.served();
  const journalCheck = new JournalCheck({ checkpoint, journal, onChange: onDivergence });
  const readModels = new ReadModels(db, localProgress, journalCheck, forLongReads);
  const progress: ProgressSource = localProgress ?? readModels.polled;
  const head = (): Promise<Head> => headOf(journal, journalCheck);
  const waiting = createFreshness({ head }, progress);
  // Fails at once while the read models do not match the journal, instead of waiting for them.
  const freshness: Freshness = {
    async reached(wait) {
      journalCheck.assertNone();
      const seq = await waiting.reached(wait);
      journalCheck.assertNone();
      return seq;
    },
  };
  const fill = new FillWatch(readModels, head);
  journalCheck.start();
  return {
    readModels,
    progress,
    freshness,
    /** To be invalidated when the journal may have been replaced, for example after a lost connection. */
    journalCheck,
    fill,
    /** Checks readiness. @throws Error with the reason why nothing can be read */
    assertReadable: async (): Promise<void> => {
      await readModels.seq().catch(async (error: unknown) => {
        if (!(error instanceof BeingFilled)) throw error;
        throw new Error(`the read models are being filled: ${describeFill(await fill.progress())}`);
      });
      const { divergence } = journalCheck;
      if (divergence !== null) throw new Error(describeDivergence(divergence));
    },
    close: async (): Promise<void> => {
      journalCheck.stop();
      await Promise.all([db.destroy(), forLongReads.destroy()]);
    },
  };
}

/** The journal's head. A journal that did not answer may have been replaced, so it is compared again first. */
async function headOf(journal: Promise<ComparedJournal>, check: JournalCheck): Promise<Head> {
  const opened = await journal;
  const head = await opened.head().catch((error: unknown) => {
    check.invalidate();
    throw error;
  });
  check.sawHead(head.seq);
  await check.confirmed();
  return head;
}
