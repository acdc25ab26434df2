import { Writable } from 'node:stream';
import { ApiError, InternalError, RateLimited, Refused, Unavailable } from '@paper/contracts';
import type { Endpoint, KeyCaller } from '@paper/contracts';
import { z } from 'zod';
import { createApp, createOperators, hashKey, route, startServer } from '../src/index.ts';
import type { AppSettings } from '../src/app.ts';
import type { Authenticate, Route, RunningServer } from '../src/index.ts';
import type { ServerSettings } from '../src/server.ts';
import { createLogger, createMetrics } from '@paper/runtime';
import type { Metrics } from '@paper/runtime';

/** The sample app's keys, each with its owner. */
export const KEYS = {
  trader: caller('trader', ['view', 'trade']),
  viewer: caller('viewer', ['view']),
  onlyTrade: caller('only-trade', ['trade']),
  master: caller('master', ['master']),
  limited: { ...caller('limited', ['master']), hasMandate: true },
  nothing: caller('nothing', []),
  unapproved: { ...caller('unapproved', ['trade']), awaitsApproval: true },
  unapprovedViewer: { ...caller('unapproved-viewer', ['view']), awaitsApproval: true },
  sub: { ...caller('sub', ['trade']), primaryAccountId: 'master' },
} as const satisfies Record<string, KeyCaller>;
export const OPERATOR_TOKEN = 'operator-token-0123456789';
/** A token whose scope none of the sample app's calls needs. */
export const SIGNALS_TOKEN = 'signals-token-0123456789';
export const BODY_BYTES_MAX = 64 * 1024;
export const BATCH_BYTES_MAX = 4 * 1024 * 1024;

export type KeyName = keyof typeof KEYS;
export const bearer = (name: KeyName): { authorization: string } => ({ authorization: `Bearer svc_live_${name}` });

function caller(accountId: string, permissions: KeyCaller['permissions']): KeyCaller {
  return { kind: 'key', accountId, keyId: `key-${accountId}`, permissions, primaryAccountId: null };
}

/** More than its endpoint declares, which the compiler does not see in a variable. */
const MISFIT = { a: 'x', extra: 1 };

const defaults = {
  tag: 'sample',
  summary: '',
  description: '',
  items: null,
  line: null,
  keyedBy: null,
  permission: null,
  scopes: [],
  primaryOnly: false,
  grantsRights: false,
  approvedOnly: false,
  kind: 'read',
  cost: { base: 1 },
  streams: false,
  media: ['application/json'],
  conditional: false,
  idempotent: false,
  maxBodyBytes: BODY_BYTES_MAX,
  params: null,
  query: null,
  body: null,
  answer: z.unknown(),
  errors: [],
  errorStatuses: {},
} as const;

const thing = z.strictObject({
  name: z.string().min(1),
  kind: z.enum(['a', 'b']).default('a'),
  amount: z.number().min(0.01).max(0.99),
  count: z.int().min(1).max(500),
  tags: z.array(z.string()).optional(),
});
const id = z.object({ id: z.string() });

const endpoints = {
  getThing: { ...defaults, id: 'getThing', method: 'get', path: '/api/things/{id}', auth: 'public', params: id },
  getSpecial: { ...defaults, id: 'getSpecial', method: 'get', path: '/api/things/special', auth: 'public' },
  listThings: {
    ...defaults,
    id: 'listThings',
    method: 'get',
    path: '/api/things',
    auth: 'public',
    cost: { base: 1, items: { perUnit: 10, default: 50, max: 490 } },
    query: z.object({ limit: z.string().regex(/^\d+$/).optional() }),
  },
  getMine: { ...defaults, id: 'getMine', method: 'get', path: '/api/mine', auth: 'key' },
  getSignals: { ...defaults, id: 'getSignals', method: 'get', path: '/api/signals', auth: 'key', permission: 'view' },
  placeThing: {
    ...defaults,
    id: 'placeOrder',
    method: 'post',
    path: '/api/things',
    auth: 'key',
    kind: 'command',
    permission: 'trade',
    approvedOnly: true,
    idempotent: true,
    body: thing,
    answer: z.strictObject({ caller: z.string(), name: z.string(), fingerprint: z.string().nullable() }),
  },
  createSub: {
    ...defaults,
    id: 'createSub',
    method: 'post',
    path: '/api/subs',
    auth: 'key',
    kind: 'command',
    permission: 'master',
    primaryOnly: true,
    grantsRights: true,
    body: z.strictObject({ name: z.string() }),
  },
  deleteThing: {
    ...defaults,
    id: 'deleteThing',
    method: 'delete',
    path: '/api/things/{id}',
    auth: 'key',
    kind: 'command',
    permission: 'trade',
    params: id,
  },
  operate: {
    ...defaults,
    id: 'operate',
    method: 'post',
    path: '/api/operator/batch',
    auth: 'operator',
    scopes: ['markets'],
    kind: 'command',
    maxBodyBytes: BATCH_BYTES_MAX,
    body: z.looseObject({ commands: z.array(z.unknown()) }),
  },
  fail: {
    ...defaults,
    id: 'fail',
    method: 'get',
    path: '/api/fail/{id}',
    auth: 'public',
    params: id,
    errorStatuses: { market_not_found: 400 },
  },
  misfit: {
    ...defaults,
    id: 'misfit',
    method: 'get',
    path: '/api/misfit',
    auth: 'public',
    answer: z.strictObject({ a: z.string() }),
  },
} as const satisfies Record<string, Endpoint>;

export interface SampleApp extends RunningServer {
  readonly routes: readonly Route[];
  readonly metrics: Metrics;
  /** Lines of the log so far. */
  readonly log: Record<string, unknown>[];
  /** How often a handler of a command ran: what a refused request must never cause. */
  readonly commands: () => number;
  readonly authentications: () => number;
  /** GET /api/fail/held waits for this; `arrived` resolves when one is waiting. */
  readonly release: () => void;
  readonly arrived: Promise<void>;
}

/** A small service with one endpoint of each kind, running on a free port. */
export async function startSampleApp(
  settings: Partial<AppSettings> & Partial<ServerSettings> & { readonly knownOwners?: boolean } = {},
): Promise<SampleApp> {
  const log: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  const metrics = settings.metrics ?? createMetrics();
  let commands = 0;
  let authentications = 0;
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));

  const byHash = new Map(Object.entries(KEYS).map(([name, who]) => [hashKey(`svc_live_${name}`), who]));
  const lookUp = async (hash: string): Promise<KeyCaller | null> => {
    authentications++;
    return byHash.get(hash) ?? null;
  };
  const authenticate: Authenticate = Object.assign(lookUp, {
    cachedOwner: (hash: string) => (settings.knownOwners === true ? (byHash.get(hash) ?? null) : null),
  });
  const command = <T>(body: T) => {
    commands++;
    return { body, seq: 7 };
  };

  const routes: Route[] = [
    // The parameter comes first on purpose: the app has to sort.
    route(endpoints.getThing, async (_caller, { params }) => ({ body: { id: params.id }, seq: 1 }), authenticate),
    route(endpoints.getSpecial, async () => ({ body: { special: true }, seq: 1 }), authenticate),
    route(endpoints.listThings, async (_caller, { query }) => ({ body: [query.limit ?? '50'], seq: 1 }), authenticate),
    route(endpoints.getMine, async (who) => ({ body: { account: who.accountId }, seq: 2 }), authenticate),
    route(endpoints.getSignals, async () => ({ body: [], seq: 2 }), authenticate),
    route(
      endpoints.placeThing,
      async (who, { body, idempotency }) => ({
        ...command({ caller: who.accountId, name: body.name, fingerprint: idempotency?.fingerprint ?? null }),
        headers: { 'Idempotent-Replayed': 'false' },
      }),
      authenticate,
    ),
    route(endpoints.createSub, async (_who, { body }) => command(body), authenticate),
    route(endpoints.deleteThing, async () => command({ ok: true }), authenticate),
    route(
      endpoints.operate,
      async (who, { body }) => command({ by: who.name, count: body.commands.length }),
      authenticate,
    ),
    route(
      endpoints.fail,
      async (_caller, { params }) => {
        switch (params.id) {
          case 'bug':
            throw new TypeError('secret detail of a bug');
          case 'unavailable':
            throw new Unavailable('The projection is behind');
          case 'rate-limited':
            throw new RateLimited('Too many commands are waiting');
          case 'refused':
            throw new Refused('account_not_found', 'No account of yours has this id');
          case 'refused-by-endpoint':
            throw new Refused('market_not_found', 'No such market');
          case 'internal':
            throw new InternalError();
          case 'timeout':
            throw new DOMException('timed out', 'TimeoutError');
          case 'never':
            return new Promise(() => undefined);
          case 'held':
            arrive();
            await held;
            return { body: { held: true }, seq: 3 };
          default:
            throw new ApiError('market_not_found', 'No such market', 400, { 'x-own': 'yes' });
        }
      },
      authenticate,
    ),
    route(endpoints.misfit, async () => ({ body: MISFIT, seq: 1 }), authenticate),
  ];

  const app = createApp({
    routes,
    operators: createOperators([
      { name: 'olga', token: OPERATOR_TOKEN },
      { name: 'otto', scopes: ['signals'], token: SIGNALS_TOKEN },
    ]),
    logger: createLogger({ name: 'sample', level: 'debug' }, destination),
    metrics,
    rateLimiter: null,
    validateAnswers: true,
    ...settings,
  });
  const server = await startServer(app, { host: '127.0.0.1', port: 0, ...settings, metrics });
  return {
    ...server,
    routes,
    metrics,
    log,
    commands: () => commands,
    authentications: () => authentications,
    release,
    arrived,
  };
}
