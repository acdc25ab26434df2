import { randomUUID } from 'node:crypto';
import type { Permission } from '@paper/contracts';

/** An answer of the library, split at the id of the request. */
interface MadeAnswer {
  readonly headers: Headers;
  readonly parts: readonly string[];
}

/** The most answers: they differ by permissions, the protocol's version, and what clients say about themselves. */
const ANSWERS_MAX = 50;
/** The headers that the library reads, besides those with the protocol's own prefix. */
const HEADERS = ['accept', 'content-type'];

/**
 * Caches answers to `tools/list`: the library makes each once. The list follows from the permissions of the key, and
 * the form of the answer from the request without its id.
 */
export class ListingAnswers {
  readonly #made = new Map<string, MadeAnswer>();
  /** Stands for the id of a request while its answer is made. */
  readonly #placeholder = randomUUID();

  /** Answers a request for `tools/list`; `make` lets the library answer a message. */
  async answer(
    { headers }: Request,
    message: { readonly id: string | number },
    permissions: readonly Permission[],
    make: (message: object) => Promise<Response>,
  ): Promise<Response> {
    const said = [...headers].filter(([name]) => HEADERS.includes(name) || name.startsWith('mcp-'));
    const key = JSON.stringify([permissions, said, { ...message, id: null }]);
    const made = this.#made.get(key);
    if (made !== undefined) return respond(made, message.id);
    const response = await make({ ...message, id: this.#placeholder });
    const parts = (await response.text()).split(JSON.stringify(this.#placeholder));
    const answer = { headers: response.headers, parts };
    if (response.status !== 200) return respond(answer, message.id, response.status);
    if (this.#made.size >= ANSWERS_MAX) this.#made.clear();
    this.#made.set(key, answer);
    return respond(answer, message.id);
  }
}

function respond({ headers, parts }: MadeAnswer, id: string | number, status = 200): Response {
  return new Response(parts.join(JSON.stringify(id)), { status, headers });
}
