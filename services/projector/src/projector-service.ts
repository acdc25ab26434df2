import { JournalContact } from '@paper/journal';
import type { Journal } from '@paper/journal';
import { lagBehind, Progress } from '@paper/read-models';
import type { Lag, LocalProgress, ReadDb } from '@paper/read-models';
import { createRetryLog, stepDownWhenUnhealthy } from '@paper/service-kit';
import type { Lease, Logger, Metrics, ReadinessCheck, RetryLog, Tenure } from '@paper/service-kit';
import { StartedOnce } from './companion.ts';
import type { Companion } from './companion.ts';
import { observeProjector } from './metrics.ts';
import type { ProjectionTrace } from './projection-trace.ts';
import type { ProjectionLoop } from './projection-loop.ts';
import { openLoop } from './projecting.ts';
import { CurrentStatus, projectorReadiness } from './projector-status.ts';
import type { ProjectorStatus } from './projector-status.ts';

export interface ProjectorServiceOptions {
  readonly journal: Journal;
  /** The connection string of the database with the read models. */
  readonly connectionString: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Most events in one transaction; default 5,000. */
  readonly batchSize?: number;
  /**
   * Elects one of several projectors; default: no election. The checkpoint fences in any case. A projector that does
   * not reach its journal is not elected, and releases the lease.
   */
  readonly lease?: Lease;
  /** Runs while this projector leads: the pulse maker. */
  readonly companion?: Companion;
  /** Default: no traces. */
  readonly trace?: ProjectionTrace | null;
}

/** The projector of one process. It survives losses of the database, and stops at an event that it cannot apply. */
export class ProjectorService {
  readonly #options: ProjectorServiceOptions;
  readonly #retries: RetryLog;
  readonly #contact: JournalContact;
  readonly #db: ReadDb;
  readonly #progress = new Progress();
  readonly #status = new CurrentStatus();
  readonly #companion: StartedOnce;
  readonly #loop: ProjectionLoop;
  readonly #stopping = new AbortController();
  #running: Promise<void> | null = null;
  #stopped: Promise<void> | null = null;

  constructor(options: ProjectorServiceOptions) {
    const { connectionString, logger } = options;
    this.#options = options;
    this.#retries = createRetryLog(logger);
    const { trace = null } = options;
    this.#contact = new JournalContact(trace?.observeJournal(options.journal) ?? options.journal);
    this.#companion = new StartedOnce(options.companion);
    const { db, loop } = openLoop({
      connectionString,
      journal: this.#contact.journal,
      batchSize: options.batchSize,
      status: this.#status,
      progress: this.#progress,
      companion: this.#companion,
      isElected: options.lease !== undefined,
      isStopping: () => this.#isStopping(),
      logger,
      retries: this.#retries,
      onEvents: observeProjector(options.metrics, this),
      onProjected: (seq) => trace?.projected(seq),
    });
    this.#db = db;
    this.#loop = loop;
  }

  /** The local progress, for readers in the same process. */
  get progress(): LocalProgress {
    return this.#progress;
  }

  /** The readiness check, which fails while the projector neither runs nor stands by. */
  get readiness(): ReadinessCheck {
    return projectorReadiness(this.#status);
  }

  /**
   * Waits until it leads, prepares the read models and begins to follow the journal. Resolves when the projection runs
   * for the first time; waits for a database that is away. Rejects when it fails for good, or is stopped before.
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

  /** Resolves when the transaction under way has ended. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopOnce();
    return this.#stopped;
  }

  status(): ProjectorStatus {
    return this.#status.get();
  }

  /** Reads the journal's head. */
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

  /** Resolves when stopped, rejects when failed. */
  async #supervise(opened: () => void): Promise<void> {
    const { signal } = this.#stopping;
    while (!this.#isStopping()) {
      const tenure = await this.#waitForLead();
      if (this.#isStopping()) break;
      const over = tenure === null ? signal : AbortSignal.any([signal, tenure.lost]);
      const stopWatching = tenure === null ? undefined : this.#stepDownWhenUnhealthy(tenure);
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

  /** Steps down while the journal is out of reach: another projector may reach it. */
  #stepDownWhenUnhealthy(tenure: Tenure): () => void {
    return stepDownWhenUnhealthy({
      tenure,
      unhealthyReason: () => this.#contact.unhealthyReason(),
      onStepDown: (reason) =>
        this.#retries.failed(
          'projector: stepping down: this process is unhealthy, so it lets the lease expire',
          new Error(reason),
        ),
    });
  }
}
