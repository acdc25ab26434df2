import type { Journal } from '@paper/journal';
import { JournalDiverged, ProjectionFenced, rebuilding, runProjector } from '@paper/read-models';
import type { Gathering, Progress, Projected, ReadDb } from '@paper/read-models';
import type { Logger, RetryLog } from '@paper/runtime';
import { BackOff, pause, RateMeter } from '@paper/timing';
import { isPassing } from './fill/fill-thread.ts';
import type { LeadingTask } from './companion.ts';
import type { CurrentStatus } from './projector-status.ts';
import { withSmallHeap } from './small-heap.ts';

interface ProjectionLoopSettings {
  readonly journal: Journal;
  readonly db: ReadDb;
  /** The connection string of the same database, for a fill, which uses connections of its own. */
  readonly connectionString: string;
  /** Fills empty read models from a long journal. */
  readonly refill: (options: rebuilding.RebuildOptions) => Promise<unknown>;
  readonly batchSize: number | undefined;
  readonly gathering: Gathering;
  readonly status: CurrentStatus;
  readonly progress: Progress;
  readonly companion: LeadingTask;
  /** Called when empty read models have been filled or there are none, or when that was interrupted. */
  readonly onFilled: () => void;
  /** Whether a lease elects one of several projectors. */
  readonly isElected: boolean;
  readonly logger: Logger;
  readonly retries: RetryLog;
  /** Called after each transaction with the number of its events, and the last sequence. */
  readonly onTransaction: (events: number, seq: number) => void;
}

/** How often a projector whose read models do not match the journal checks whether a rebuild has replaced them. */
const REBUILD_CHECK_MS = 500;

const INTERRUPTED = 'projector: interrupted, trying again';

/** Projects the journal again and again: with growing pauses after lost connections, and after a rebuild. */
export class ProjectionLoop {
  readonly #pauses = new BackOff();
  #inDoubt = new AbortController();

  constructor(private readonly settings: ProjectionLoopSettings) {}

  /** Doubts the progress until the checkpoint is read again: Postgres may have crashed and lost the last commits. */
  doubtLastCommits(): void {
    const { progress, status } = this.settings;
    progress.set(0);
    if (status.get().state === 'running') status.change({ state: 'retrying', error: 'a connection was lost' });
    this.#inDoubt.abort();
  }

  /** Projects until the signal aborts; rejects when it has failed for good. Calls `opened` after each transaction. */
  async run(signal: AbortSignal, opened: () => void): Promise<void> {
    // A call, because the compiler does not see that the signal aborts during a wait.
    const isOver = (): boolean => signal.aborted;
    while (!isOver()) {
      try {
        await this.#project(signal, opened);
      } catch (error) {
        if (isOver()) break;
        this.doubtLastCommits();
        if (error instanceof JournalDiverged) await this.#awaitRebuild(error, signal);
        else await this.#backOff(error, signal);
      }
    }
  }

  async #project(signal: AbortSignal, opened: () => void): Promise<void> {
    const { batchSize, db, gathering, journal, logger, onFilled, progress, retries } = this.settings;
    await withSmallHeap(() => this.#fillWhereEmpty(signal)).finally(onFilled);
    this.#inDoubt = new AbortController();
    const { signal: doubted } = this.#inDoubt;
    await runProjector(
      {
        journal,
        db,
        gathering,
        changes: progress.changes,
        ...(batchSize === undefined ? {} : { batchSize }),
        onProgress: (checkpoint, schema) => {
          // The commit came before the connection broke, the report after it: the crash may have lost the commit.
          if (doubted.aborted) return;
          retries.works(INTERRUPTED);
          this.#onProgress(checkpoint, schema);
          opened();
        },
        onFormerFault: (error, schema) =>
          logger.error(
            { err: error, schema },
            'projector: the former schema could not be updated and is no longer kept',
          ),
      },
      AbortSignal.any([signal, doubted]),
    );
  }

  async #fillWhereEmpty(signal: AbortSignal): Promise<void> {
    const { connectionString, db, journal, logger, refill, status } = this.settings;
    const meter = new RateMeter();
    const onProgress = ({ seq, target }: rebuilding.RebuildProgress): void => {
      if (status.get().state !== 'filling') logger.info({ seq, target }, 'projector: filling the read models');
      meter.add(performance.now(), seq);
      const { checkpoint } = status.get();
      const fill = { seq, target, leftMs: meter.msTo(target) };
      status.change({ state: 'filling', checkpoint: { ...checkpoint, seq }, fill, error: null });
    };
    await rebuilding.fillWhereEmpty(db, { connectionString, journal, signal, onProgress }, refill);
  }

  #onProgress(checkpoint: Projected, schema: string): void {
    const { logger, onTransaction, progress, status } = this.settings;
    const before = status.get();
    if (before.state !== 'running' || before.schema !== schema) {
      logger.info({ schema, seq: checkpoint.seq }, 'projector: following the journal');
    } else {
      onTransaction(checkpoint.seq - before.checkpoint.seq, checkpoint.seq);
      // The pauses restart only after a written transaction, since even with a full disk a schema can be opened.
      this.#pauses.reset();
    }
    // Another schema may hold the read models of another journal.
    if (before.schema === schema) progress.set(checkpoint.seq, checkpoint.keysSeq);
    else progress.restart(checkpoint.seq);
    status.change({ state: 'running', schema, checkpoint, error: null });
  }

  /** Pauses before the next attempt. Rethrows an error that no retry can help. */
  async #backOff(error: unknown, signal: AbortSignal): Promise<void> {
    const { logger, retries, status } = this.settings;
    const message = error instanceof Error ? error.message : String(error);
    if (!this.#isWorthRetrying(error)) {
      status.change({ state: 'failed', error: message });
      const { seq } = status.get().checkpoint;
      logger.fatal(
        { err: error, seq },
        'projector: stopped for good at an error that does not pass by itself; see err',
      );
      throw error;
    }
    status.change({ state: 'retrying', error: message });
    retries.failed(INTERRUPTED, error);
    await pause(this.#pauses.next(), { signal });
  }

  /** Projects and publishes nothing while the read models were made from another journal, and checks after a pause. */
  async #awaitRebuild({ message, divergence, checkpoint }: JournalDiverged, signal: AbortSignal): Promise<void> {
    const { companion, logger, status } = this.settings;
    if (status.get().state !== 'diverged') logger.error({ divergence }, `projector: ${message}`);
    status.change({ state: 'diverged', schema: divergence.schema, checkpoint, error: message });
    await companion.stop();
    await pause(REBUILD_CHECK_MS, { signal });
  }

  /** Whether a retry may help: right after an election, the former leader may still have written its last batch. */
  #isWorthRetrying(error: unknown): boolean {
    return isPassing(error) || (this.settings.isElected && error instanceof ProjectionFenced);
  }
}
