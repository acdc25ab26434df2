import { Unavailable } from '@paper/contracts';
import type { Checkpoint } from './checkpoint.ts';
import { findDivergence, hasCheckpoint } from './divergence.ts';
import type { ComparedJournal, Divergence } from './divergence.ts';
import { coalesceReads } from './coalesce-reads.ts';

/** The checkpoint of the served read models. */
export interface ServedCheckpoint extends Pick<Checkpoint, 'seq' | 'hash'> {
  readonly schema: string;
}

export interface JournalCheckOptions {
  readonly checkpoint: () => Promise<ServedCheckpoint>;
  /** The journal; the promise may resolve late. */
  readonly journal: Promise<ComparedJournal>;
  /** Called with each new divergence, and with null when the read models match the journal again. */
  readonly onChange?: ((divergence: Divergence | null) => void) | undefined;
  /** The interval of comparisons, in ms. Default 1,000. */
  readonly everyMs?: number;
}

/** The time limit of the first comparison; after it the process serves, since public reads need no journal. */
const FIRST_COMPARISON_MS = 1_000;
/** The interval of comparisons while the journal or the database does not answer, or may have been replaced. */
const UNVERIFIED_MS = 250;

/**
 * Compares the read models with the journal every second, and after each time that the journal did not answer. If the
 * journal ends before the read models, or has another event at their checkpoint, nothing may be read until a rebuild.
 */
export class JournalCheck {
  #divergence: Divergence | null = null;
  #divergences = 0;
  /** The last checkpoint whose event was found in the journal. */
  #found: ServedCheckpoint | null = null;
  /** The number of invalidations so far, and the number that the last comparison covers. */
  #invalidations = 1;
  #settled = 0;
  #isReady = false;
  #setReady = (): void => undefined;
  #running: Promise<void> | null = null;
  #stopped = false;
  #wakeUp = (): void => undefined;
  readonly #listeners = new Set<() => void>();
  readonly #compare = coalesceReads(() => this.#compareOnce());
  /** Resolves when the first comparison after the start has ended, or a second has passed. */
  readonly ready = new Promise<void>((resolve) => (this.#setReady = resolve));

  constructor(private readonly options: JournalCheckOptions) {}

  /** The present divergence, during which nothing may be read; null if there is none. */
  get divergence(): Divergence | null {
    return this.#divergence;
  }

  /** The number of divergences so far. Caches drop readings from before the last one. */
  get divergences(): number {
    return this.#divergences;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** @throws Unavailable while the read models diverge. */
  assertNone(): void {
    if (this.#divergence === null) return;
    throw new Unavailable('the read models do not match the journal and have to be rebuilt; try again later');
  }

  /** Resolves if the read models, compared since the last invalidation, match. @throws Unavailable if they diverge */
  async confirmed(): Promise<void> {
    if (this.#settled < this.#invalidations) await this.#compare();
    this.assertNone();
  }

  /** Notes that the journal may have been replaced: it did not answer, or a connection to it was lost. */
  invalidate(): void {
    this.#invalidations += 1;
    this.#wakeUp();
  }

  /** Notes a head that was read. One before events that were found earlier means that the journal was replaced. */
  sawHead(seq: number): void {
    if (this.#found !== null && seq < this.#found.seq) this.invalidate();
  }

  /** Calls the listener at each divergence, until the returned function is called. */
  onDivergence(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Stops comparing. A comparison in progress may end later, but then calls no listener. */
  stop(): void {
    this.#stopped = true;
    this.#wakeUp();
  }

  async #run(): Promise<void> {
    const { everyMs = 1_000 } = this.options;
    const becomeReady = (): void => {
      this.#isReady = true;
      this.#setReady();
    };
    const late = setTimeout(becomeReady, FIRST_COMPARISON_MS);
    while (!this.#isStopped()) {
      // A failure is reported by the read that needs the answer.
      await this.#compare().catch(() => undefined);
      clearTimeout(late);
      becomeReady();
      if (!this.#isStopped()) {
        await this.#pause(this.#settled < this.#invalidations ? Math.min(UNVERIFIED_MS, everyMs) : everyMs);
      }
    }
  }

  /** A method, since the compiler does not see that the value changes during an await. */
  #isStopped(): boolean {
    return this.#stopped;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #compareOnce(): Promise<void> {
    const invalidations = this.#invalidations;
    // First the checkpoint, then the head: else events projected in between would seem to be missing in the journal.
    const checkpoint = await this.options.checkpoint();
    const journal = await this.options.journal;
    const divergence = await findDivergence(journal, checkpoint.schema, checkpoint);
    if (this.#isStopped()) return;
    if (divergence === null) await this.#noteMissed(journal, checkpoint, this.#settled < invalidations);
    this.#settled = invalidations;
    this.#note(divergence);
  }

  /**
   * Finds a divergence that this process missed: a rebuild has followed it, or the read models were restored together
   * with the journal.
   */
  async #noteMissed(journal: ComparedJournal, checkpoint: ServedCheckpoint, isDoubtful: boolean): Promise<void> {
    const before = this.#found;
    if (before !== null && this.#divergence === null) {
      const isReplaced = before.schema !== checkpoint.schema || checkpoint.seq < before.seq;
      if ((isDoubtful || isReplaced) && !(await hasCheckpoint(journal, before))) this.#notifyDiverged();
    }
    this.#found = checkpoint;
  }

  #note(divergence: Divergence | null): void {
    if (divergence !== null) this.#found = null;
    const before = this.#divergence;
    this.#divergence = divergence;
    if (divergence !== null && before === null) this.#notifyDiverged();
    if ((divergence === null) !== (before === null)) this.options.onChange?.(divergence);
  }

  #notifyDiverged(): void {
    this.#divergences += 1;
    for (const listener of this.#listeners) listener();
  }
}
