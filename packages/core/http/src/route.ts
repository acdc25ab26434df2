import type { Answer, Caller, Client, Endpoint, Handler, KeyCaller } from '@paper/contracts';
import type { BeginStream } from './event-stream.ts';

/** Finds the owner of a key by its SHA-256 hex; null for an unknown or revoked one. May throw `Unavailable`. */
export interface Authenticate {
  (keyHash: string, endpoint: Endpoint): Promise<KeyCaller | null>;
  /** The key's owner as last looked up, from memory. It only decides whose rate limit counts, and admits nobody. */
  readonly cachedOwner?: (keyHash: string) => KeyCaller | null;
  /**
   * Waits until answers show every command that was answered before this call. A `patient` wait does not hurry the
   * projector. Absent if answers need no projection. May throw `Unavailable`.
   */
  readonly waitUntilCaughtUp?: (wait: { readonly patient: boolean }) => Promise<unknown>;
}

export interface RequestInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly idempotency: { readonly key: string; readonly fingerprint: string } | null;
}

/** An endpoint with its handler, which answers at once if it can. Made by `implement`, mounted by `createApp`. */
export interface Route {
  readonly endpoint: Endpoint;
  readonly handler: (caller: Caller, input: RequestInput, client: Client) => Answer<unknown> | Promise<Answer<unknown>>;
  readonly authenticate: Authenticate;
  /** The time after which a handler's request is answered with 503. Default: the app's. */
  readonly answerMs?: number;
}

interface StreamInput {
  /** The raw values of the `Last-Event-ID` headers, from a client that resumes a stream. */
  readonly lastEventIds: readonly string[];
  /** Whether the request had to wait until the read models caught up: the stream must not begin at an earlier state. */
  readonly isFresh: boolean;
}

/** An endpoint with a stream of events. `open` throws to refuse; otherwise it calls `begin` once and returns. */
export interface StreamRoute {
  readonly endpoint: Endpoint;
  readonly open: (caller: Caller, input: RequestInput & StreamInput, begin: BeginStream) => Promise<void>;
  readonly authenticate: Authenticate;
  /** Awaited before the caller is looked up, however long it takes; default: nothing. */
  readonly ready?: () => Promise<void> | undefined;
}

/** Binds handlers to their endpoints by name. The compiler checks caller, input and answer. */
export function implement<const M extends Readonly<Record<string, Endpoint>>>(
  endpoints: M,
  handlers: { readonly [K in keyof M]?: Handler<M[K]> },
  authenticate: Authenticate,
): Route[] {
  return Object.entries(handlers as Readonly<Record<string, Handler<Endpoint>>>).map(([name, handler]) => {
    const endpoint = endpoints[name];
    if (endpoint === undefined) throw new Error(`no endpoint is named ${name}`);
    return route(endpoint, handler, authenticate);
  });
}

export function route<E extends Endpoint>(endpoint: E, handler: Handler<E>, authenticate: Authenticate): Route {
  // The pipeline admits only callers of endpoint.auth and parses with the endpoint's own schemas, so its values have
  // the types of Handler<E>.
  return { endpoint, handler, authenticate };
}

type Open<E extends Endpoint> = (
  caller: Parameters<Handler<E>>[0],
  input: Parameters<Handler<E>>[1] & StreamInput,
  begin: BeginStream,
) => Promise<void>;

export function streamRoute<E extends Endpoint>(endpoint: E, open: Open<E>, authenticate: Authenticate): StreamRoute {
  return { endpoint, open, authenticate };
}
