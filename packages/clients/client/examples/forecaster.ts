/**
 * Trades on cited signals: where the source's fair probability is far from the market's, it buys the cheaper side.
 *
 *   PAPER_BASE_URL=http://127.0.0.1:4000 PAPER_API_KEY=svc_live_… npx tsx forecaster.ts
 *
 * TRADES: it ends after so many trades; left out, it goes on until Ctrl+C. A signal's id makes the Idempotency-Key, so a
 * restart trades no signal a second time.
 */
import { ApiRefusal, createClient } from 'paper-trading-client';
import type { Api } from 'paper-trading-client';

const { PAPER_BASE_URL = 'http://127.0.0.1:4000', PAPER_API_KEY, TRADES = 'Infinity' } = process.env;
/** The least distance from the market, in dollars a share; below, the money to spend on one signal. */
const EDGE = 0.05;
const NOTIONAL = 10;
const LOOK_EVERY_MS = 2_000;

const ending = new AbortController();
process.once('SIGINT', () => ending.abort());
const client = createClient({ baseUrl: PAPER_BASE_URL, key: PAPER_API_KEY });

/** Buys the side that the source considers too cheap; null if the market agrees with the source. */
async function trade({ fairProb, id, marketId }: Api.RecentSignal): Promise<Api.Order | null> {
  if (fairProb === null || marketId === null) return null;
  const { bestNoAsk, bestYesAsk } = await client.fetchMarket(marketId);
  const sides = [
    { outcome: 'yes', ask: bestYesAsk, worth: fairProb },
    { outcome: 'no', ask: bestNoAsk, worth: 1 - fairProb },
  ] as const;
  for (const { ask, outcome, worth } of sides) {
    if (ask === null || worth - ask < EDGE) continue;
    const bound = Math.min(0.99, Math.round((worth - EDGE) * 100) / 100);
    return client.createOrder(
      { marketId, outcome, orderType: 'market', notional: NOTIONAL, maxPrice: bound },
      { idempotencyKey: `forecaster-${id}` },
    );
  }
  return null;
}

/** Replaces the characters of a text that could steer the terminal, or turn or hide what follows. */
const printable = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd');

const seen = new Set<string>();
let trades = 0;
for await (const _now of client.every(LOOK_EVERY_MS, { signal: ending.signal })) {
  for (const signal of await client.fetchSignals({ limit: 50 })) {
    if (seen.has(signal.id) || trades >= Number(TRADES)) continue;
    seen.add(signal.id);
    try {
      const order = await trade(signal);
      if (order === null || order.filledQty === 0) continue;
      trades += 1;
      const { filledQty, outcome, price } = order;
      process.stdout.write(`${printable(`${signal.headline} (${signal.source}, ${signal.citationUrl})`)}\n`);
      process.stdout.write(`  it bought ${filledQty} ${outcome} at ${price}; the source says ${signal.fairProb}\n`);
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error;
      process.stderr.write(`not traded: ${error.message}\n`);
    }
  }
  if (trades >= Number(TRADES)) break;
}
const { free, pnl } = await client.fetchBalance();
process.stdout.write(`ended: ${free} dollars free, ${pnl} won or lost\n`);
