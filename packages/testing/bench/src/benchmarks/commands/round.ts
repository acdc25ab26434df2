import { createCommandSide } from '@paper/command-api';
import type { CommandSide } from '@paper/command-api';
import { DEFAULT_SETTINGS } from '@paper/exchange/commands';
import type { Journal } from '@paper/journal';
import { createMemoryNames } from '@paper/names';
import { createLogger, createMetrics } from '@paper/runtime';
import { createRandom } from '@paper/testkit';
import { marketBody } from '@paper/testkit/http';
import { mixedOrder } from '../../index.ts';

const SEED = 4_711;
const ORDERS = 20_000;
const ACCOUNTS = 64;
const MARKETS = Array.from({ length: 8 }, (_, n) => `bench-${n}`);
const NEVER = new AbortController().signal;

type Call = (endpointId: string, accountId: string | null, body: unknown) => Promise<unknown>;

/** Calls handlers as the HTTP pipeline would; as an operator if no account is given. */
function caller(side: CommandSide): Call {
  const handlers = new Map(side.routes.map(({ endpoint, handler }) => [endpoint.id, handler]));
  return async (endpointId, accountId, body) => {
    const handler = handlers.get(endpointId);
    if (handler === undefined) throw new Error(`no endpoint ${endpointId}`);
    const [account = '', keyId = ''] = accountId?.split(' ') ?? [];
    const { body: answer } = await handler(
      accountId === null
        ? { kind: 'operator', name: 'bench', scopes: null }
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
  // The values that the endpoint's schema would fill in.
  const defaults = { companyImpact: 0, drivers: [], status: 'active' };
  for (const id of MARKETS) await call('createMarket', null, marketBody(id, defaults));
  return accounts;
}

/** Sends orders of closed-loop clients through the whole command path over this journal, without HTTP. */
export async function commandRound(journal: Journal, clients: number) {
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
      order: () => Promise.resolve(null),
      marketRecord: () => Promise.resolve(null),
      fresh: () => Promise.resolve(),
      key: () => Promise.resolve(null),
      keyHolder: () => Promise.resolve(null),
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
      const body = mixedOrder(random, MARKETS);
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
  return { eventsPerSecond: events / seconds, latenciesMs, ordersPerSecond: orders / seconds };
}
