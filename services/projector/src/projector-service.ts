import { JournalContact } from '@paper/journal';
import type { Journal } from '@paper/journal';
import {
  connectReadModels,
  describeFill,
  FILL_WORK_MEM,
  Gathering,
  lagBehind,
  Progress,
  rebuilding,
} from '@paper/read-models';
import type { Lag, LocalProgress, ReadDb } from '@paper/read-models';
import type { ReadinessCheck } from '@paper/http';
import { createRetryLog, stepDownWhenUnhealthy } from '@paper/runtime';
import type { Lease, Logger, Metrics, RetryLog, Tenure } from '@paper/runtime';
import { StartedOnce } from './companion.ts';
import type { LeadingTask } from './companion.ts';
import { refillOnThread } from './fill/fill-thread.ts';
import type { FillInput } from './fill/fill-thread.ts';
import { observeProjector } from './metrics.ts';
import type { ProjectionTrace } from './projection-trace.ts';
import { ProjectionLoop } from './projection-loop.ts';
import { CurrentStatus } from './projector-status.ts';
import type { ProjectorStatus } from './projector-status.ts';

export interface ProjectorServiceOptions {
  readonly journal: Journal;
  readonly connectionString: string;
  /** Where a thread opens the journal to fill empty read models; default: they are filled on this thread. */
  readonly fillFrom?: FillInput['journal'];
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The most events in one transaction; default 5,000. */
  readonly batchSize?: number;
  /** The least time in ms between the starts of two transactions while no read of this process waits. Default 0. */
  readonly gatherMs?: number;
  /** Elects one of several projectors that reach their journal; default: no election, only the checkpoint's fence. */
  readonly lease?: Lease;
  /** What runs only while this projector leads, such as the publication of snapshots of the markets. */
  readonly companion?: LeadingTask;
  readonly trace?: ProjectionTrace | null;
  /** Receives the process id of each backend that writes the read models. */
  readonly onBackend?: ((pid: number) => void) | undefined;
}

/** The projector of one process. It survives losses of the database, and stops at an event that it cannot apply. */
export class ProjectorService {
  readonly #options: ProjectorServiceOptions;
  readonly #retries: RetryLog;
  readonly #contact: JournalContact;
  readonly #db: ReadDb;
  readonly #progress: Progress;
  readonly #status = new CurrentStatus();
  readonly #companion: StartedOnce;
  readonly #loop: ProjectionLoop;
  readonly #stopping = new AbortController();
  /** Resolves when the first start has filled empty read models or found none, or when that was interrupted. */
  readonly filled: Promise<void>;
  #running: Promise<void> | null = null;
  #stopped: Promise<void> | null = null;

  constructor(options: ProjectorServiceOptions) {
    const { connectionString, fillFrom, logger } = options;
    this.#options = options;
    this.#retries = createRetryLog(logger);
    const { trace = null } = options;
    this.#contact = new JournalContact(trace?.observeJournal(options.journal) ?? options.journal);
    this.#companion = new StartedOnce(options.companion);
    const gathering = new Gathering(options.gatherMs ?? 0);
    this.#progress = new Progress((seq) => gathering.hurry(seq));
    this.#db = connectReadModels({
      connectionString,
      // Each projected schema uses one connection.
      maxConnections: 2,
      synchronousCommit: false,
      workMem: FILL_WORK_MEM,
      onBackend: options.onBackend,
      onBroken: (error) => {
        if (!this.#isStopping()) this.#retries.failed('projector: a connection was lost', error);
        this.#loop.doubtLastCommits();
      },
    });
    const observeEvents = observeProjector(options.metrics, this);
    let onFilled: () => void = () => undefined;
    this.filled = new Promise((resolve) => (onFilled = resolve));
    this.#loop = new ProjectionLoop({
      onFilled,
      journal: this.#contact.journal,
      db: this.#db,
      connectionString,
      refill: (rebuild) =>
        fillFrom === undefined
          ? rebuilding.rebuild(rebuild)
          : refillOnThread({ connectionString, journal: fillFrom }, rebuild),
      batchSize: options.batchSize,
      gathering,
      status: this.#status,
      progress: this.#progress,
      companion: this.#companion,
      isElected: options.lease !== undefined,
      logger,
      retries: this.#retries,
      onTransaction: (events, seq) => {
        observeEvents(events);
        trace?.projected(seq);
      },
    });
  }

  get progress(): LocalProgress {
    return this.#progress;
  }

  /** The readiness check, which fails while the projector neither runs nor stands by. */
  get readiness(): ReadinessCheck {
    return { name: 'projector', check: () => this.#assertReady() };
  }

  /**
   * Resolves when this projector leads and the projection runs for the first time; waits for an unreachable database.
   * Rejects when it fails for good, or is stopped before.
   */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#status.change({ state: 'starting' });
      this.#running ??= this.#supervise(resolve).then(
        () => reject(new Error('the projector was stopped before it was open')),
        reject,
      );
    });
  }

  /** Resolves when the current transaction has ended. */
  stop(): Promise<void> {
    return (this.#stopped ??= this.#stopOnce());
  }

  status(): ProjectorStatus {
    return this.#status.get();
  }

  async lag(): Promise<Lag> {
    const head = await this.#contact.journal.head();
    const { checkpoint, name } = this.status();
    return lagBehind(head.seq, { ...checkpoint, name });
  }

  async #stopOnce(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#db.destroy();
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  #assertReady(): Promise<void> {
    const { state, error, fill } = this.status();
    if (state === 'running' || state === 'standby') return Promise.resolve();
    const detail = fill === null ? error : describeFill(fill);
    return Promise.reject(new Error(`projector ${state}${detail === null ? '' : `: ${detail}`}`));
  }

  /** Resolves when stopped, rejects when failed. */
  async #supervise(opened: () => void): Promise<void> {
    const { signal } = this.#stopping;
    while (!this.#isStopping()) {
      const tenure = await this.#waitForLead();
      if (this.#isStopping()) break;
      const steppedDown = new AbortController();
      const over = tenure === null ? signal : AbortSignal.any([signal, tenure.lost, steppedDown.signal]);
      const stopWatching = tenure === null ? undefined : this.#stepDownWhenUnhealthy(tenure, steppedDown);
      try {
        await this.#loop.run(over, () => {
          this.#companion.start();
          opened();
        });
      } finally {
        stopWatching?.();
        await this.#companion.stop();
        await tenure?.release();
      }
    }
    this.#status.change({ state: 'stopped' });
  }

  /** Resolves when this projector leads; null without a lease, or when stopped before. */
  async #waitForLead(): Promise<Tenure | null> {
    const { lease } = this.#options;
    if (lease === undefined) return null;
    this.#status.change({ state: 'standby', error: null });
    return lease.acquire(this.#stopping.signal, () => this.#contact.answers());
  }

  /** Steps down if only this process cannot reach the journal, so that another projector takes over. */
  #stepDownWhenUnhealthy(tenure: Tenure, steppedDown: AbortController): () => void {
    return stepDownWhenUnhealthy({
      tenure: { hasSuccessor: tenure.hasSuccessor, stepDown: () => steppedDown.abort() },
      unhealthyReason: () => this.#contact.unhealthyReason(),
      onStepDown: (reason) =>
        this.#retries.failed(
          'projector: stepping down: another projector reaches the journal, and this one does not',
          new Error(reason),
        ),
    });
  }
}
