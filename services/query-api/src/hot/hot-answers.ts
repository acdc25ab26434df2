import { createHash } from 'node:crypto';
import type { Answer, ReadyMade } from '@paper/contracts';
import type { ProgressSource } from '@paper/read-models';
import type { RequestInput, Route } from '@paper/service-kit';
import { KeptAnswers, type Room } from './kept-answers.ts';

export interface HotAnswersSettings {
  readonly progress: Pick<ProgressSource, 'newest'>;
  readonly now: () => number;
  /** Default: 10,000 answers, 64 MiB. */
  readonly room?: Room;
}

/** An answer, and when it is good: until the projection has gone on, or the minute has ended that windows end with. */
interface Made {
  readonly answer: ReadyMade;
  readonly minute: number;
  /** Nothing was found: names that mean nothing must not push out what is asked for. */
  readonly empty: boolean;
}

const ROOM: Room = { answers: 10_000, bytes: 64 * 1024 * 1024 };
const MINUTE_MS = 60_000;

/**
 * Answers that are the same for everybody, kept as the bytes that are sent. One is given again as long as the
 * projection is not known to be further than the sequence it shows; then it is made anew, once for all who ask for it.
 * So nobody is told anything older than what was known when they asked.
 */
export class HotAnswers {
  readonly #kept: KeptAnswers<Made>;
  readonly #making = new Map<string, Promise<Made>>();

  constructor(private readonly settings: HotAnswersSettings) {
    this.#kept = new KeptAnswers(settings.room ?? ROOM);
  }

  /** The same route of a public read, whose answers are kept. They must follow from its input and the read models. */
  keep(route: Route): Route {
    const { id, auth, kind } = route.endpoint;
    if (auth !== 'public' || kind !== 'read') throw new Error(`${id} does not answer everybody alike`);
    return {
      ...route,
      handler: (caller, input) => {
        const known = this.settings.progress.newest();
        const key = keyOf(id, input);
        const make = (): Promise<Answer<unknown>> => route.handler(caller, input);
        return typeof known === 'number'
          ? this.#answer(key, known, make)
          : known.then((seq) => this.#answer(key, seq, make));
      },
    };
  }

  /** What is held at most, and by whom. */
  get held(): Room {
    return { answers: this.#kept.size, bytes: this.#kept.bytes };
  }

  /** `known`: where the projection was when the request came. */
  #answer(key: string, known: number, make: () => Promise<Answer<unknown>>): Promise<ReadyMade> {
    const minute = Math.floor(this.settings.now() / MINUTE_MS);
    const kept = this.#kept.get(key);
    if (kept !== undefined && isGood(kept, known, minute)) return Promise.resolve(kept.answer);
    return this.#share(key, known, minute, make);
  }

  async #share(key: string, known: number, minute: number, make: () => Promise<Answer<unknown>>): Promise<ReadyMade> {
    const underWay = this.#making.get(key);
    if (underWay === undefined) return (await this.#begin(key, minute, make)).answer;
    const made = await underWay.catch(() => null);
    if (made !== null && isGood(made, known, minute)) return made.answer;
    // That one may have looked before; whatever is under way by now was begun after this request came.
    return (await (this.#making.get(key) ?? this.#begin(key, minute, make))).answer;
  }

  #begin(key: string, minute: number, make: () => Promise<Answer<unknown>>): Promise<Made> {
    const making = make()
      .then((answer) => {
        const made: Made = { answer: readyMade(answer), minute, empty: isEmpty(answer) };
        if (!made.empty) this.#kept.set(key, made, made.answer.readyMade.bytes.length);
        else this.#kept.delete(key);
        return made;
      })
      .finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    return making;
  }
}

/** Parsed input has its schema's names in its schema's order, and none that the schema does not name. */
function keyOf(id: string, { params, query }: RequestInput): string {
  return `${id} ${JSON.stringify([params, query])}`;
}

/** A projection can also go back, when the database lost its last commits: what was read before is right all the same. */
function isGood({ answer, minute }: Made, known: number, now: number): boolean {
  return answer.seq >= known && minute === now;
}

function isEmpty({ body }: Answer<unknown>): boolean {
  return Array.isArray(body) && body.length === 0;
}

/** The ETag follows from the bytes: where nothing has changed, who has them is told so at any later sequence. */
function readyMade(answer: Answer<unknown>): ReadyMade {
  if (answer.readyMade !== undefined) return answer;
  const { body, ...rest } = answer;
  const bytes = Buffer.from(JSON.stringify(body));
  const etag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return { ...rest, readyMade: { bytes, etag } };
}
