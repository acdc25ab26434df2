import type { Answer, Caller, PreSerialized } from '@paper/contracts';
import { ReadCache } from '@paper/read-models';
import type { ReadCacheSettings, ProgressSource, Reading } from '@paper/read-models';
import { asOf } from './as-of.ts';
import { preSerialize } from '@paper/http';
import type { RequestInput, Route } from '@paper/http';

interface ResponseCacheSettings {
  readonly progress: Pick<ProgressSource, 'newest'>;
  readonly now: () => number;
  readonly generation?: () => number;
  readonly limits?: ReadCacheSettings['limits'];
}

/** A shared read must not end when the first client disconnects. */
const NEVER_ABORTED = new AbortController().signal;

const DEFAULT_LIMITS = { answers: 10_000, bytes: 64 * 1024 * 1024 };

/** Caches answers as the bytes that are sent, if they are the same for all callers, or for all keys of an account. */
export class ResponseCache {
  readonly #reads: ReadCache<PreSerialized>;

  constructor(private readonly settings: ResponseCacheSettings) {
    this.#reads = new ReadCache({ ...settings, limits: settings.limits ?? DEFAULT_LIMITS });
  }

  /** Returns the route with cached answers, which depend only on the account, the input and the read models. */
  cached(route: Route): Route {
    const { id, auth, conditional } = route.endpoint;
    if (auth === 'operator' || !conditional) {
      throw new Error(`${id} is not declared cacheable (conditional, and not for operators)`);
    }
    const keyOfInput = inputKeys(id);
    return {
      ...route,
      handler: (caller, input, client) => {
        // Historical reads are not cached here: they never change, so the client has them already.
        if (asOf(input) !== undefined) return route.handler(caller, input, client);
        const minSeq = this.settings.progress.newest();
        const key = keyOf(keyOfInput(input), caller);
        const read = async (): Promise<Reading<PreSerialized>> =>
          reading(await route.handler(caller, input, { address: client.address, signal: NEVER_ABORTED }));
        return typeof minSeq === 'number'
          ? this.#reads.get(key, minSeq, read)
          : minSeq.then((seq) => this.#reads.get(key, seq, read));
      },
    };
  }

  get usage(): ReadCacheSettings['limits'] {
    return this.#reads.usage;
  }
}

/** Makes the cache keys of a route's inputs, once for each input, since several requests may share it. */
function inputKeys(id: string): (input: RequestInput) => string {
  const keys = new WeakMap<RequestInput, string>();
  return (input) => {
    let key = keys.get(input);
    if (key === undefined) {
      // Parsed input has exactly the names of its schema, in the schema's order.
      key = `${id} ${JSON.stringify([input.params, input.query])}`;
      keys.set(input, key);
    }
    return key;
  };
}

function keyOf(inputKey: string, caller: Caller): string {
  return caller.kind === 'key' ? `${inputKey} ${caller.accountId}` : inputKey;
}

function reading(answer: Answer<unknown>): Reading<PreSerialized> {
  const value = preSerialize(answer);
  return { value, seq: answer.seq, bytes: isEmpty(answer) ? null : value.preSerialized.bytes.length };
}

/** Whether nothing was found: requests for unknown names must not evict useful answers. */
function isEmpty({ body }: Answer<unknown>): boolean {
  return Array.isArray(body) && body.length === 0;
}
