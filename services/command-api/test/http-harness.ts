import { createMemoryJournal, createMemoryLog, decode } from '@paper/journal';
import type { MemoryLog } from '@paper/journal';
import { endpoints } from '@paper/contracts';
import type { KeyHolder, KeyView } from '@paper/contracts/accounts';
import { createState, evolve, marketView } from '@paper/exchange';
import type { MarketView } from '@paper/exchange';
import { DEFAULT_SETTINGS } from '@paper/exchange/commands';
import type { Settings } from '@paper/exchange/commands';
import type { DayLimit } from '@paper/command-side';
import { createApp, createOperators, startServer, withRoutesServedElsewhere } from '@paper/http';
import type { OperatorToken, RateLimiter } from '@paper/http';
import { createMemoryNames } from '@paper/names';
import type { NameStore } from '@paper/names';
import { createLogger, createMetrics } from '@paper/runtime';
import type { Logger } from '@paper/runtime';
import type { Clock } from '@paper/timing';
import { createFaultyJournal } from '@paper/testkit';
import type { Fault } from '@paper/testkit';
import { sendApiRequest } from 'paper-trading-client';
import { createCommandSide } from '../src/index.ts';
import type { CommandSide, KeyOwner } from '../src/index.ts';
import { orderIn } from './order-in-log.ts';

const TOKEN = 'a-token-of-an-operator';

export interface Reply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

export interface Sent {
  readonly key?: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

/** The command side behind HTTP, on a journal in memory. */
export interface HttpHarness {
  readonly side: CommandSide;
  readonly log: MemoryLog;
  readonly fenced: Error[];
  readonly names: NameStore;
  /** Sends a request. An answer with status 200 that does not fit its schema becomes a 500. */
  readonly call: (method: string, path: string, sent?: Sent) => Promise<Reply>;
  /** Sends a request as the operator. */
  readonly operate: (method: string, path: string, body?: unknown, idempotencyKey?: string) => Promise<Reply>;
  /** Sets what happens to appends from now on. */
  readonly plan: (plan: () => Fault | null) => void;
  readonly metrics: () => Promise<string>;
  readonly close: () => Promise<void>;
}

export interface HarnessOptions {
  readonly log?: MemoryLog;
  readonly names?: NameStore;
  readonly settings?: Partial<Settings>;
  /** Whether endpoints of other services have routes, which answer 404; default false. */
  readonly declaresAll?: boolean;
  /** Further operators beside `ops`, whose token permits all calls. */
  readonly operators?: readonly OperatorToken[];
  /** Default: no limits. */
  readonly rateLimiter?: RateLimiter;
  readonly clock?: Clock;
  /** Default: a silent one. */
  readonly logger?: Logger;
  readonly dayLimit?: DayLimit;
  /** Resolves once the read models have reached a sequence. Default: at once. */
  readonly fresh?: (seq: number) => Promise<void>;
}

export async function httpHarness(options: HarnessOptions = {}): Promise<HttpHarness> {
  const log = options.log ?? createMemoryLog();
  const names = options.names ?? createMemoryNames();
  let plan: () => Fault | null = () => null;
  const logger = options.logger ?? createLogger({ level: 'silent', name: 'test' });
  const metrics = createMetrics();
  const fenced: Error[] = [];
  const side = createCommandSide({
    build: '0.1.0-test',
    journal: createFaultyJournal(createMemoryJournal(log), () => plan()),
    logger,
    metrics,
    fingerprintSecret: Buffer.alloc(32, 1),
    names,
    onFenced: (error) => void fenced.push(error),
    projections: () =>
      Promise.resolve([{ lagEvents: 0, lagMs: 0, name: 'main', problem: null, seq: log.events.length }]),
    readModel: {
      marketRecord: (...record) => Promise.resolve(marketRecord(log, ...record)),
      order: (orderId) => Promise.resolve(orderIn(log, orderId)),
      fresh: options.fresh ?? (() => Promise.resolve()),
      key: (keyId) => Promise.resolve(keyView(log, keyId)),
      keyHolder: (keyId) => Promise.resolve(keyHolder(log, keyId)),
      keyOwner: (keyId) => Promise.resolve(keyOwner(log, keyId)),
      publicName: () => Promise.resolve(null),
    },
    settings: { ...DEFAULT_SETTINGS, ...options.settings },
    shard: '0',
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    ...(options.dayLimit === undefined ? {} : { dayLimit: options.dayLimit }),
  });
  const app = createApp({
    logger,
    metrics,
    operators: createOperators([{ name: 'ops', token: TOKEN }, ...(options.operators ?? [])]),
    rateLimiter: options.rateLimiter ?? null,
    routes: options.declaresAll === true ? withRoutesServedElsewhere(side.routes, endpoints) : side.routes,
    validateAnswers: true,
  });
  const server = await startServer(app, { host: '127.0.0.1', port: 0 });
  await side.start();
  const call = async (method: string, path: string, { key, body, idempotencyKey }: Sent = {}): Promise<Reply> => {
    const response = await sendApiRequest(server.url, { method, path, key, body, idempotencyKey });
    return { body: response.body as Reply['body'], headers: response.headers, status: response.status };
  };
  return {
    call,
    close: async () => {
      await side.stop(1_000);
      await server.close(1_000);
    },
    fenced,
    log,
    names,
    metrics: async () => (await metrics.expose()).text,
    operate: (method, path, body, idempotencyKey) =>
      call(method, path, {
        key: TOKEN,
        ...(body === undefined ? {} : { body }),
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      }),
    plan: (next) => {
      plan = next;
    },
    side,
  };
}

/** A market as it was after the first event from a sequence on; `afterClose` as for `findMarketRecord`. Folds the log. */
function marketRecord(log: MemoryLog, marketId: string, fromSeq: number, afterClose: boolean): MarketView | null {
  const record = recordsOf(log).find(({ seq, view }) => {
    if (view.id !== marketId || seq < fromSeq) return false;
    const isOver = view.phase !== 'closed' || (view.bestBidUnits === null && view.bestAskUnits === null);
    return !afterClose || isOver;
  });
  return record?.view ?? null;
}

interface MarketRecord {
  readonly seq: number;
  readonly view: MarketView;
}

/** Of each log, for its length: a batch of 500 replays would fold it 500 times, while all other commands wait. */
const records = new WeakMap<MemoryLog, { readonly length: number; readonly made: readonly MarketRecord[] }>();

/** The market of each event after it, in the order of the log. */
function recordsOf(log: MemoryLog): readonly MarketRecord[] {
  const known = records.get(log);
  if (known?.length === log.events.length) return known.made;
  const state = createState();
  const made = log.events.map(decode).flatMap(({ command, event, seq }): MarketRecord[] => {
    evolve(state, event, command);
    const view = 'marketId' in event && event.marketId !== null ? marketView(state, event.marketId) : null;
    return view === null ? [] : [{ seq, view }];
  });
  records.set(log, { length: log.events.length, made });
  return made;
}

/** Finds a key's present or former owner by scanning the log. */
function keyOwner(log: MemoryLog, keyId: string): KeyOwner | null {
  const events = log.events.map((stored) => decode(stored).event);
  const issued = events.find((event) => event.type === 'ApiKeyIssued' && event.keyId === keyId);
  if (issued?.type !== 'ApiKeyIssued') return null;
  const { accountId } = issued;
  const sub = events.find((event) => event.type === 'SubAccountOpened' && event.accountId === accountId);
  return { accountId, primaryAccountId: sub?.type === 'SubAccountOpened' ? sub.primaryAccountId : null };
}

/** Finds a live key by scanning the log. */
function keyView(log: MemoryLog, keyId: string): KeyView | null {
  const events = log.events.map((stored) => decode(stored).event);
  const issued = events.find((event) => event.type === 'ApiKeyIssued' && event.keyId === keyId);
  if (issued?.type !== 'ApiKeyIssued') return null;
  const set = events.findLast((event) => event.type === 'MandateSet' && event.keyId === keyId);
  const { at, last4, name, permissions } = issued;
  const mandate = set?.type === 'MandateSet' ? set.mandate : null;
  return { createdAt: at, keyId, last4, mandate, name, permissions, revokedAt: null, lastUsedOn: null };
}

/** A key and its account; the name is not in the log, and the key has spent nothing. */
function keyHolder(log: MemoryLog, keyId: string): KeyHolder | null {
  const [key, owner] = [keyView(log, keyId), keyOwner(log, keyId)];
  if (key === null || owner === null) return null;
  const { mandate, name: keyName, permissions } = key;
  const { accountId, primaryAccountId } = owner;
  const ids = { accountId, keyId, primaryAccountId: primaryAccountId ?? accountId };
  const spent = { spentDay: 0, spentUnits: 0 };
  const mode = { approved: true, complianceMode: 'paper' } as const;
  return { ...ids, ...mode, ...spent, displayName: '', keyName, mandate, permissions };
}

/** A listing as an operator sends it. */
export const listing = (id: string, more: Readonly<Record<string, unknown>> = {}) => ({
  category: 'revenue',
  closesAt: '2099-12-31T23:59:00Z',
  companySlug: 'acme',
  id,
  prior: 0.5,
  sector: 'technology',
  settlementSource: 'quarterly report',
  ticker: 'ACME',
  title: 'Will ACME sell more?',
  ...more,
});
