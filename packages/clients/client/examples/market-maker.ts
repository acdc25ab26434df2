/**
 * Quotes both sides of a market around its probability, and moves its quotes with the market and with what it holds.
 *
 *   PAPER_BASE_URL=http://127.0.0.1:4000 PAPER_API_KEY=svc_live_… MARKET=apple-services-record-2027 npx tsx market-maker.ts
 *
 * FILLS: it ends after so many fills; left out, it goes on until Ctrl+C. Its orders are cancelled either way, also where
 * it is killed: the dead-man switch does that.
 */
import { ApiRefusal, createClient } from 'paper-trading-client';

const { PAPER_BASE_URL = 'http://127.0.0.1:4000', PAPER_API_KEY, MARKET, FILLS = 'Infinity' } = process.env;
const HALF_SPREAD = 0.02;
const QUANTITY = 20;
/** Dollars by which each held share moves the quotes, so that the position shrinks again. */
const SKEW = 0.0005;
const SWITCH_SECONDS = 30;
const REFRESH_MS = 10_000;

const ending = new AbortController();
process.once('SIGINT', () => ending.abort());
const client = createClient({ baseUrl: PAPER_BASE_URL, key: PAPER_API_KEY });
const [mostActive] = await client.fetchMarkets({ sort: 'activity', limit: 1 });
const marketId = MARKET ?? mostActive?.id;
if (marketId === undefined) throw new Error('There is no active market: set MARKET.');

let quotedAt = 0;
let quotedFair = 0;
let held = 0;

/** Replaces both quotes. A bid for NO at 1 - p is an offer of YES at p, and needs no shares. */
async function quote(fair: number): Promise<void> {
  const middle = fair - held * SKEW;
  await client.setDeadManSwitch(SWITCH_SECONDS);
  await client.cancelAllOrders({ marketId });
  const results = await client.createOrders([
    {
      marketId: marketId ?? '',
      outcome: 'yes',
      price: priceOf(middle - HALF_SPREAD),
      quantity: QUANTITY,
      postOnly: true,
    },
    {
      marketId: marketId ?? '',
      outcome: 'no',
      price: priceOf(1 - middle - HALF_SPREAD),
      quantity: QUANTITY,
      postOnly: true,
    },
  ]);
  for (const result of results) {
    // A quote that would take is cancelled at once, which is not a refusal.
    const why = result.ok ? result.order.reason : result.error;
    if (why !== null) process.stderr.write(`not quoted: ${why}\n`);
  }
  [quotedAt, quotedFair] = [await client.now(), middle];
  process.stdout.write(`quotes ${priceOf(middle - HALF_SPREAD)} / ${priceOf(middle + HALF_SPREAD)}\n`);
}

const priceOf = (dollars: number): number => Math.min(0.99, Math.max(0.01, Math.round(dollars * 100) / 100));

/** Counts its own fills as they come; the stream resumes by itself, so none is missed. */
async function followFills(): Promise<void> {
  let fills = 0;
  for await (const event of client.watchAccount({}, { signal: ending.signal })) {
    if (event.type !== 'fill') continue;
    const { outcome, price, quantity, side } = event.fill;
    held += (outcome === 'yes') === (side === 'buy') ? quantity : -quantity;
    process.stdout.write(`filled ${side} ${quantity} ${outcome} at ${price}; it holds ${held}\n`);
    fills += 1;
    // Quotes move at the next pulse.
    quotedAt = 0;
    if (fills >= Number(FILLS)) ending.abort();
  }
}

/** Reads a pulse every two seconds: quotes move when the market did, and at least every ten seconds. */
async function followMarket(): Promise<void> {
  for await (const { markets } of client.watchPulse({ marketIds: [marketId ?? ''] }, { signal: ending.signal })) {
    const [market] = markets;
    if (market?.status !== 'active') continue;
    const moved = Math.abs(market.probability - held * SKEW - quotedFair) >= HALF_SPREAD;
    if (moved || (await client.now()) - quotedAt >= REFRESH_MS) await quote(market.probability);
  }
}

await Promise.all([followFills(), followMarket()]);
try {
  const { cancelled } = await client.cancelAllOrders({ marketId });
  process.stdout.write(`ended: ${cancelled} orders cancelled\n`);
} catch (error) {
  if (!(error instanceof ApiRefusal)) throw error;
  process.stdout.write(`ended: ${error.message}\n`);
}
