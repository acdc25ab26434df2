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
  /** Given wherever the request has a valid session, also where the route needs none. */
  readonly session: S;
  /** The token that the request's cookie has, valid or not. */
  readonly presentedToken: string | null;
  /** The subject of throttles: the address, or the /64 of an IPv6 address. */
  readonly address: string;
  /** The browser and its system, for the list of sessions. */
  readonly device: string;
  /** Aborts when the client does not wait any more. */
  readonly signal: AbortSignal;
}

/** The answer of a handler. Without a body it is a 204. */
export interface PortalAnswer {
  /** Default: 200 with a body, else 204. */
  readonly status?: number;
  readonly body?: object;
  /** Values of Set-Cookie headers. */
  readonly cookies?: readonly string[];
  /** Further headers, in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

type Output<S extends z.ZodType | null> = S extends z.ZodType ? z.output<S> : null;
type SessionOf<N extends Needs> = N extends 'nothing' ? Session | null : Session;

/** The schemas of a route's input; what it has none of is null. */
interface Input<P extends z.ZodType | null, Q extends z.ZodType | null, B extends z.ZodType | null> {
  readonly params?: P;
  readonly query?: Q;
  /** A closed object. */
  readonly body?: B;
  /** Works also where this portal offers no sign-in. Default: false. */
  readonly worksWithoutSignIn?: boolean;
}

/** A call of the portal's own, as the app mounts it. */
export interface PortalRoute extends Required<Input<z.ZodType | null, z.ZodType | null, z.ZodType | null>> {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** Begins with `/portal/`; `{name}` for a parameter. */
  readonly path: string;
  readonly needs: Needs;
  readonly maxBodyBytes: number;
  readonly handler: (call: PortalCall, input: Readonly<Record<'params' | 'query' | 'body', unknown>>) => Handled;
}

type Handled = PortalAnswer | Promise<PortalAnswer>;

/**
 * Declares a route with the types of its session and input.
 *
 * @param handler throws PortalError, ApiError or a PortError for everything that is refused.
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
    // The app admits only what `needs` says and parses with these schemas, so a handler gets exactly the types that it
    // declares.
    handler: handler as unknown as PortalRoute['handler'],
  };
}

/**
 * Everything under a prefix, served by the part itself, such as a pass-through. The app has checked Host and Origin and
 * the address's rate, and found the session.
 */
export interface PrefixRoute {
  /** Begins with `/portal/` and ends with a slash. */
  readonly prefix: string;
  /** Names the requests in metrics and logs. */
  readonly pattern: string;
  /** Works also where this portal offers no sign-in. Default: false. */
  readonly worksWithoutSignIn?: boolean;
  /** Serves the whole call. Rejects with the error to answer. */
  readonly serve: (call: PortalCall) => Promise<void>;
}

/** Routes of one topic. */
export interface RouteGroup {
  readonly routes?: readonly PortalRoute[];
  readonly prefixes?: readonly PrefixRoute[];
}
