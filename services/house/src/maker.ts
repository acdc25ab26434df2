import type { OrderBody } from '@paper/contracts';
import type { Anchor } from './anchors.ts';
import { obey, unitsOf } from './api-answers.ts';
import type { HouseClient } from './api-answers.ts';
import type { LossBudgets } from './budget.ts';
import type { DayResults } from './day-results.ts';
import { inLanes } from './loop.ts';
import type { HouseLogger } from './loop.ts';
import { changes, edgeUnits, NOTHING_HELD, wantedQuotes } from './quotes.ts';
import type { Quote, Standing } from './quotes.ts';
import type { HouseSettings } from './settings.ts';

const LANES = 8;

interface MakerNeeds {
  readonly client: HouseClient;
  /** The markets to quote now. */
  readonly anchors: () => readonly Anchor[];
  /** True for a market that is open and that the house no longer trades. */
  readonly isDropped: (marketId: string) => boolean;
  readonly losses: LossBudgets;
  readonly results: DayResults;
  readonly settings: HouseSettings;
  readonly logger: HouseLogger;
  readonly now: () => number;
}

/**
 * Keeps the maker's quotes in the book. Each turn reads the open orders and holdings, and sends the difference to the
 * wanted quotes. It keeps no state that it cannot afford to lose: quotes of an earlier run are adopted, and the effect
 * of a lost answer is seen in the next turn.
 */
export function createMaker({
  client,
  anchors,
  isDropped,
  losses,
  results,
  settings,
  logger,
  now,
}: MakerNeeds): () => Promise<void> {
  /** Each order's filled quantity when last seen; the difference shows the maker's gain since then. */
  const filled = new Map<string, number>();
  let quoted = 0;

  const earn = (orders: readonly OrderBody[], byMarket: ReadonlyMap<string, Anchor>): void => {
    for (const order of orders) {
      const before = filled.get(order.id);
      const anchor = byMarket.get(order.marketId);
      if (before !== undefined && anchor !== undefined && order.filledQty > before) {
        const edge = edgeUnits({ ...order, priceUnits: unitsOf(order.price) }, anchor.anchorUnits);
        losses.earned(edge * (order.filledQty - before), now());
      }
      if (isOpen(order)) filled.set(order.id, order.filledQty);
      else filled.delete(order.id);
    }
  };

  const place = async (marketId: string, quote: Quote): Promise<void> => {
    const { outcome, priceUnits, quantity, side } = quote;
    const answer = await client.placeOrder({
      body: { marketId, outcome, side, price: priceUnits / 10_000, quantity },
    });
    obey(answer);
    if (answer.status === 200) {
      const order = answer.body;
      if (isOpen(order)) filled.set(order.id, order.filledQty);
      // The market stopped or the shares were just sold: the next turn reads the new state.
    } else {
      logger.info({ bot: 'maker', marketId, quote, refusal: answer.response.body }, 'a quote was refused');
    }
  };

  return async () => {
    const wantedAnchors = anchors();
    const [orders, held] = await Promise.all([
      client.pages(client.listOrders({ query: { limit: '500' } }), (page) => page.every(isOpen)),
      results.read('maker', client, now()),
    ]);
    const byMarket = new Map(wantedAnchors.map((anchor) => [anchor.marketId, anchor]));
    earn(orders, byMarket);

    const standing = new Map<string, Standing[]>();
    for (const order of orders.filter(isOpen)) {
      const quantity = order.quantity - order.filledQty;
      const stands = { ...order, priceUnits: unitsOf(order.price), quantity };
      standing.set(order.marketId, [...(standing.get(order.marketId) ?? []), stands]);
    }
    const cancel: string[] = [];
    const places: { readonly marketId: string; readonly quote: Quote; readonly rank: number }[] = [];
    const rules = { ...settings, levelSizes: levelsFor(wantedAnchors.length, settings.levelSizes) };
    for (const [marketId, anchor] of byMarket) {
      const wanted = wantedQuotes(anchor, held.get(marketId) ?? NOTHING_HELD, results.room(anchor), rules);
      const change = changes(standing.get(marketId) ?? [], wanted);
      cancel.push(...change.cancel);
      places.push(...change.place.map((quote, rank) => ({ marketId, quote, rank })));
    }
    for (const [marketId, orders] of standing) {
      if (isDropped(marketId)) cancel.push(...orders.map(({ id }) => id));
    }
    // All cancels end before an order is placed; otherwise a new quote could self-trade with an old one.
    await inLanes(cancel, LANES, async (id) => obey(await client.cancelOrder({ params: { id } })));
    // Best quotes of all markets first, so that every market has a price soon.
    places.sort((a, b) => a.rank - b.rank);
    await inLanes(places, LANES, ({ marketId, quote }) => place(marketId, quote));

    if (byMarket.size !== quoted) logger.info({ bot: 'maker', markets: byMarket.size }, 'quotes its markets');
    quoted = byMarket.size;
  };
}

/** An account may have 1,000 open orders, so with many markets each gets fewer levels. */
function levelsFor(markets: number, sizes: readonly number[]): readonly number[] {
  const most = Math.floor(900 / (2 * Math.max(1, markets)));
  return sizes.slice(0, Math.max(1, most));
}

function isOpen(order: OrderBody): boolean {
  return order.status === 'open' || order.status === 'partial';
}
