import type { IncomingMessage, RequestListener } from 'node:http';
import type { Answer, Caller, Endpoint, KeyCaller } from '@paper/contracts';
import { BATCH_ORDERS } from '@paper/contracts/orders';
import type { Tracing } from '@paper/tracing';
import { admit, limitAddress, limitItems } from './admission.ts';
import type { AdmissionSettings } from './admission.ts';
import { andThen } from './and-then.ts';
import { sendAnswer, sendPreflight, within } from './answer.ts';
import { CallClient, pathOf } from './call.ts';
import type { Call } from './call.ts';
import { allowsCrossOrigin, isPreflight } from './cross-origin.ts';
import { beginStream } from './event-stream.ts';
import { retryUnknownWhenFresh } from './fresh-unknown.ts';
import { faultOfHost } from './host.ts';
import { LIMITS } from './limits.ts';
import type { Page } from './page.ts';
import { createPipeline } from './pipeline.ts';
import type { PipelineSettings } from './pipeline.ts';
import { patternRoutes } from './pattern-routes.ts';
import type { Serve } from './pattern-routes.ts';
import { givesParameter } from './query-string.ts';
import { preSerialize, sendPreSerialized } from './pre-serialized.ts';
import { traceRequest } from './request-trace.ts';
import type { RequestInput, Route, StreamRoute } from './route.ts';
import { RouteInputs } from './route-inputs.ts';
import { WorkLimit } from './work-limit.ts';

type AnyRoute = Route | StreamRoute;

export interface AppSettings extends AdmissionSettings, Omit<PipelineSettings, 'metricsPrefix' | 'answerOf'> {
  /** The routes of everything that the process serves; no two have the same method and path. */
  readonly routes: readonly AnyRoute[];
  /** Pages for browsers. For the rate limits they count as reads of their address. Default: none. */
  readonly pages?: readonly Page[];
  readonly tracing?: Tracing | null;
  /** For tests: an answer that does not fit its endpoint's schema becomes a 500. */
  readonly validateAnswers?: boolean;
  readonly handlerMs?: number;
  readonly workLimit?: WorkLimit;
}

/**
 * Creates the app over all routes: finds the route, authenticates, counts, checks permissions and validates before the
 * handler; headers, errors, log and metrics come after it. Express finds only the routes that `directRoutes` does not,
 * because its part of a request costs more than everything else that a pre-serialized answer needs.
 */
export function createApp(settings: AppSettings): RequestListener {
  const { fail, listener } = createPipeline(settings);
  const { workLimit = new WorkLimit() } = settings;
  const routes = settings.routes.map((one) => ({
    endpoint: one.endpoint,
    serve: serveRoute(one, settings, workLimit),
  }));
  const findDirectly = directRoutes(routes);
  settings.metrics.gauge('http_commands_waiting', 'Commands that wait before they are read', {
    collect: (gauge) => gauge.set(workLimit.commandsWaiting),
  });

  const limit = (call: Call): void => limitAddress(call, 'reads', settings);
  const servePreflight = (call: Call): void => {
    call.pattern = 'preflight';
    limit(call);
    sendPreflight(call);
  };
  const serveByPattern = patternRoutes(routes, settings.pages ?? [], limit, fail);
  return listener((call) => {
    const { request } = call;
    const found = findDirectly(request);
    const hostFault = faultOfHost(request);
    if (hostFault !== null) {
      limit(call);
      throw hostFault;
    }
    if (isPreflight(request) && allowsCrossOrigin(pathOf(request))) servePreflight(call);
    else if (found !== null) return found.serve(call, found.params);
    else serveByPattern(call);
    return undefined;
  });
}

/** Runs a request through a route. Steps without a wait are synchronous: promises would cost more than the steps. */
function serveRoute(route: AnyRoute, settings: AppSettings, workLimit: WorkLimit): Serve {
  const { endpoint } = route;
  const keyed = keyedRoute(route);
  const inputs = new RouteInputs(endpoint);
  const serveCaller = 'open' in route ? openStream(route, settings) : answerCall(route, settings);
  const serveWork = async (call: Call, caller: KeyCaller, params: Parameters<Serve>[1]): Promise<void> => {
    const { accountId: account, primaryAccountId } = caller;
    const work = workLimit.request(
      { account, fleet: primaryAccountId ?? account },
      endpoint.items === null ? 1 : BATCH_ORDERS,
    );
    try {
      const input = await inputs.read(call.request, params, () => work.begin());
      if (endpoint.items !== null) {
        const items = itemsIn(input.body, endpoint.items);
        work.resize(items);
        limitItems(call, caller, items, settings);
      }
      await serveCaller(call, caller, input);
    } finally {
      work.end();
    }
  };
  const ready = 'open' in route ? route.ready : undefined;
  return (call, params) => {
    call.pattern = endpoint.path;
    call.errorStatuses = endpoint.errorStatuses;
    const chosen = keyed?.applies(call.request.url ?? '') === true ? keyed.route : route;
    call.isPrivate = chosen.endpoint.auth !== 'public';
    call.variesByKey =
      endpoint.kind === 'read' && (call.isPrivate || route.authenticate.waitUntilCaughtUp !== undefined);
    return andThen(ready?.(), () =>
      andThen(admit(chosen, call, settings), (caller) => {
        if (isWork(endpoint) && caller.kind === 'key') return serveWork(call, caller, params);
        return andThen(inputs.read(call.request, params), (input) => serveCaller(call, caller, input));
      }),
    );
  };
}

/** Whether a request with a key may have to wait for its turn. A request without a body is too little work to wait. */
function isWork({ body, kind }: Endpoint): boolean {
  return kind === 'command' && body !== null;
}

type ServeCaller = (call: Call, caller: Caller, input: RequestInput) => void | Promise<void>;

function openStream(route: StreamRoute, settings: AppSettings): ServeCaller {
  const { handlerMs = LIMITS.answerMs } = settings;
  return (call, caller, input) => {
    const lastEventIds = call.request.headersDistinct['last-event-id'] ?? [];
    const open = (): Promise<void> =>
      route.open(caller, { ...input, lastEventIds, isFresh: call.isFresh }, beginStream(call));
    return within(handlerMs, () => retryUnknownWhenFresh(route, call, settings, open));
  };
}

function answerCall(route: Route, settings: AppSettings): ServeCaller {
  const { endpoint, handler } = route;
  const { tracing = null, validateAnswers = false } = settings;
  const handlerMs = route.answerMs ?? settings.handlerMs ?? LIMITS.answerMs;
  const send = (call: Call, answer: Answer<unknown>): void | Promise<void> => {
    if (validateAnswers) assertDeclared(endpoint, answer);
    if (answer.preSerialized !== undefined) return sendPreSerialized(call, answer);
    if (endpoint.conditional) return sendPreSerialized(call, preSerialize(answer));
    sendAnswer(call, answer);
  };
  return (call, caller, input) => {
    const handle = () =>
      retryUnknownWhenFresh(route, call, settings, () => handler(caller, input, new CallClient(call)));
    const traced = tracing === null || endpoint.kind !== 'command' ? handle : () => traceRequest(tracing, call, handle);
    return andThen(within(handlerMs, traced), (answer) => send(call, answer));
  };
}

function itemsIn(body: unknown, list: string): number {
  return (body as Readonly<Record<string, readonly unknown[]>>)[list]?.length ?? 0;
}

/** The variant of a public endpoint that needs a key if the query gives a certain parameter. */
function keyedRoute({ endpoint, authenticate }: AnyRoute) {
  const { keyedBy } = endpoint;
  if (keyedBy === null) return null;
  return {
    route: { endpoint: { ...endpoint, auth: 'key' }, authenticate } as const,
    applies: givesParameter(keyedBy),
  };
}

function assertDeclared(endpoint: Endpoint, answer: Answer<unknown>): void {
  const isLines = answer.preSerialized !== undefined && answer.mediaType === 'application/x-ndjson';
  const schema = isLines ? (endpoint.line ?? endpoint.answer) : endpoint.answer;
  for (const body of bodiesOf(answer)) {
    const checked = schema.safeParse(body);
    if (!checked.success) throw new Error(`the answer of ${endpoint.id} is not as declared: ${checked.error.message}`);
  }
}

/** The part of an answer that its endpoint's schema describes; none for CSV. */
function bodiesOf(answer: Answer<unknown>): readonly unknown[] {
  if (answer.preSerialized === undefined) return [answer.body];
  const text = answer.preSerialized.bytes.toString();
  switch (answer.mediaType) {
    case 'text/csv':
      return [];
    case 'application/x-ndjson':
      return text.split('\n').flatMap((line): unknown[] => (line === '' ? [] : [JSON.parse(line)]));
    default:
      return [JSON.parse(text)];
  }
}

interface DirectRoute<S> {
  readonly serve: S;
  readonly params: Readonly<Record<string, string>>;
}

/** Matches a path segment that is the same with and without percent-decoding. */
const PLAIN = /^[A-Za-z0-9._:-]+$/;
const NONE = {};

/**
 * Finds most routes without trying one pattern after the other: literal paths, and paths whose last segment is their
 * only parameter and needs no decoding. Null: the patterns decide.
 */
export function directRoutes<S>(
  routes: readonly { readonly endpoint: Pick<Endpoint, 'method' | 'path'>; readonly serve: S }[],
): (request: Pick<IncomingMessage, 'method' | 'url'>) => DirectRoute<S> | null {
  const taken = new Set(routes.map(({ endpoint }) => endpoint.path));
  const byMethod = new Map<string, RoutesOfMethod<S>>();
  for (const { endpoint, serve } of routes) {
    const method = endpoint.method.toUpperCase();
    const ofMethod = byMethod.get(method) ?? { literal: new Map(), byPrefix: new Map() };
    byMethod.set(method, ofMethod);
    const [, prefix, name] = /^([^{}]*\/)\{(\w+)\}$/.exec(endpoint.path) ?? [];
    if (prefix !== undefined && name !== undefined) ofMethod.byPrefix.set(prefix, { name, serve });
    else if (!endpoint.path.includes('{')) ofMethod.literal.set(endpoint.path, { serve, params: NONE });
  }
  return (request) => {
    const ofMethod = byMethod.get(request.method ?? '');
    if (ofMethod === undefined) return null;
    const path = pathOf(request);
    const literal = ofMethod.literal.get(path);
    if (literal !== undefined) return literal;
    const last = path.lastIndexOf('/') + 1;
    const found = ofMethod.byPrefix.get(path.slice(0, last));
    const segment = path.slice(last);
    // A literal path without this method is left to the patterns, which answer 405.
    if (found === undefined || !PLAIN.test(segment) || taken.has(path)) return null;
    return { serve: found.serve, params: { [found.name]: segment } };
  };
}

interface RoutesOfMethod<S> {
  readonly literal: Map<string, DirectRoute<S>>;
  /** By what comes before the last segment; `name` is that of the parameter. */
  readonly byPrefix: Map<string, { readonly name: string; readonly serve: S }>;
}
