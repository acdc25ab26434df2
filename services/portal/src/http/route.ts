import { MAX_BODY_BYTES } from '@paper/contracts';
import type { Call } from '@paper/http';
import type { z } from 'zod';
import type { Session } from '../identity/sessions.ts';

/**
 * The authentication that a route requires: nothing; a session of a person; or a session whose person proved themselves
 * in the last five minutes.
 */
export type Needs = 'nothing' | 'session' | 'proof';

/** A request on its way through a handler. */
export interface PortalCall<S extends Session | null = Session | null> {
  /** The call of the pipeline, with request and response. */
  readonly call: Call;
  /** The session, if the request has a valid one, even if the route needs none. */
  readonly session: S;
  /** The token in the request's cookie, valid or not. */
  readonly presentedToken: string | null;
  /** The subject of throttles: the IPv4 address, or the /64 of an IPv6 address. */
  readonly address: string;
  /** The browser and its system, for the list of sessions. */
  readonly device: string;
  /** Aborts when the client no longer waits. */
  readonly signal: AbortSignal;
}

/** The answer of a handler. Without a body it is a 204. */
export interface PortalAnswer {
  /** The status. Default: 200 with a body, else 204. */
  readonly status?: number;
  readonly body?: object;
  /** Values of Set-Cookie headers. */
  readonly cookies?: readonly string[];
  /** Further headers, in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

type Output<S extends z.ZodType | null> = S extends z.ZodType ? z.output<S> : null;
type SessionOf<N extends Needs> = N extends 'nothing' ? Session | null : Session;

/** The schemas of a route's input; null for a part that it does not have. */
interface Input<P extends z.ZodType | null, Q extends z.ZodType | null, B extends z.ZodType | null> {
  readonly params?: P;
  readonly query?: Q;
  /** The body's schema, a closed object. */
  readonly body?: B;
  /** Whether the route works even if this portal offers no sign-in. Default: false. */
  readonly worksWithoutSignIn?: boolean;
}

/** A call of the portal's own, as the app mounts it. */
export interface PortalRoute extends Required<Input<z.ZodType | null, z.ZodType | null, z.ZodType | null>> {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** The path, which begins with `/portal/`; `{name}` stands for a parameter. */
  readonly path: string;
  readonly needs: Needs;
  readonly maxBodyBytes: number;
  readonly handler: (call: PortalCall, input: Readonly<Record<'params' | 'query' | 'body', unknown>>) => Handled;
}

type Handled = PortalAnswer | Promise<PortalAnswer>;

/**
 * Declares a route with the types of its session and input.
 * @param handler throws PortalError, ApiError or a PortError for every refusal.
 */
export function portalRoute<
  const N extends Needs,
  P extends z.ZodType | null = null,
  Q extends z.ZodType | null = null,
  B extends z.ZodType | null = null,
>(
  method: PortalRoute['method'],
  path: string,
  needs: N,
  { params, query, body, worksWithoutSignIn = false }: Input<P, Q, B>,
  handler: (
    call: PortalCall<SessionOf<N>>,
    input: { readonly params: Output<P>; readonly query: Output<Q>; readonly body: Output<B> },
  ) => Handled,
): PortalRoute {
  return {
    method,
    path,
    needs,
    params: params ?? null,
    query: query ?? null,
    body: body ?? null,
    worksWithoutSignIn,
    maxBodyBytes: MAX_BODY_BYTES,
    // The app admits only what `needs` allows and parses with these schemas, so a handler gets exactly the types that
    // it declares.
    handler: handler as unknown as PortalRoute['handler'],
  };
}

/**
 * Everything under a prefix, served by a part itself, such as a pass-through. The app has already checked Host and
 * Origin and the address's rate, and found the session.
 */
export interface PrefixRoute {
  /** The prefix, which begins with `/portal/` and ends with a slash. */
  readonly prefix: string;
  /** The name of the requests in metrics and logs. */
  readonly pattern: string;
  /** Whether the routes work even if this portal offers no sign-in. Default: false. */
  readonly worksWithoutSignIn?: boolean;
  /** Serves the whole call. Rejects with the error to answer with. */
  readonly serve: (call: PortalCall) => Promise<void>;
}

/** Routes of one topic. */
export interface RouteGroup {
  readonly routes?: readonly PortalRoute[];
  readonly prefixes?: readonly PrefixRoute[];
}
