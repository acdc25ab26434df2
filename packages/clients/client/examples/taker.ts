/**
 * Follows moves: where a market's probability has moved far within a minute, it buys the side that it moved to, and
 * sells a minute later.
 *
 *   PAPER_BASE_URL=http://127.0.0.1:4000 PAPER_API_KEY=svc_live_… MARKET=apple-services-record-2027 npx tsx taker.ts
 *
 * TRADES: it ends after so many purchases that it has sold; left out, it goes on until Ctrl+C. LOOK_SECONDS, HOLD_SECONDS:
 * how often it looks, and how long it holds.
 */
import { ApiRefusal, createClient } from 'paper-trading-client';
import type { NewOrder } from 'paper-trading-client';

const { PAPER_BASE_URL = 'http://127.0.0.1:4000', PAPER_API_KEY, MARKET, TRADES = 'Infinity' } = process.env;
const { LOOK_SECONDS = '5', HOLD_SECONDS = '60' } = process.env;
/** The number of looks within which a price change counts as a move: a minute. */
const LOOKS = 12;
/** The dollars by which the probability has to move. */
const MOVE = 0.03;
const QUANTITY = 20;

const ending = new AbortController();
process.once('SIGINT', () => ending.abort());
const client = createClient({ baseUrl: PAPER_BASE_URL, key: PAPER_API_KEY });
const [mostActive] = await client.fetchMarkets({ sort: 'activity', limit: 1 });
const marketId = MARKET ?? mostActive?.id;
if (marketId === undefined) throw new Error('There is no active market: set MARKET.');

/** Places a market order; returns the number of filled shares. */
async function trade(order: Pick<NewOrder, 'outcome' | 'quantity' | 'side'>): Promise<number> {
  try {
    const placed = await client.createOrder({ marketId: marketId ?? '', orderType: 'market', ...order });
    if (placed.filledQty > 0) {
      process.stdout.write(`${placed.side} ${placed.filledQty} ${placed.outcome} at ${placed.price}\n`);
    }
    return placed.filledQty;
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    process.stderr.write(`not traded: ${error.message}\n`);
    return 0;
  }
}

interface Held {
  readonly outcome: 'yes' | 'no';
  readonly quantity: number;
  readonly sinceMs: number;
}

const looks: number[] = [];
let held: Held | null = null;
let trades = 0;
for await (const now of client.every(Number(LOOK_SECONDS) * 1_000, { signal: ending.signal })) {
  const { probability, status } = await client.fetchMarket(marketId);
  if (status !== 'active') continue;
  looks.push(probability);
  if (looks.length > LOOKS) looks.shift();
  if (held !== null) {
    if (now - held.sinceMs < Number(HOLD_SECONDS) * 1_000) continue;
    const sold: number = await trade({ side: 'sell', outcome: held.outcome, quantity: held.quantity });
    const quantity: number = held.quantity - sold;
    held = quantity === 0 ? null : { outcome: held.outcome, quantity, sinceMs: held.sinceMs };
    if (held === null && (trades += 1) >= Number(TRADES)) break;
    continue;
  }
  const move = probability - (looks[0] ?? probability);
  if (Math.abs(move) < MOVE) continue;
  const outcome = move > 0 ? 'yes' : 'no';
  const quantity = await trade({ outcome, quantity: QUANTITY });
  if (quantity === 0) continue;
  held = { outcome, quantity, sinceMs: now };
  looks.length = 0;
}
const { pnl } = await client.fetchBalance();
process.stdout.write(`ended: ${trades} times bought and sold, ${pnl} dollars won or lost\n`);
