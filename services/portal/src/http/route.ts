import type { Call } from '@paper/http';
import type { z } from 'zod';
import type { Session } from '../identity/sessions.ts';

/** What a route requires: nothing; a session; or a session whose person proved themselves in the last five minutes. */
export type Needs = 'nothing' | 'session' | 'proof';

export interface PortalCall<S extends Session | null = Session | null> {
  readonly call: Call;
  /** The session, if the request has a valid one, even if the route needs none. */
  readonly session: S;
  /** The token in the request's cookie, valid or not. */
  readonly presentedToken: string | null;
  /** The subject of throttles: the IPv4 address, or the /64 of an IPv6 address. */
  readonly address: string;
  readonly device: string;
  readonly signal: AbortSignal;
}

export interface PortalAnswer {
  /** The status. Default: 200 with a body, else 204. */
  readonly status?: number;
  readonly body?: object;
  readonly cookies?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

type Output<S extends z.ZodType | null> = S extends z.ZodType ? z.output<S> : null;
type SessionOf<N extends Needs> = N extends 'nothing' ? Session | null : Session;

/** The schemas of a route's input; null for a part that it does not have. */
interface Input<P extends z.ZodType | null, Q extends z.ZodType | null, B extends z.ZodType | null> {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Whether the route works even if this portal offers no sign-in. Default: false. */
  readonly worksWithoutSignIn?: boolean;
}

export interface PortalRoute extends Required<Input<z.ZodType | null, z.ZodType | null, z.ZodType | null>> {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** The path, which begins with `/portal/`; `{name}` stands for a parameter. */
  readonly path: string;
  readonly needs: Needs;
  readonly handler: (call: PortalCall, input: Readonly<Record<'params' | 'query' | 'body', unknown>>) => Handled;
}

type Handled = PortalAnswer | Promise<PortalAnswer>;

/** Declares a route with the types of its session and input. Its handler throws PortalError or ApiError to refuse. */
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
    // The app admits only what `needs` allows and parses with these schemas, so the handler gets the types it declares.
    handler: handler as unknown as PortalRoute['handler'],
  };
}

/** All calls under a prefix, handled by one function. Host, Origin, rate and session are checked before. */
interface PrefixRoute {
  readonly prefix: string;
  readonly pattern: string;
  readonly worksWithoutSignIn?: boolean;
  /**
   * What a call costs of its person's limit. Default 1; less for calls that the API counts too, so that nothing is
   * refused that the API allows.
   */
  readonly cost?: number;
  readonly serve: (call: PortalCall) => Promise<void>;
}

export type RouteGroup = Readonly<{ routes?: readonly PortalRoute[]; prefixes?: readonly PrefixRoute[] }>;
