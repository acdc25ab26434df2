import type { CandlePeriod, CandleView } from '@paper/contracts/markets';
import type { ExchangeEvent } from '@paper/exchange/events';

interface RestingOrder {
  readonly isBid: boolean;
  readonly yesPriceUnits: number;
  quantity: number;
}

/** The best quotes of a market from one event on. */
interface Quotes {
  readonly at: number;
  readonly bid: number | null;
  readonly ask: number | null;
}

/** A market as its own events tell it, order by order. */
class PlainMarket {
  readonly trades: { readonly at: number; readonly yesPriceUnits: number; readonly quantity: number }[] = [];
  readonly quotes: Quotes[] = [];
  settledAt: number | null = null;
  readonly #orders = new Map<string, RestingOrder>();

  apply(event: ExchangeEvent): void {
    const { at } = event;
    if (event.type === 'OrderReplaced') this.#orders.delete(event.orderId);
    if ((event.type === 'OrderPlaced' || event.type === 'OrderReplaced') && event.restQuantity > 0) {
      const { orderId, outcome, priceUnits, restQuantity: quantity, side } = event;
      const isBid = outcome === 'yes' ? side === 'buy' : side === 'sell';
      const yesPriceUnits = outcome === 'yes' ? priceUnits : 10_000 - priceUnits;
      this.#orders.set(orderId, { isBid, yesPriceUnits, quantity });
    } else if (event.type === 'OrderAmended') {
      const order = this.#orders.get(event.orderId);
      if (order === undefined) throw new Error(`order ${event.orderId} does not rest`);
      order.quantity = event.remaining;
    } else if (event.type === 'OrderFilled') {
      this.trades.push({ at, yesPriceUnits: event.yesPriceUnits, quantity: event.quantity });
      const maker = this.#orders.get(event.makerOrderId);
      if (maker === undefined) throw new Error(`order ${event.makerOrderId} does not rest`);
      maker.quantity -= event.quantity;
      if (maker.quantity === 0) this.#orders.delete(event.makerOrderId);
    } else if (event.type === 'OrderCancelled') {
      this.#orders.delete(event.orderId);
    } else if (event.type === 'MarketSettled') {
      this.settledAt = at;
    }
    const prices = (ofBids: boolean): number[] =>
      [...this.#orders.values()].filter(({ isBid }) => isBid === ofBids).map(({ yesPriceUnits }) => yesPriceUnits);
    const [bids, asks] = [prices(true), prices(false)];
    const bid = bids.length === 0 ? null : Math.max(...bids);
    const ask = asks.length === 0 ? null : Math.min(...asks);
    this.quotes.push({ at, bid, ask });
  }
}

/** Candles made of nothing but a journal's events: what the read models must equal. */
export class PlainCandles {
  readonly #markets = new Map<string, PlainMarket>();
  #newestAt = 0;

  constructor(events: readonly ExchangeEvent[]) {
    for (const event of events) {
      this.#newestAt = event.at;
      if (!('marketId' in event) || event.marketId === null) continue;
      const market = this.#markets.get(event.marketId) ?? new PlainMarket();
      this.#markets.set(event.marketId, market);
      market.apply(event);
    }
  }

  get marketIds(): readonly string[] {
    return [...this.#markets.keys()];
  }

  isSettled(marketId: string): boolean {
    return this.#market(marketId).settledAt !== null;
  }

  /** All candles of a market, oldest first. */
  of(marketId: string, period: CandlePeriod): CandleView[] {
    const { trades, quotes, settledAt } = this.#market(marketId);
    const [first] = trades;
    if (first === undefined) return [];
    const ms = period * 60_000;
    const candles: CandleView[] = [];
    for (let start = Math.floor(first.at / ms) * ms; start <= (settledAt ?? this.#newestAt); start += ms) {
      const isBefore = ({ at }: { readonly at: number }): boolean => at < start + ms;
      const own = trades.filter((trade) => isBefore(trade) && trade.at >= start);
      const prices = own.map(({ yesPriceUnits }) => yesPriceUnits);
      const close = trades.findLast(isBefore)?.yesPriceUnits ?? NaN;
      const quote = quotes.findLast(isBefore);
      candles.push({
        start,
        openUnits: prices[0] ?? close,
        highUnits: prices.length === 0 ? close : Math.max(...prices),
        lowUnits: prices.length === 0 ? close : Math.min(...prices),
        closeUnits: close,
        volume: own.reduce((sum, { quantity }) => sum + quantity, 0),
        trades: own.length,
        bestBidUnits: quote?.bid ?? null,
        bestAskUnits: quote?.ask ?? null,
      });
    }
    return candles;
  }

  #market(marketId: string): PlainMarket {
    const market = this.#markets.get(marketId);
    if (market === undefined) throw new Error(`no market ${marketId}`);
    return market;
  }
}
