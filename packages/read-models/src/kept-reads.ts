import { KeptAnswers, type Room } from './kept-answers.ts';

export interface KeptReadsSettings {
  readonly now: () => number;
  readonly room: Room;
  /** What was read at another number is forgotten; default: always the same. */
  readonly generation?: () => number;
}

/** What was read of the read models, and the sequence that it shows. */
export interface Reading<T> {
  readonly value: T;
  readonly seq: number;
  /** What it takes to keep; null where it is not to be kept: what means nothing must not push out what does. */
  readonly bytes: number | null;
}

/** When a reading is good: until the projection has gone on, or the minute has ended that windows end with. */
interface Made<T> extends Reading<T> {
  readonly minute: number;
  readonly generation: number;
}

/** What a reading has to show at least to be good. */
type Due = Pick<Made<unknown>, 'seq' | 'minute' | 'generation'>;

const MINUTE_MS = 60_000;

/**
 * What is read of the read models again and again. It is given again as long as nothing is known of that it does not
 * show; then it is read anew, once for all who ask for it. So nobody is told anything older than what was known when
 * they asked.
 */
export class KeptReads<T> {
  readonly #kept: KeptAnswers<Made<T>>;
  readonly #making = new Map<string, Promise<Made<T>>>();

  constructor(private readonly settings: KeptReadsSettings) {
    this.#kept = new KeptAnswers(settings.room);
  }

  /** What is held now. */
  get held(): Room {
    return { answers: this.#kept.size, bytes: this.#kept.bytes };
  }

  /** What is kept, however old; undefined where nothing is. */
  peek(key: string): T | undefined {
    return this.#kept.get(key)?.value;
  }

  /** `known`: the sequence that has to be shown at least. At once where it is kept; a failure is not kept. */
  get(key: string, known: number, read: () => Promise<Reading<T>>): T | Promise<T> {
    const due: Due = {
      seq: known,
      minute: Math.floor(this.settings.now() / MINUTE_MS),
      generation: this.#generation(),
    };
    const kept = this.#kept.get(key);
    if (kept !== undefined && isGood(kept, due)) return kept.value;
    return this.#share(key, due, read);
  }

  #generation(): number {
    return this.settings.generation?.() ?? 0;
  }

  async #share(key: string, due: Due, read: () => Promise<Reading<T>>): Promise<T> {
    const underWay = this.#making.get(key);
    if (underWay === undefined) return (await this.#begin(key, due, read)).value;
    const made = await underWay.catch(() => null);
    if (made !== null && isGood(made, due)) return made.value;
    // That one may have looked before; whatever is under way by now was begun after this request came.
    return (await (this.#making.get(key) ?? this.#begin(key, due, read))).value;
  }

  #begin(key: string, { minute, generation }: Due, read: () => Promise<Reading<T>>): Promise<Made<T>> {
    const making = read()
      .then((reading) => {
        const made = { ...reading, minute, generation };
        if (made.bytes === null) this.#kept.delete(key);
        else this.#kept.set(key, made, made.bytes);
        return made;
      })
      .finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    return making;
  }
}

/** A projection can also go back, when the database lost its last commits: what was read before is right all the same. */
function isGood({ seq, minute, generation }: Made<unknown>, due: Due): boolean {
  return seq >= due.seq && minute === due.minute && generation === due.generation;
}
