import type { Answer, Caller, ReadyMade } from '@paper/contracts';
import { KeptReads, type KeptReadsSettings, type ProgressSource, type Reading } from '@paper/read-models';
import { asOf } from '../as-of.ts';
import { makeReady, type RequestInput, type Route } from '@paper/service-kit';

export interface HotAnswersSettings {
  readonly progress: Pick<ProgressSource, 'newest'>;
  readonly now: () => number;
  /** See `KeptReadsSettings`. */
  readonly generation?: () => number;
  /** Default: 10,000 answers, 64 MiB. */
  readonly room?: KeptReadsSettings['room'];
}

/** What is made for several does not end with the first who asked. */
const NEVER = new AbortController().signal;

const ROOM = { answers: 10_000, bytes: 64 * 1024 * 1024 };

/** Answers that are the same for everybody, or for all keys of an account, kept as the bytes that are sent. */
export class HotAnswers {
  readonly #kept: KeptReads<ReadyMade>;

  constructor(private readonly settings: HotAnswersSettings) {
    this.#kept = new KeptReads({ ...settings, room: settings.room ?? ROOM });
  }

  /**
   * The same route, whose answers are kept. They must follow from the caller's account, from its input and the read
   * models. A caller was authenticated by read models as new as it may ask for, and what is known of them never goes
   * back, so what is kept is as new as that.
   */
  keep(route: Route): Route {
    const { id, auth, conditional } = route.endpoint;
    if (auth === 'operator' || !conditional) throw new Error(`${id} is not declared as what may be kept`);
    return {
      ...route,
      handler: (caller, input, client) => {
        // Of the past nobody asks twice: it never changes, so who asked has it.
        if (asOf(input) !== undefined) return route.handler(caller, input, client);
        const known = this.settings.progress.newest();
        const key = keyOf(id, caller, input);
        const read = async (): Promise<Reading<ReadyMade>> =>
          reading(await route.handler(caller, input, { address: client.address, signal: NEVER }));
        return typeof known === 'number'
          ? this.#kept.get(key, known, read)
          : known.then((seq) => this.#kept.get(key, seq, read));
      },
    };
  }

  /** What is held now. */
  get held(): KeptReadsSettings['room'] {
    return this.#kept.held;
  }
}

/** Parsed input has its schema's names in its schema's order, and none that the schema does not name. */
function keyOf(id: string, caller: Caller, { params, query }: RequestInput): string {
  return `${id} ${JSON.stringify([caller.kind === 'key' ? caller.accountId : null, params, query])}`;
}

function reading(answer: Answer<unknown>): Reading<ReadyMade> {
  const value = makeReady(answer);
  return { value, seq: answer.seq, bytes: isEmpty(answer) ? null : value.readyMade.bytes.length };
}

/** Nothing was found: names that mean nothing must not push out what is asked for. */
function isEmpty({ body }: Answer<unknown>): boolean {
  return Array.isArray(body) && body.length === 0;
}
