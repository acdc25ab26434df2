import { hashKey } from '@paper/http';
import { createClient } from 'paper-trading-client';
import type { AnswerOf, PaperTradingClient } from 'paper-trading-client';
import { answerOrToolError, ToolError } from './tool-error.ts';

/** A caller with a valid key. */
export interface Session {
  readonly me: AnswerOf<'getMe'>;
  /** Repeats requests that got no answer. */
  readonly api: PaperTradingClient;
}

/** How long a session is cached, until a revoked key is noticed here; the API refuses its calls at once. */
const MAX_AGE_MS = 5_000;
const MAX_KEYS = 10_000;
/** The time limit of a request, below the ten seconds in which we answer our own requests. */
const TIMEOUT_MS = 8_000;
const RETRY_FOR_MS = 2_000;

/** Finds the callers of keys, and caches valid ones for some seconds. Unknown keys are not cached. */
export class Sessions {
  readonly #found = new Map<string, { readonly session: Session; readonly untilMs: number }>();
  readonly #lookups = new Map<string, Promise<Session | null>>();

  constructor(private readonly apiUrl: () => string) {}

  /** The session of a key that was found a short time ago; null if it has to be looked up. */
  remembered(key: string): Session | null {
    const hash = hashKey(key);
    const found = this.#found.get(hash);
    if (found === undefined) return null;
    if (found.untilMs > performance.now()) return found.session;
    this.#found.delete(hash);
    return null;
  }

  /** The session of this key; null for an unknown one. @throws ToolError when the key could not be looked up. */
  async find(key: string): Promise<Session | null> {
    const remembered = this.remembered(key);
    if (remembered !== null) return remembered;
    const hash = hashKey(key);
    const running = this.#lookups.get(hash);
    if (running !== undefined) return running;
    const lookup = this.#lookUp(key, hash).finally(() => this.#lookups.delete(hash));
    this.#lookups.set(hash, lookup);
    return lookup;
  }

  async #lookUp(key: string, hash: string): Promise<Session | null> {
    const api = createClient({ baseUrl: this.apiUrl(), key, timeoutMs: TIMEOUT_MS, retryForMs: RETRY_FOR_MS });
    try {
      const { body: me } = await answerOrToolError(api.answer('getMe', {}));
      const session = { me, api };
      if (this.#found.size >= MAX_KEYS) this.#found.clear();
      this.#found.set(hash, { session, untilMs: performance.now() + MAX_AGE_MS });
      return session;
    } catch (error) {
      if (error instanceof ToolError && error.code === 'not_authenticated') return null;
      throw error;
    }
  }
}
