import { BATCH_ORDERS } from '@paper/contracts/orders';
import type { OrderBody } from '@paper/contracts/orders';
import type { Requests } from 'paper-trading-client';
import { assertNotDelayed } from './api-answers.ts';
import { runConcurrently } from './loop.ts';
import { isBid, yesPrice } from './quotes.ts';
import type { Changes, Move, Quote } from './quotes.ts';

const LANES = 8;

export interface MarketChanges extends Changes {
  readonly marketId: string;
  readonly open: number;
}

/** A quote that was sent, as a new order or by a move. */
export interface SentQuote {
  readonly marketId: string;
  readonly quote: Quote;
}

export type SentResult = { readonly order: OrderBody } | { readonly order: null; readonly refusal: unknown };

export type OrderClient = Requests<'amendOrder' | 'cancelOrder' | 'cancelOrders' | 'placeOrders'>;

/**
 * Carries out the changes of an account, so that none of its quotes meets another of its own: cancels first, then moves
 * away from the other side, then moves towards it, then new quotes. All are post-only, so one that would take comes
 * back cancelled. An order whose move is refused is cancelled, since it must not stay. Throws RetryLater, ApiRefusal.
 */
export async function sendOrders(
  client: OrderClient,
  markets: readonly MarketChanges[],
  answered: (sent: SentQuote, result: SentResult) => void,
): Promise<void> {
  await cancelAll(client, markets);
  const moves = markets.flatMap(({ marketId, move }) => move.map((each) => ({ marketId, ...each })));
  for (const isNow of [isOutward, (move: Move) => !isOutward(move)]) {
    await runConcurrently(moves.filter(isNow), LANES, async ({ marketId, ...move }) =>
      answered({ marketId, quote: move.quote }, await moveOne(client, move)),
    );
  }
  const ranked = markets.flatMap(({ marketId, place }) => place.map((quote, rank) => ({ marketId, quote, rank })));
  ranked.sort((a, b) => a.rank - b.rank);
  for (let at = 0; at < ranked.length; at += BATCH_ORDERS) {
    const sent = ranked.slice(at, at + BATCH_ORDERS).map(({ marketId, quote }) => ({ marketId, quote }));
    const results = await placeAll(client, sent);
    for (const [index, each] of sent.entries()) {
      const result = results[index];
      if (result !== undefined) answered(each, result);
    }
  }
}

async function cancelAll(client: OrderClient, markets: readonly MarketChanges[]): Promise<void> {
  const requests = markets.flatMap(({ cancel, marketId, open }): (() => Promise<void>)[] => {
    if (cancel.length > 0 && cancel.length === open) {
      return [
        async () => {
          const answer = await client.request('cancelOrders', { query: { marketId } });
          assertNotDelayed(answer);
          answer.assertOk();
        },
      ];
    }
    return cancel.map((id) => () => cancelOne(client, id));
  });
  await runConcurrently(requests, LANES, (request) => request());
}

async function cancelOne(client: OrderClient, id: string): Promise<void> {
  assertNotDelayed(await client.request('cancelOrder', { params: { id } }));
}

async function moveOne(client: OrderClient, { order, quote }: Move): Promise<SentResult> {
  const body = {
    ...(quote.priceUnits === order.priceUnits ? {} : { price: quote.priceUnits / 10_000 }),
    ...(quote.quantity === order.quantity ? {} : { quantity: order.filledQty + quote.quantity }),
  };
  const answer = await client.request('amendOrder', { params: { id: order.id }, body });
  assertNotDelayed(answer);
  if (answer.status === 200) return { order: answer.body };
  await cancelOne(client, order.id);
  return { order: null, refusal: answer.response.body };
}

async function placeAll(client: OrderClient, quotes: readonly SentQuote[]): Promise<readonly SentResult[]> {
  const orders = quotes.map(({ marketId, quote: { outcome, priceUnits, quantity, side } }) => ({
    marketId,
    outcome,
    side,
    price: priceUnits / 10_000,
    quantity,
    postOnly: true,
  }));
  const answer = await client.request('placeOrders', { body: { orders } });
  assertNotDelayed(answer);
  return answer.body.results.map((result) =>
    result.ok ? { order: result.order } : { order: null, refusal: { error: result.error, code: result.code } },
  );
}

/** Whether the move leads away from the other side of the book. */
function isOutward({ order, quote }: Move): boolean {
  const by = yesPrice(quote) - yesPrice(order);
  return isBid(order) ? by < 0 : by > 0;
}
