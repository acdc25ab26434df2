import { createCommandSide } from '@paper/command-api';
import type { CommandSide } from '@paper/command-api';
import { createMemoryNames } from '@paper/command-side';
import { DEFAULT_SETTINGS } from '@paper/exchange';
import { createMemoryJournal, openJournal } from '@paper/journal';
import type { Journal } from '@paper/journal';
import { createLogger, createMetrics } from '@paper/service-kit';
import { createRandom, eventStoreAt, testEventStore } from '@paper/testkit';
import { figure, printTable, quantile, startPostgres } from '../index.ts';

/**
 * Orders a second through the whole command path without HTTP: handler, queue, decision, group commit, answer.
 * Closed-loop clients, each with one order under way; on the journal in memory, on a Postgres that flushes, and on an
 * EventStoreDB where there is one.
 */
const SEED = 4_711;
const ORDERS = 20_000;
const ACCOUNTS = 64;
const MARKETS = 8;
const CLIENTS = [1, 64, 512];
const NEVER = new AbortController().signal;

type Call = (endpointId: string, accountId: string | null, body: unknown) => Promise<unknown>;

/** Calls handlers as the HTTP pipeline would; as an operator where no account is given. */
function caller(side: CommandSide): Call {
  const handlers = new Map(side.routes.map(({ endpoint, handler }) => [endpoint.id, handler]));
  return async (endpointId, accountId, body) => {
    const handler = handlers.get(endpointId);
    if (handler === undefined) throw new Error(`no endpoint ${endpointId}`);
    const [account = '', keyId = ''] = accountId?.split(' ') ?? [];
    const { body: answer } = await handler(
      accountId === null
        ? { kind: 'operator', name: 'bench' }
        : { accountId: account, keyId, kind: 'key', permissions: ['trade'], primaryAccountId: null },
      { body, idempotency: null, params: null, query: null },
      { address: 'bench', signal: NEVER },
    );
    return answer;
  };
}

interface Opened {
  readonly account: { readonly id: string };
  readonly apiKey: { readonly id: string };
}

async function prepare(call: Call): Promise<readonly string[]> {
  const accounts: string[] = [];
  for (let n = 0; n < ACCOUNTS; n += 1) {
    const body = { displayName: `bench ${n}`, permissions: ['view', 'trade'] };
    const opened = (await call('openAccount', null, body)) as Opened;
    accounts.push(`${opened.account.id} ${opened.apiKey.id}`);
  }
  for (let n = 0; n < MARKETS; n += 1) {
    await call('createMarket', null, {
      category: 'bench',
      closesAt: '2099-01-01T00:00:00Z',
      companyImpact: 0,
      companySlug: 'bench',
      drivers: [],
      id: `bench-${n}`,
      prior: 0.5,
      sector: 'bench',
      settlementSource: 'bench',
      status: 'active',
      tickSize: 0.01,
      ticker: 'BNCH',
      title: 'Is this fast?',
    });
  }
  return accounts;
}

async function round(name: string, journal: Journal, clients: number): Promise<void> {
  const logger = createLogger({ level: 'silent', name: 'bench' });
  const side = createCommandSide({
    build: 'bench',
    journal,
    logger,
    metrics: createMetrics(),
    onFenced: (error) => {
      throw error;
    },
    projections: () => Promise.resolve([]),
    fingerprintSecret: Buffer.alloc(32, 1),
    names: createMemoryNames(),
    readModel: {
      endedOrder: () => Promise.resolve(null),
      fresh: () => Promise.resolve(),
      keyOwner: () => Promise.resolve(null),
      publicName: () => Promise.resolve(null),
    },
    settings: DEFAULT_SETTINGS,
    shard: '0',
  });
  await side.start();
  const call = caller(side);
  const accounts = await prepare(call);
  const random = createRandom(SEED);
  const latenciesMs: number[] = [];
  const firstSeq = side.status().journalSeq;
  let left = Math.min(ORDERS, clients * 1_500);
  const orders = left;
  const client = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const body = {
        marketId: `bench-${random.int(0, MARKETS - 1)}`,
        orderType: 'limit',
        outcome: random.chance(0.5) ? 'yes' : 'no',
        price: random.int(40, 58) / 100,
        quantity: random.int(1, 10),
        side: 'buy',
        timeInForce: random.chance(0.2) ? 'IOC' : 'GTC',
      };
      const begunMs = performance.now();
      await call('placeOrder', random.pick(accounts), body);
      latenciesMs.push(performance.now() - begunMs);
    }
  };
  const begunMs = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - begunMs) / 1_000;
  const events = side.status().journalSeq - firstSeq;
  await side.stop();
  const times = [0.5, 0.99].map((at) => figure(quantile(latenciesMs, at), 2));
  row(name, clients, figure(orders / seconds), figure(events / seconds), ...times);
}

const row = printTable(['journal'], ['clients', 'orders/s', 'events/s', 'p50 ms', 'p99 ms']);
for (const clients of CLIENTS) await round('memory', createMemoryJournal(), clients);

const postgres = await startPostgres();
const databaseUrl = postgres.connectionString;
try {
  for (const clients of CLIENTS) await stored('postgres', clients);
  if (!eventStoreAt().toShare) {
    row('eventstore: not measured, no JOURNAL_URL, and no eventstored on PATH', '', '', '', '', '');
  } else {
    for (const clients of CLIENTS) await stored('eventstore', clients);
  }
} finally {
  await postgres.stop();
}
// Exiting also ends a server that was started for the benchmark.
process.exit();

async function stored(name: 'postgres' | 'eventstore', clients: number): Promise<void> {
  const eventStoreUrl = name === 'eventstore' ? await testEventStore() : undefined;
  const journal = await openJournal({ databaseUrl, eventStoreUrl, shard: `bench-${process.pid}-${clients}` });
  await round(name, journal, clients);
  await journal.close();
}
