import { hashKey } from '@paper/http';
import type { AnswerOf } from 'paper-trading-client';
import { createApi } from './api.ts';
import type { Api } from './api.ts';
import { answered, ToolError } from './tool-error.ts';

/** The account and the key of a caller, as the API shows them. */
export type Me = AnswerOf<'getMe'>;

/** A caller with a valid key. */
export interface Session {
  readonly me: Me;
  /** Repeats requests that got no answer. */
  readonly api: Api;
}

/**
 * How long a session is cached. A revoked key, or one with other permissions, is noticed after this time; the API
 * refuses its calls at once.
 */
const MAX_AGE_MS = 5_000;
const MAX_KEYS = 10_000;

interface Found {
  readonly session: Session;
  readonly untilMs: number;
}

/** Finds the callers of keys, and caches valid ones for some seconds. Unknown keys are not cached. */
export class Sessions {
  readonly #found = new Map<string, Found>();
  readonly #asking = new Map<string, Promise<Session | null>>();
  readonly #apiUrl: () => string;
  readonly #now: () => number;

  /** @param now milliseconds, monotonic */
  constructor(apiUrl: () => string, now: () => number = () => performance.now()) {
    this.#apiUrl = apiUrl;
    this.#now = now;
  }

  /** The session of a key that was found a short time ago; null if it has to be looked up. */
  remembered(key: string): Session | null {
    const hash = hashKey(key);
    const found = this.#found.get(hash);
    if (found === undefined) return null;
    if (found.untilMs > this.#now()) return found.session;
    this.#found.delete(hash);
    return null;
  }

  /**
   * The session of this key; null for an unknown key.
   * @throws ToolError with the API's answer when the key could not be looked up.
   */
  async find(key: string): Promise<Session | null> {
    const remembered = this.remembered(key);
    if (remembered !== null) return remembered;
    const hash = hashKey(key);
    const asked = this.#asking.get(hash);
    if (asked !== undefined) return asked;
    const asking = this.#ask(key, hash).finally(() => this.#asking.delete(hash));
    this.#asking.set(hash, asking);
    return asking;
  }

  async #ask(key: string, hash: string): Promise<Session | null> {
    const api = createApi(this.#apiUrl(), key);
    try {
      const { body: me } = await answered(api.answer('getMe', {}));
      const session = { me, api };
      if (this.#found.size >= MAX_KEYS) this.#found.clear();
      this.#found.set(hash, { session, untilMs: this.#now() + MAX_AGE_MS });
      return session;
    } catch (error) {
      if (error instanceof ToolError && error.code === 'not_authenticated') return null;
      throw error;
    }
  }
}
