import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { refusalOf, sendApiRequest } from '@paper/contracts';
import { createRandom, startStandalone, temporaryDataDir, type RunningStandalone } from '@paper/testkit';
import type { BareAnswer } from './reads/bare-express.ts';
import { measureRate, type Target } from './reads/load.ts';

/**
 * Reads a second of the whole service, beside a bare Express route that sends the same bytes. Each is a process of its
 * own; they take turns, and a ratio is the median of the rounds' ratios.
 */
const SEED = 406;
const MARKETS = 50;
const ORDERS = 400;
const ROUNDS = 5;
const ROUND_MS = 1_000;
const CLIENTS = 32;
const ORDERS_BESIDE = 50;
const BAR = 0.8;

type Read = Omit<Target, 'port'> & { readonly name: string; readonly beside?: true };

type Call = (method: string, target: string, token: string, body: unknown) => Promise<unknown>;

function caller({ baseUrl }: RunningStandalone): Call {
  return async (method, target, token, body) => {
    const answer = await sendApiRequest(baseUrl, { method, path: target, key: token, body });
    if (answer.status !== 200) throw refusalOf(`${method} ${target}`, answer);
    return answer.body;
  };
}

/** Lists markets, opens an account with orders on both sides of each book, and one without orders. Gives their keys. */
async function fill(service: RunningStandalone): Promise<{ readonly key: string; readonly other: string }> {
  const call = caller(service);
  const random = createRandom(SEED);
  const token = service.operatorToken;
  for (let n = 0; n < MARKETS; n += 1) {
    await call('POST', '/api/operator/markets', token, {
      category: 'bench',
      closesAt: '2099-01-01T00:00:00Z',
      companyImpact: 0,
      companySlug: 'bench',
      drivers: ['speed'],
      id: `bench-${n}`,
      prior: 0.5,
      sector: 'bench',
      settlementSource: 'bench',
      status: 'active',
      tickSize: 0.01,
      ticker: 'BNCH',
      title: `Is the service number ${n} fast enough for those who read it?`,
    });
  }
  const open = async (displayName: string): Promise<string> => {
    const body = { displayName, permissions: ['view', 'trade'] };
    const opened = (await call('POST', '/api/operator/accounts', token, body)) as {
      readonly apiKey: { readonly rawKey: string };
    };
    return opened.apiKey.rawKey;
  };
  const key = await open('bench');
  for (let n = 0; n < ORDERS; n += 1) {
    await call('POST', '/api/orders', key, {
      marketId: n % 2 === 0 ? 'bench-0' : `bench-${random.int(1, MARKETS - 1)}`,
      orderType: 'limit',
      outcome: random.pick(['yes', 'no']),
      price: random.int(10, 49) / 100,
      quantity: random.int(1, 10),
      side: 'buy',
    });
  }
  return { key, other: await open('other') };
}

/**
 * Places orders of another account in the market that is read, so that the read models keep changing; each is
 * cancelled, so that the book keeps its size. Runs until stopped.
 */
function trade(service: RunningStandalone, key: string): () => Promise<void> {
  const call = caller(service);
  const stopping = new AbortController();
  const order = { marketId: 'bench-0', orderType: 'limit', outcome: 'yes', price: 0.01, quantity: 1, side: 'buy' };
  const trading = (async () => {
    while (!stopping.signal.aborted) {
      const { id } = (await call('POST', '/api/orders', key, order)) as { readonly id: string };
      await call('DELETE', `/api/orders/${id}`, key, undefined);
      await sleep(1_000 / ORDERS_BESIDE, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return () => {
    stopping.abort();
    return trading;
  };
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

const folder = temporaryDataDir();
const service = await startStandalone({ dataDir: folder.dataDir });
const bare = fork(path.join(import.meta.dirname, 'reads/bare-express.ts'), [], { execArgv: ['--import', 'tsx'] });
let isMet = true;
try {
  const { key, other } = await fill(service);
  const keyed = { authorization: `Bearer ${key}` };
  const quiet: readonly Read[] = [
    { name: 'markets', path: '/api/markets' },
    { name: 'market', path: '/api/markets/bench-0' },
    { name: 'order book', path: '/api/orderbook/bench-0' },
    { name: 'leaderboard', path: '/api/leaderboard' },
    { name: 'portfolio (key)', path: '/api/portfolio', headers: keyed },
  ];
  const reads = [...quiet, ...quiet.map((read) => ({ ...read, name: `${read.name}, orders beside`, beside: true }))];
  const answers: BareAnswer[] = [];
  for (const { path: asked, headers } of reads) {
    const answer = await fetch(`${service.baseUrl}${asked}`, { headers: headers ?? {} });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const contentType = answer.headers.get('content-type') ?? '';
    answers.push({ path: asked, contentType, bytes: bytes.toString('base64') });
  }
  bare.send(answers);
  const [barePort] = (await once(bare, 'message')) as [number];
  const ownPort = Number(new URL(service.baseUrl).port);
  console.log(
    `${MARKETS} markets, ${ORDERS} orders, seed ${SEED}; ${CLIENTS} clients on kept connections, ${ROUNDS} rounds of ` +
      `${ROUND_MS} ms in turns; beside: up to ${ORDERS_BESIDE} orders a second of somebody else in the market that is read, each ` +
      `cancelled; node ${process.version}\n`,
  );
  console.log('| read | bytes | service, a second | bare Express, a second | ratio, median | bar |');
  console.log('| --- | ---: | ---: | ---: | ---: | --- |');
  for (const [index, { name, beside, ...asked }] of reads.entries()) {
    const stopTrading = beside ? trade(service, other) : null;
    const rates = { own: [] as number[], bare: [] as number[], ratio: [] as number[] };
    await measureRate({ ...asked, port: ownPort }, CLIENTS, ROUND_MS);
    await measureRate({ ...asked, port: barePort }, CLIENTS, ROUND_MS);
    for (let round = 0; round < ROUNDS; round += 1) {
      const own = await measureRate({ ...asked, port: ownPort }, CLIENTS, ROUND_MS);
      const other = await measureRate({ ...asked, port: barePort }, CLIENTS, ROUND_MS);
      rates.own.push(own);
      rates.bare.push(other);
      rates.ratio.push(own / other);
    }
    await stopTrading?.();
    const ratio = median(rates.ratio);
    // Bare Express looks up no key, so reads with a key have no required ratio. Public reads have one, also while
    // orders arrive.
    const verdict = asked.headers !== undefined ? 'none' : ratio >= BAR ? 'met' : 'NOT MET';
    if (verdict === 'NOT MET') isMet = false;
    const bytes = Buffer.from(answers[index]?.bytes ?? '', 'base64').length;
    console.log(
      `| ${name} | ${whole(bytes)} | ${whole(median(rates.own))} | ${whole(median(rates.bare))} | ` +
        `${(100 * ratio).toFixed(0)} % | ${verdict} |`,
    );
  }
} finally {
  bare.disconnect();
  await service.stop();
  folder.remove();
}
process.exitCode = isMet ? 0 : 1;
