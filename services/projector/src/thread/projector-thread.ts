import type { Worker } from 'node:worker_threads';
import { AppendRelay } from '@paper/journal';
import type { RelayingJournal } from '@paper/journal';
import { lagBehind, Progress } from '@paper/read-models';
import type { Lag, LocalProgress } from '@paper/read-models';
import { createRetryLog, startThread } from '@paper/service-kit';
import type { Logger, Metrics, ReadinessCheck, RetryLog } from '@paper/service-kit';
import { BackOff, pause } from '@paper/timing';
import { observeProjector } from '../metrics.ts';
import type { ProjectionTrace } from '../projection-trace.ts';
import { CurrentStatus, projectorReadiness } from '../projector-status.ts';
import type { ProjectorStatus } from '../projector-status.ts';
import type { ProjectionWork, ThreadOrder, ThreadReport } from './messages.ts';

export interface ProjectorThreadOptions extends ProjectionWork {
  /** The journal of this process, which relays what it appends. */
  readonly journal: RelayingJournal;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Default: no traces. */
  readonly trace?: ProjectionTrace | null;
}

const ENDED = 'projector: its thread has ended; starting another';

/**
 * A projector on a thread of its own, so that orders do not wait for it. Sequences are reported after their commit. A
 * thread that ends is replaced, after growing pauses, by one that continues from the checkpoint.
 */
export class ProjectorThread {
  readonly #options: ProjectorThreadOptions;
  readonly #progress = new Progress((seq) => this.#hurry(seq));
  readonly #status = new CurrentStatus();
  readonly #retries: RetryLog;
  readonly #pauses = new BackOff();
  readonly #stopping = new AbortController();
  readonly #onEvents: (events: number) => void;
  #worker: Worker | null = null;
  #running: Promise<void> | null = null;
  /** The sequence of the last event that was handed over. */
  #handedOverSeq = 0;
  /** The highest sequence that a read has waited for. */
  #wantedSeq = 0;

  constructor(options: ProjectorThreadOptions) {
    this.#options = options;
    this.#retries = createRetryLog(options.logger);
    this.#onEvents = observeProjector(options.metrics, this);
  }

  /** The progress that the thread has reported. */
  get progress(): LocalProgress {
    return this.#progress;
  }

  /** The readiness check, which fails while the projector does not run. */
  get readiness(): ReadinessCheck {
    return projectorReadiness(this.#status);
  }

  status(): ProjectorStatus {
    return this.#status.get();
  }

  /** Reads the journal's head. */
  async lag(): Promise<Lag> {
    const head = await this.#options.journal.head();
    const { checkpoint, name } = this.status();
    return lagBehind(head.seq, { ...checkpoint, name });
  }

  /** Resolves when the projection runs for the first time. Rejects when it fails for good, or is stopped before. */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#status.change({ state: 'starting' });
      this.#running ??= this.#supervise(resolve).then(() => {
        const { state, error } = this.status();
        reject(new Error(state === 'failed' ? `${error}` : 'the projector was stopped before it was open'));
      }, reject);
    });
  }

  /** Resolves when the transaction under way has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#worker !== null) {
      // A process that waits for nothing else would end before its thread has.
      this.#worker.ref();
      send(this.#worker, { kind: 'stop' });
    }
    await this.#running;
  }

  /** Resolves when stopped, or failed for good. */
  async #supervise(opened: () => void): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const reason = await this.#runThread(opened);
      // A stop, or a state that needs an operator, which the thread has reported.
      if (this.#isOver()) return;
      // Its last report may be missing, so its progress counts again once the next thread has read the checkpoint.
      this.#progress.set(0);
      this.#status.change({ state: 'retrying', error: `its thread has ended: ${reason.message}` });
      this.#retries.failed(ENDED, reason);
      await pause(this.#pauses.next(), { signal });
    }
  }

  #isOver(): boolean {
    const { state } = this.status();
    return state === 'failed' || this.#stopping.signal.aborted;
  }

  /** Starts a thread, and gives the reason of its end. */
  async #runThread(opened: () => void): Promise<Error> {
    const { connectionString, gatherMs, journal, log, shard, trace } = this.#options;
    const work: ProjectionWork = { connectionString, gatherMs, log, shard };
    const worker = startThread('projection-worker', import.meta.url, work);
    this.#worker = worker;
    // Reads may have waited since before this thread.
    send(worker, { kind: 'hurry', seq: this.#wantedSeq });
    const relay = new AppendRelay((message, transferred) => send(worker, message, transferred));
    const stopRelaying = journal.relay({
      announced: (seq) => relay.announced(seq),
      appended: (batch) => {
        this.#handedOverSeq = batch.at(-1)?.seq ?? this.#handedOverSeq;
        trace?.handedOver(batch);
        relay.appended(batch);
      },
      unknown: () => relay.unknown(),
    });
    worker.on('message', (report: ThreadReport) => {
      this.#take(report);
      relay.processed(report.status.checkpoint.seq);
      if (report.status.state === 'running') opened();
    });
    const reason = await endOf(worker);
    stopRelaying();
    this.#worker = null;
    return reason;
  }

  #project({ keysSeq, seq }: { readonly keysSeq: number; readonly seq: number }): void {
    this.#progress.set(seq, keysSeq);
    this.#options.trace?.projected(seq);
  }

  /** A read waits. Nothing is sent where it need not wait. */
  #hurry(seq?: number): void {
    this.#wantedSeq = Math.max(this.#wantedSeq, seq ?? 0);
    if (this.#worker === null || (seq ?? this.#handedOverSeq) <= this.#progress.seq) return;
    send(this.#worker, { kind: 'hurry', seq });
  }

  #take({ changes, status }: ThreadReport): void {
    for (const change of changes) {
      if (change.kind === 'events') this.#onEvents(change.count);
      else if (change.kind === 'restart') this.#progress.restart(change.seq);
      else this.#project(change);
    }
    this.#status.change(status);
    if (status.state === 'running') {
      this.#pauses.reset();
      this.#retries.works(ENDED);
    }
  }
}

function send(worker: Worker, order: ThreadOrder, transferred: ArrayBuffer[] = []): void {
  worker.postMessage(order, transferred);
}

/** Resolves when the thread has ended, with the reason. */
function endOf(worker: Worker): Promise<Error> {
  return new Promise((resolve) => {
    const errors: Error[] = [];
    worker.on('error', (error) => void errors.push(error));
    worker.once('exit', (code) => resolve(errors[0] ?? new Error(`it ended with code ${code}`)));
  });
}
