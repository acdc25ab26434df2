import { shareReads } from './share-reads.ts';

/** How far the projection is, for those who wait for it. */
export interface ProgressSource {
  /** Resolves with true as soon as the projection is at `seq` or beyond, with false after `timeoutMs`. */
  reached(seq: number, timeoutMs: number): Promise<boolean>;
  /**
   * The newest sequence that it is known to have been at; asked about first where it is not told. It never goes back:
   * who was shown it must not be shown less, also while a database that crashed has not got it again.
   */
  newest(): number | Promise<number>;
}

/** Of one that is told how far the projection is, by a projector of the same process. */
export interface ToldProgress extends ProgressSource {
  newest(): number;
}

/** Where read models stand: which ones, and at which sequence of the journal. */
export interface ReadPosition {
  readonly schema: string;
  readonly seq: number;
}

interface Waiter {
  readonly seq: number;
  readonly resolve: (reached: boolean) => void;
}

/** Progress that is told: by the projector of the same process, or by one who polls the checkpoint. */
export class Progress implements ToldProgress {
  #seq = 0;
  #newest = 0;
  readonly #waiters = new Set<Waiter>();

  get seq(): number {
    return this.#seq;
  }

  newest(): number {
    return this.#newest;
  }

  /** Whether anybody waits. */
  get awaited(): boolean {
    return this.#waiters.size > 0;
  }

  /** It can go back: a database that crashed may have lost the projection's last commits. */
  set(seq: number): void {
    this.#seq = seq;
    this.#newest = Math.max(this.#newest, seq);
    for (const waiter of this.#waiters) {
      if (waiter.seq <= seq) waiter.resolve(true);
    }
  }

  reached(seq: number, timeoutMs: number): Promise<boolean> {
    return this.#seq >= seq ? Promise.resolve(true) : this.told(seq, timeoutMs);
  }

  /** As `set`, in other read models: what was known of those before says nothing of them. */
  restart(seq: number): void {
    this.#newest = seq;
    this.set(seq);
  }

  /** As `reached`, by what it is told from now on alone. */
  told(seq: number, timeoutMs: number): Promise<boolean> {
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
 * Progress of a projector in another process: the checkpoint is read whenever somebody asks where it is or begins to
 * wait, and every `pollMs` while somebody waits. What was read before is never taken for an answer: a database that
 * crashed since may have lost the commits that it told of.
 */
export function pollProgress(readPosition: () => Promise<ReadPosition>, pollMs = 10): ProgressSource {
  const progress = new Progress();
  let known: string | null = null;
  const newest = shareReads(async () => {
    const { schema, seq } = await readPosition();
    if (schema === known) progress.set(seq);
    else progress.restart(seq);
    known = schema;
    return progress.newest();
  });
  // A read that fails leaves the waiting to their time limit.
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
      const reached = progress.told(seq, timeoutMs);
      // Who comes between two polls need not wait for the next.
      void (polling ? look() : poll());
      return reached;
    },
    newest,
  };
}
