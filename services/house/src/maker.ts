import type { OrderBody } from '@paper/contracts/orders';
import { readPages } from 'paper-trading-client';
import type { Anchor } from './anchors.ts';
import { isOpen, unitsOf } from './api-answers.ts';
import type { HouseClient } from './api-answers.ts';
import type { LossBudgets } from './budget.ts';
import type { DayResults } from './day-results.ts';
import type { HouseLogger } from './loop.ts';
import { changes, edgeUnits, NOTHING_HELD, wantedQuotes } from './quotes.ts';
import type { RestingQuote } from './quotes.ts';
import { sendOrders } from './send-orders.ts';
import type { MarketChanges, SentQuote, SentResult } from './send-orders.ts';
import type { HouseSettings } from './settings.ts';

interface MakerNeeds {
  readonly client: HouseClient;
  readonly anchors: () => readonly Anchor[];
  /** Whether a market is open but no longer among those that the bots trade. */
  readonly isDropped: (marketId: string) => boolean;
  readonly losses: LossBudgets;
  readonly results: DayResults;
  readonly settings: HouseSettings;
  readonly logger: HouseLogger;
  readonly now: () => number;
}

/** How long the maker waits to send a quote again that was cancelled since it would have taken another order. */
const CROSSED_PAUSE_MS = 60_000;

/**
 * Keeps the maker's quotes in the book: each turn reads the open orders and holdings, and sends the difference to the
 * wanted quotes. A restart or a lost answer does no harm, since all that matters is read again.
 */
export function createMaker(needs: MakerNeeds): () => Promise<void> {
  const { client, anchors, isDropped, losses, results, settings, logger, now } = needs;
  /** Each order's filled quantity and price when it was last seen; the difference shows the maker's gain since then. */
  const seen = new Map<string, { readonly filledQty: number; readonly priceUnits: number }>();
  const crossed = new Map<string, number>();
  let quoted = 0;

  const earn = (orders: readonly OrderBody[], byMarket: ReadonlyMap<string, Anchor>): void => {
    for (const order of orders) {
      const before = seen.get(order.id);
      const anchor = byMarket.get(order.marketId);
      const priceUnits = unitsOf(order.price);
      if (before !== undefined && anchor !== undefined && order.filledQty > before.filledQty) {
        // The order may have been filled before or after a move, so the smaller gain is counted.
        const edges = [before.priceUnits, priceUnits].map((units) =>
          edgeUnits({ ...order, priceUnits: units }, anchor.anchorUnits),
        );
        losses.addGain(Math.min(...edges) * (order.filledQty - before.filledQty), now());
      }
      if (isOpen(order)) seen.set(order.id, { filledQty: order.filledQty, priceUnits });
      else seen.delete(order.id);
    }
  };

  const answered = (sent: SentQuote, result: SentResult): void => {
    const { order } = result;
    if (order === null) {
      // The market stopped or the shares were just sold: the next turn reads the new state.
      logger.info({ bot: 'maker', ...sent, refusal: result.refusal }, 'a quote was refused');
    } else if (!isOpen(order)) {
      crossed.set(nameOf(sent), now() + CROSSED_PAUSE_MS);
    } else if (!seen.has(order.id)) {
      seen.set(order.id, { filledQty: order.filledQty, priceUnits: unitsOf(order.price) });
    }
  };

  return async () => {
    const wantedAnchors = anchors();
    const [orders, held] = await Promise.all([
      readPages(
        (cursor) => client.request('listOrders', { query: { limit: 500, cursor } }),
        (page) => page.every(isOpen),
      ),
      results.read('maker', client, now()),
    ]);
    const byMarket = new Map(wantedAnchors.map((anchor) => [anchor.marketId, anchor]));
    earn(orders, byMarket);

    const standing = new Map<string, RestingQuote[]>();
    for (const order of orders.filter(isOpen)) {
      const quantity = order.quantity - order.filledQty;
      const stands = { ...order, priceUnits: unitsOf(order.price), quantity };
      standing.set(order.marketId, [...(standing.get(order.marketId) ?? []), stands]);
    }
    for (const [name, untilMs] of crossed) if (untilMs <= now()) crossed.delete(name);
    const markets: MarketChanges[] = [];
    const rules = { ...settings, levelSizes: levelsFor(wantedAnchors.length, settings.levelSizes) };
    for (const [marketId, anchor] of byMarket) {
      const own = standing.get(marketId) ?? [];
      const wanted = wantedQuotes(anchor, held.get(marketId) ?? NOTHING_HELD, results.lossLimits(anchor), rules);
      const free = wanted.filter((quote) => !crossed.has(nameOf({ marketId, quote })));
      markets.push({ marketId, open: own.length, ...changes(own, free) });
    }
    for (const [marketId, own] of standing) {
      if (!isDropped(marketId)) continue;
      markets.push({ marketId, open: own.length, cancel: own.map(({ id }) => id), move: [], place: [] });
    }
    await sendOrders(client, markets, answered);

    if (byMarket.size !== quoted) logger.info({ bot: 'maker', markets: byMarket.size }, 'quotes its markets');
    quoted = byMarket.size;
  };
}

function nameOf({ marketId, quote: { outcome, priceUnits, side } }: SentQuote): string {
  return `${marketId} ${outcome} ${side} ${priceUnits}`;
}

/** The levels for this many markets: an account may have 1,000 open orders, so with many markets each gets fewer. */
function levelsFor(markets: number, sizes: readonly number[]): readonly number[] {
  const most = Math.floor(900 / (2 * Math.max(1, markets)));
  return sizes.slice(0, Math.max(1, most));
}
