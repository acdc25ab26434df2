import { setTimeout as sleep } from 'node:timers/promises';
import { JournalContact, type Journal } from '@paper/journal';
import {
  connectReadModels,
  isPassing,
  JournalDiverged,
  lagBehind,
  prepareReadModels,
  Progress,
  ProjectionFenced,
  runProjector,
  type Checkpoint,
  type Lag,
  type LocalProgress,
} from '@paper/read-models';
import {
  stepDownWhenUnhealthy,
  type Lease,
  type Logger,
  type Metrics,
  type ReadinessCheck,
  type Tenure,
  createRetryLog,
} from '@paper/service-kit';
import { observeProjector } from './metrics.ts';
import type { ProjectorStatus } from './projector-status.ts';

export interface ProjectorServiceOptions {
  readonly journal: Journal;
  /** Of the database with the read models. */
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
}

export interface Companion {
  start(): void;
  /** Resolves when the work under way is done. It may be started again. */
  stop(): Promise<void>;
}

export interface ProjectorService {
  /**
   * Waits until it leads, prepares the read models and begins to follow the journal. Resolves when the projection runs
   * for the first time; waits for a database that is away. Rejects when it fails for good, or is stopped before.
   */
  start(): Promise<void>;
  /** Resolves when the transaction under way has ended. */
  stop(): Promise<void>;
  status(): ProjectorStatus;
  /** Reads the journal's head. */
  lag(): Promise<Lag>;
  /** For readers in the same process. */
  readonly progress: LocalProgress;
  /** Fails while it neither runs nor stands by. */
  readonly readiness: ReadinessCheck;
}

const BACK_OFF_MS_MIN = 100;
const BACK_OFF_MS_MAX = 2000;
/** How often a projector whose read models do not match the journal checks whether a rebuild has replaced them. */
const REBUILD_CHECK_MS = 500;

const INTERRUPTED = 'projector: interrupted, trying again';

/** The projector of one process. It survives losses of the database, and stops at an event that it cannot apply. */
export function createProjectorService(options: ProjectorServiceOptions): ProjectorService {
  const { logger } = options;
  const retries = createRetryLog(logger);
  const contact = new JournalContact(options.journal);
  const { journal } = contact;
  const progress = new Progress();
  const db = connectReadModels({
    connectionString: options.connectionString,
    // One connection for each schema that is projected.
    maxConnections: 2,
    synchronousCommit: false,
    onBroken: (error) => {
      if (!isStopping()) retries.failed('projector: a connection was lost', error);
      lookAgain();
    },
  });
  const stopping = new AbortController();
  const isStopping = (): boolean => stopping.signal.aborted;
  let status: ProjectorStatus = {
    name: 'main',
    state: 'stopped',
    schema: null,
    checkpoint: { seq: 0, hash: '0'.repeat(64), at: 0 },
    error: null,
  };
  const companion = startedOnce(options.companion);
  let running: Promise<void> | null = null;
  let backOffMs = BACK_OFF_MS_MIN;
  let inDoubt = new AbortController();
  let stopped: Promise<void> | null = null;

  const service: ProjectorService = {
    progress,
    readiness: {
      name: 'projector',
      check: () =>
        status.state === 'running' || status.state === 'standby'
          ? Promise.resolve()
          : Promise.reject(new Error(`projector ${status.state}${status.error === null ? '' : `: ${status.error}`}`)),
    },
    start: () =>
      new Promise((resolve, reject) => {
        status = { ...status, state: 'starting' };
        running ??= supervise(resolve).then(
          () => reject(new Error('the projector was stopped before it was open')),
          reject,
        );
      }),
    stop: () =>
      (stopped ??= (async () => {
        stopping.abort();
        await running;
        await db.destroy();
      })()),
    status: () => status,
    async lag() {
      const head = await journal.head();
      return lagBehind(head.seq, { ...status.checkpoint, name: status.name });
    },
  };
  const observed = observeProjector(options.metrics, service);

  const onProgress = (checkpoint: Checkpoint, schema: string): void => {
    if (status.state !== 'running' || status.schema !== schema) {
      logger.info({ schema, seq: checkpoint.seq }, 'projector: following the journal');
    } else observed(checkpoint.seq - status.checkpoint.seq);
    // Another schema may hold the read models of another journal.
    if (status.schema === schema) progress.set(checkpoint.seq);
    else progress.restart(checkpoint.seq);
    status = { ...status, state: 'running', schema, checkpoint, error: null };
    backOffMs = BACK_OFF_MS_MIN;
  };

  /**
   * A lost connection may mean that Postgres crashed and lost the last commits. Progress that was reported is in doubt
   * until the checkpoint is read again.
   */
  function lookAgain(): void {
    progress.set(0);
    if (status.state === 'running') status = { ...status, state: 'retrying', error: 'a connection was lost' };
    inDoubt.abort();
  }

  /** Resolves when stopped, rejects when failed. */
  async function supervise(opened: () => void): Promise<void> {
    while (!isStopping()) {
      const tenure = await turn();
      if (isStopping()) break;
      const over = tenure === null ? stopping.signal : AbortSignal.any([stopping.signal, tenure.lost]);
      const stopWatching = tenure === null ? undefined : watch(tenure);
      try {
        await project(over, () => {
          companion.start();
          opened();
        });
      } finally {
        stopWatching?.();
        await companion.stop();
        await tenure?.release();
      }
    }
    status = { ...status, state: 'stopped' };
  }

  /** Resolves when this projector leads; null without a lease, or when stopped before. */
  async function turn(): Promise<Tenure | null> {
    const { lease } = options;
    if (lease === undefined) return null;
    status = { ...status, state: 'standby', error: null };
    return lease.acquire(stopping.signal, () => contact.answers());
  }

  /** Steps down while the journal is out of reach: another projector may reach it. */
  function watch(tenure: Tenure): () => void {
    return stepDownWhenUnhealthy({
      tenure,
      unhealthyReason: () => contact.unhealthyReason(),
      onStepDown: (reason) =>
        retries.failed(
          'projector: stepping down: this process is unhealthy, so it lets the lease expire',
          new Error(reason),
        ),
    });
  }

  /** Projects until the signal aborts; rejects when it failed. */
  async function project(signal: AbortSignal, opened: () => void): Promise<void> {
    const isRunning = (): boolean => !signal.aborted;
    while (isRunning()) {
      inDoubt = new AbortController();
      const { signal: doubted } = inDoubt;
      try {
        await prepareReadModels(db);
        const { batchSize } = options;
        await runProjector(
          {
            journal,
            db,
            ...(batchSize === undefined ? {} : { batchSize }),
            onProgress: (checkpoint, schema) => {
              // Written before the connection broke and reported after: the crash may have lost it.
              if (doubted.aborted) return;
              retries.works(INTERRUPTED);
              onProgress(checkpoint, schema);
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
      } catch (error) {
        if (!isRunning()) break;
        lookAgain();
        if (error instanceof JournalDiverged) {
          await awaitRebuild(error, signal);
          continue;
        }
        const message = error instanceof Error ? error.message : String(error);
        if (!isWorthRetrying(error)) {
          status = { ...status, state: 'failed', error: message };
          logger.fatal(
            { err: error, seq: status.checkpoint.seq },
            'projector: stopped for good at an error that does not pass by itself; see err',
          );
          throw error;
        }
        status = { ...status, state: 'retrying', error: message };
        retries.failed(INTERRUPTED, error);
        await sleep(backOffMs, undefined, { signal }).catch(() => undefined);
        backOffMs = Math.min(BACK_OFF_MS_MAX, 2 * backOffMs);
      }
    }
  }

  /**
   * Projects and publishes nothing while the journal is not the one that the read models were made from. Checks again
   * after a pause.
   */
  async function awaitRebuild(
    { message, divergence, checkpoint }: JournalDiverged,
    signal: AbortSignal,
  ): Promise<void> {
    if (status.state !== 'diverged') logger.error({ divergence }, `projector: ${message}`);
    status = { ...status, state: 'diverged', schema: divergence.schema, checkpoint, error: message };
    await companion.stop();
    await sleep(REBUILD_CHECK_MS, undefined, { signal }).catch(() => undefined);
  }

  /** After an election, the former leader may have written its last batch after this one had begun: worth a retry. */
  function isWorthRetrying(error: unknown): boolean {
    return isPassing(error) || (options.lease !== undefined && error instanceof ProjectionFenced);
  }

  return service;
}

/** A companion whose `start` and `stop` have no effect when called twice. */
function startedOnce(companion: Companion | undefined): Companion {
  let runs = false;
  return {
    start() {
      if (!runs) companion?.start();
      runs = true;
    },
    async stop() {
      if (runs) await companion?.stop();
      runs = false;
    },
  };
}
