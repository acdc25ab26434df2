import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { longTest } from '@paper/testkit';
import { describeSharedExchange } from '@paper/testkit/exchange';
import type { RunningExchange } from '@paper/testkit/exchange';
import { createCheckedClient, operatorClient } from '@paper/testkit/http';

/** The version whose server and packages the shapes below were read from. */
const PMXTJS = 'pmxtjs@2.41.0';
const MARKET = 'pmxt-market';

interface Answer {
  readonly status: number;
  readonly body: {
    readonly success: boolean;
    readonly data?: unknown;
    readonly error?: string | { readonly code: string; readonly message: string; readonly retryable: boolean };
  };
}

/** Trades as pmxt's packages do: by the paths, bodies and queries that pmxtjs 2.41 sends. */
describeSharedExchange("pmxt's wire", function (start) {
  this.timeout(60_000);
  let service: RunningExchange;
  let ann: string;
  let ben: string;

  before(async () => {
    service = await start();
    const client = await createCheckedClient(service.baseUrl);
    const asOperator = operatorClient(client, service.operatorToken);
    await asOperator.list(MARKET);
    ann = (await asOperator.open('Ann')).key;
    ben = (await asOperator.open('Ben')).key;
  });
  after(() => service.stop());

  const address = (method: string): string => `${service.baseUrl}/pmxt/api/polymarket/${method}`;
  const answerOf = async (response: Response): Promise<Answer> => ({
    status: response.status,
    body: (await response.json()) as Answer['body'],
  });
  /** What pmxtjs sends with credentials. */
  const post = async (method: string, args: readonly unknown[], apiKey?: string): Promise<Answer> =>
    answerOf(
      await fetch(address(method), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ args, credentials: apiKey === undefined ? undefined : { apiKey } }),
      }),
    );
  const data = async (method: string, args: readonly unknown[], key?: string): Promise<unknown> => {
    const { body, status } = await post(method, args, key);
    expect({ status, success: body.success }, JSON.stringify(body)).to.deep.equal({ status: 200, success: true });
    return body.data;
  };
  const order = (side: string, outcome: string, price: number, amount: number) => ({
    marketId: MARKET,
    outcomeId: `${MARKET}:${outcome}`,
    side,
    type: 'limit',
    amount,
    price,
  });

  it('lists markets with both outcomes, and finds one of them', async () => {
    const [market] = (await data('fetchMarkets', [{ marketId: MARKET }])) as readonly Record<string, unknown>[];
    expect(market).to.include({ marketId: MARKET, slug: MARKET, status: 'active', sourceExchange: 'polymarket' });
    const [yes, no] = market?.['outcomes'] as readonly { readonly outcomeId: string; readonly price: number }[];
    expect([yes?.outcomeId, no?.outcomeId]).to.deep.equal([`${MARKET}:yes`, `${MARKET}:no`]);
    expect((yes?.price ?? 0) + (no?.price ?? 0)).to.be.closeTo(1, 1e-9);
    expect(Date.parse(String(market?.['resolutionDate']))).to.be.above(0);
    expect(await data('fetchMarket', [{ outcomeId: `${MARKET}:no` }])).to.deep.equal(market);
    expect(await data('fetchMarkets', [{ limit: 1, offset: 0, sort: 'volume' }])).to.have.length(1);
    expect(await data('loadMarkets', [false]))
      .to.have.property(MARKET)
      .that.deep.equals(market);
    expect(await data('fetchMarketsPaginated', [{ limit: 1 }]))
      .to.have.property('data')
      .that.has.length(1);
    const [event] = (await data('fetchEvents', [{ eventId: market?.['eventId'] }])) as readonly Record<
      string,
      unknown
    >[];
    expect(event?.['markets']).to.deep.include(market);
  });

  it('trades: orders, fills, positions and balance of the key in the credentials', async () => {
    const resting = (await data('createOrder', [order('buy', 'yes', 0.4, 5)], ann)) as { readonly id: string };
    expect(resting).to.include({ status: 'open', filled: 0, remaining: 5, type: 'limit', outcomeId: `${MARKET}:yes` });
    expect(await data('fetchOpenOrders', [MARKET], ann)).to.deep.equal([resting]);
    expect(await data('fetchBalance', [], ann)).to.deep.equal([
      { currency: 'USD', total: 10_000, available: 9_998, locked: 2 },
    ]);
    expect(await data('fetchOrderBook', [`${MARKET}:yes`])).to.have.deep.property('bids', [{ price: 0.4, size: 5 }]);
    const book = await data('fetchOrderBook', [`${MARKET}:no`]);
    expect(book).to.have.deep.property('asks', [{ price: 0.6, size: 5 }]);
    expect(await data('getExecutionPriceDetailed', [book, 'buy', 3])).to.deep.equal({
      price: 0.6,
      filledAmount: 3,
      fullyFilled: true,
    });

    const built = await data('buildOrder', [{ ...order('buy', 'no', 0.6, 3), price: undefined, type: 'market' }], ben);
    const taken = await data('submitOrder', [built], ben);
    expect(taken).to.include({ status: 'filled', filled: 3, remaining: 0, price: 0.6, type: 'market' });
    expect(await data('fetchPositions', [], ben)).to.have.length(1);
    const [position] = (await data('fetchPositions', [], ann)) as readonly Record<string, unknown>[];
    expect(position).to.include({ marketId: MARKET, outcomeLabel: 'Yes', size: 3, entryPrice: 0.4 });
    const [fill] = (await data('fetchMyTrades', [{ marketId: MARKET }], ann)) as readonly Record<string, unknown>[];
    expect(fill).to.include({ price: 0.4, amount: 3, side: 'buy', orderId: resting.id });

    expect(await data('fetchOrder', [resting.id], ann)).to.include({ status: 'open', filled: 3, remaining: 2 });
    expect(await data('cancelOrder', [resting.id], ann)).to.include({ status: 'cancelled', filled: 3, remaining: 0 });
    expect(await data('fetchOpenOrders', [], ann)).to.deep.equal([]);
    expect(await data('fetchClosedOrders', [{ limit: 5 }], ann)).to.have.length(1);
    expect(await data('fetchAllOrders', [], ben)).to.have.length(1);
  });

  it('answers reads by GET, with the names that pmxtjs gives to arguments', async () => {
    const get = async (method: string, query: string): Promise<Answer> =>
      answerOf(await fetch(`${address(method)}?${query}`, { headers: { authorization: `Bearer ${ann}` } }));
    const seen = await get('fetchTrades', `id=${encodeURIComponent(`${MARKET}:yes`)}&limit=10`);
    expect(seen.status).to.equal(200);
    const [trade] = seen.body.data as readonly Record<string, unknown>[];
    expect(trade).to.include({ price: 0.4, amount: 3, side: 'sell', outcomeId: `${MARKET}:yes` });
    const candles = await get('fetchOHLCV', `outcomeId=${encodeURIComponent(`${MARKET}:no`)}&resolution=1m&limit=5`);
    const [candle] = candles.body.data as readonly Record<string, unknown>[];
    expect(candle).to.include({ open: 0.6, high: 0.6, low: 0.6, close: 0.6, volume: 3 });
    // As in the API, a limit above the largest is that one.
    const most = await get(
      'fetchOHLCV',
      `outcomeId=${encodeURIComponent(`${MARKET}:no`)}&resolution=1d&limit=999999999`,
    );
    expect(most.body.data, JSON.stringify(most.body)).to.have.length(1);
    expect((await get('fetchBalance', '')).body.success).to.equal(true);
    expect((await get('createOrder', 'side=buy')).status).to.equal(405);
  });

  it('refuses in the shape of its errors', async () => {
    const key = 'svc_live_none';
    for (const [method, args, apiKey, status, code] of [
      ['fetchMarket', [{ marketId: 'no-such-market' }], undefined, 404, 'MARKET_NOT_FOUND'],
      ['fetchOrderBook', ['no-such-market:yes'], undefined, 404, 'MARKET_NOT_FOUND'],
      ['fetchOrderBook', ['no-outcome'], undefined, 400, 'VALIDATION_ERROR'],
      ['fetchOHLCV', [`${MARKET}:yes`, { resolution: '7m' }], undefined, 400, 'VALIDATION_ERROR'],
      ['fetchEvent', [{ eventId: 'no-such-company' }], undefined, 404, 'EVENT_NOT_FOUND'],
      ['fetchBalance', [], undefined, 401, 'AUTHENTICATION_ERROR'],
      ['fetchBalance', [], key, 401, 'AUTHENTICATION_ERROR'],
      ['createOrder', [order('buy', 'yes', 0.500_05, 1)], ann, 400, 'INVALID_ORDER'],
      ['createOrder', [order('sell', 'no', 0.5, 500)], ann, 400, 'INSUFFICIENT_FUNDS'],
      ['createOrder', [order('buy', 'yes', 0.5, 1.5)], ann, 400, 'VALIDATION_ERROR'],
      ['fetchOrder', ['no-such-order'], ann, 404, 'ORDER_NOT_FOUND'],
      ['cancelOrder', ['no-such-order'], ann, 404, 'ORDER_NOT_FOUND'],
    ] as const) {
      const answer = await post(method, args, apiKey);
      const { error } = answer.body;
      expect({ status: answer.status, code: typeof error === 'object' ? error.code : error }, method).to.deep.equal({
        status,
        code,
      });
      expect(error).to.include({ retryable: false, exchange: 'polymarket' });
    }
    const plain = async (method: string) => {
      const { body, status } = await post(method, []);
      return { error: body.error, status };
    };
    const NONE = `Method 'fetchNothing' not found on polymarket`;
    expect(await plain('fetchNothing')).to.deep.equal({ error: NONE, status: 404 });
    const WATCH = `Method 'watchOrderBook' is not supported by 'polymarket'.`;
    expect(await plain('watchOrderBook')).to.deep.equal({ error: WATCH, status: 501 });
  });

  it('is used by pmxtjs itself, by its base URL', function () {
    longTest(this);
    const folder = mkdtempSync(path.join(tmpdir(), 'paper-pmxtjs-'));
    try {
      if (!installs(folder)) this.skip();
      const program = path.join(folder, 'trade.mjs');
      writeFileSync(program, PROGRAM);
      const output = execFileSync(process.execPath, [program, `${service.baseUrl}/pmxt`, ann, MARKET], {
        cwd: folder,
        encoding: 'utf8',
      });
      expect(JSON.parse(output.trim().split('\n').at(-1) ?? '')).to.deep.equal({
        market: MARKET,
        refused: 'PmxtError',
        placed: 'open',
        cancelled: 'cancelled',
        currency: 'USD',
        failed: 'InsufficientFunds',
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** Whether npm could install pmxtjs into a folder. */
function installs(folder: string): boolean {
  try {
    writeFileSync(path.join(folder, 'package.json'), '{"private":true,"type":"module"}');
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', PMXTJS], {
      cwd: folder,
      stdio: 'pipe',
      timeout: 240_000,
    });
    return true;
  } catch {
    return false;
  }
}

/**
 * What a bot does. createOrder of pmxtjs 2.41 refuses any base URL but its own server's before it sends anything;
 * submitOrder sends the same order.
 */
const PROGRAM = `
import pmxt from 'pmxtjs';
const [baseUrl, apiKey, marketId] = process.argv.slice(2);
const exchange = new pmxt.Polymarket({ baseUrl, apiKey });
const market = await exchange.fetchMarket({ marketId });
const params = { marketId, outcomeId: market.yes.outcomeId, side: 'buy', type: 'limit', amount: 2, price: 0.1 };
const nameOf = (call) => call.then(() => 'nothing', (error) => error.constructor.name);
const refused = await nameOf(exchange.createOrder(params));
const order = await exchange.submitOrder({ exchange: 'paper', params, raw: null });
const cancelled = await exchange.cancelOrder(order.id);
const [balance] = await exchange.fetchBalance();
await exchange.fetchOHLCV(market.yes.outcomeId, { resolution: '1m', limit: 3 });
await exchange.fetchTrades(market.yes.outcomeId, { limit: 3 });
const failed = await nameOf(exchange.submitOrder({ exchange: 'paper', params: { ...params, side: 'sell', amount: 400 }, raw: null }));
console.log(JSON.stringify({ market: market.marketId, refused, placed: order.status, cancelled: cancelled.status, currency: balance.currency, failed }));
process.exit(0);
`;
