import { coalesceReads } from '../engine/coalesce-reads.ts';
import { RecentChanges } from '../projection/recent-changes.ts';

/** Reports the projection's progress, for reads that wait for it. */
export interface ProgressSource {
  /** True as soon as the projection is at `seq`, false after `timeoutMs`. `patient` lets a projector gather events. */
  reached(seq: number, timeoutMs: number, patient?: 'patient'): Promise<boolean>;
  /** Announces that a read will wait for the next projected events. Absent if the projector is in another process. */
  hurry?(): void;
  /**
   * The newest sequence that the projection has reached. It never goes back: a client that saw a sequence must not see
   * an older one, even while a crashed database has not caught up again.
   */
  newest(): number | Promise<number>;
  /** The last projected event that may have changed a key. Absent if the projector is in another process. */
  keysSeq?(): number;
  /** The changes by the projected events. Absent if the projector is in another process. */
  readonly changes?: RecentChanges;
}

/** Progress reported by a projector in the same process. */
export type LocalProgress = Required<Omit<ProgressSource, 'newest'>> & { newest(): number };

/** A schema of read models, and the sequence that it has reached. */
export interface ReadPosition {
  readonly schema: string;
  readonly seq: number;
}

interface Waiter {
  readonly seq: number;
  readonly resolve: (reached: boolean) => void;
}

/** Progress that is set from outside: by the projector of the same process, or by polling the checkpoint. */
export class Progress implements LocalProgress {
  readonly changes = new RecentChanges();
  #seq = 0;
  #newest = 0;
  #keysSeq = 0;
  readonly #waiters = new Set<Waiter>();

  /** @param onHurry called when a read begins to wait, with its sequence if that is known. */
  constructor(private readonly onHurry: (seq?: number) => void = () => undefined) {}

  get seq(): number {
    return this.#seq;
  }

  newest(): number {
    return this.#newest;
  }

  keysSeq(): number {
    return this.#keysSeq;
  }

  get awaited(): boolean {
    return this.#waiters.size > 0;
  }

  /** Goes back if a crashed database lost its last commits. `keysSeq`: see `Projected`. */
  set(seq: number, keysSeq = seq): void {
    this.#seq = seq;
    this.#keysSeq = Math.max(this.#keysSeq, keysSeq);
    this.#newest = Math.max(this.#newest, seq);
    for (const waiter of this.#waiters) {
      if (waiter.seq <= seq) waiter.resolve(true);
    }
  }

  hurry(): void {
    this.onHurry();
  }

  reached(seq: number, timeoutMs: number, patient?: 'patient'): Promise<boolean> {
    if (this.#seq >= seq) return Promise.resolve(true);
    if (patient === undefined) this.onHurry(seq);
    return this.reachedFromNow(seq, timeoutMs);
  }

  /** Like `set`, but for replaced read models: the sequence of the previous ones no longer counts. */
  restart(seq: number): void {
    this.#newest = seq;
    this.#keysSeq = seq;
    this.set(seq);
  }

  /** Like `reached`, but counts only progress that is reported from now on. */
  reachedFromNow(seq: number, timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const waiter: Waiter = {
        seq,
        resolve: (reached) => {
          clearTimeout(timer);
          this.#waiters.delete(waiter);
          resolve(reached);
        },
      };
      const timer = setTimeout(() => waiter.resolve(false), timeoutMs);
      this.#waiters.add(waiter);
    });
  }
}

/**
 * Progress of a projector in another process. The checkpoint is read at each call, and every `pollMs` while a read
 * waits, never reused: a database that crashed since may have lost those commits.
 */
export function pollProgress(readPosition: () => Promise<ReadPosition>, pollMs = 10): ProgressSource {
  const progress = new Progress();
  let known: string | null = null;
  const newest = coalesceReads(async () => {
    const { schema, seq } = await readPosition();
    if (schema === known) progress.set(seq);
    else progress.restart(seq);
    known = schema;
    return progress.newest();
  });
  // After a failed poll, waiting reads end at their time limit.
  const look = (): Promise<unknown> => newest().catch(() => undefined);
  let polling = false;
  const poll = async (): Promise<void> => {
    polling = true;
    while (progress.awaited) {
      await look();
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
    polling = false;
  };
  return {
    reached: (seq, timeoutMs) => {
      const reached = progress.reachedFromNow(seq, timeoutMs);
      // Starts a poll at once, so that a read between two polls need not wait for the next.
      void (polling ? look() : poll());
      return reached;
    },
    newest,
  };
}
