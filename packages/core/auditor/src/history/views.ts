import type { Journal } from '@paper/journal';
import type { JudgedEvent, OrderFields } from '../events/judged-events.ts';
import { levelsOf, toYes } from '../ledger/ledger.ts';
import type { BookMarket, Ledger, RestingOrder } from '../ledger/ledger.ts';
import { probabilityHalf } from '../ledger/probability.ts';
import { foldUntil } from './fold-until.ts';
import type { Point } from './fold-until.ts';

/** A market just after one of its events. Prices in units of $0.0001, probabilities in half units. */
export interface TimelineStep {
  readonly seq: number;
  /** In ms since 1970 UTC. */
  readonly at: number;
  readonly type: JudgedEvent['type'];
  readonly id: string;
  /** The owner of the order or position, or the taker of a fill; null for the market's own events. */
  readonly accountId: string | null;
  readonly orderId: string | null;
  readonly what: string;
  readonly quantity: number | null;
  readonly priceUnits: number | null;
  readonly bestBid: number | null;
  readonly bestAsk: number | null;
  readonly probabilityHalf: number;
}

/** The market or account did not exist at that point. */
export class NotFoundAtSequence extends Error {
  override readonly name = 'NotFoundAtSequence';
}

type Source = Pick<Journal, 'head' | 'read'>;

/** Every event of a market up to a point, with the best prices after each. @throws NotFoundAtSequence, NoSuchPoint */
export async function marketTimeline(
  journal: Source,
  marketId: string,
  point: Point,
): Promise<readonly TimelineStep[]> {
  const prices = new Prices();
  const steps: TimelineStep[] = [];
  const reached = await foldUntil(journal, point, ({ event, id, seq }, ledger) => {
    prices.apply(event);
    if (!('marketId' in event) || event.marketId !== marketId) return;
    const book = ledger.market(marketId);
    steps.push({
      seq,
      at: event.at,
      type: event.type,
      id,
      ...subjectOf(event),
      bestBid: book.bids[0]?.yesPrice ?? null,
      bestAsk: book.asks[0]?.yesPrice ?? null,
      probabilityHalf: prices.probabilityHalf(ledger, marketId),
    });
  });
  if (steps.length === 0) throw new NotFoundAtSequence(`There is no market ${marketId} at sequence ${reached.seq}.`);
  return steps;
}

/** An account's money, positions and open orders at a point. @throws NotFoundAtSequence, NoSuchPoint */
export async function accountAt(journal: Source, accountId: string, point: Point) {
  const prices = new Prices();
  const { ledger, seq, at } = await foldUntil(journal, point, ({ event }) => prices.apply(event));
  const account = ledger.accounts.get(accountId);
  if (account === undefined) throw new NotFoundAtSequence(`There is no account ${accountId} at sequence ${seq}.`);
  const positions = [...ledger.markets.values()].flatMap((market) => positionsIn(ledger, market, accountId, prices));
  const openOrders: readonly RestingOrder[] = [...ledger.orders.values()].filter(
    (order) => order.accountId === accountId,
  );
  return {
    seq,
    at,
    accountId,
    /** The account's primary (its own id if it is one); null if that was withheld. */
    owner: account.owner,
    cashUnits: account.cash,
    reservedUnits: account.reserved,
    /** Cash plus the positions' value at the probabilities of that point, each rounded down to a unit. */
    equityUnits: positions.reduce((sum, { valueUnits }) => sum + valueUnits, account.cash),
    positions,
    openOrders,
  };
}

/** A market's book at a point. @throws NotFoundAtSequence, NoSuchPoint */
export async function bookAt(journal: Source, marketId: string, point: Point) {
  const prices = new Prices();
  const { ledger, seq, at } = await foldUntil(journal, point, ({ event }) => prices.apply(event));
  const market = ledger.markets.get(marketId);
  if (market === undefined) throw new NotFoundAtSequence(`There is no market ${marketId} at sequence ${seq}.`);
  return {
    seq,
    at,
    marketId,
    phase: market.phase,
    pairs: market.pairs,
    probabilityHalf: prices.probabilityHalf(ledger, marketId),
    levels: [...levelsOf(market, 'bid'), ...levelsOf(market, 'ask')],
  };
}

function positionsIn(ledger: Ledger, market: BookMarket, accountId: string, prices: Prices) {
  const holding = market.holdings.get(accountId);
  if (holding === undefined) return [];
  const half = prices.probabilityHalf(ledger, market.marketId);
  return (['yes', 'no'] as const).flatMap((outcome) => {
    const shares = holding.shares[outcome];
    if (shares === 0) return [];
    const worthHalf = outcome === 'yes' ? half : 20_000 - half;
    return [
      {
        marketId: market.marketId,
        outcome,
        shares,
        reservedShares: holding.reserved[outcome],
        costUnits: holding.cost[outcome],
        valueUnits: Math.floor((worthHalf * shares) / 2),
      },
    ];
  });
}

type Subject = Pick<TimelineStep, 'accountId' | 'orderId' | 'priceUnits' | 'quantity' | 'what'>;

/** Describes an event for people. Prices are in terms of the order's outcome, or of YES where an event has both. */
function subjectOf(event: JudgedEvent): Subject {
  const noTrade = { accountId: null, orderId: null, priceUnits: null, quantity: null };
  switch (event.type) {
    case 'OrderPlaced':
      return ofOrder(event, ` ${event.timeInForce}: ${event.fillQuantity} fill, ${event.restQuantity} rest`);
    case 'OrderAmended':
      return ofOrder(event, `: ${event.removed} removed`);
    case 'OrderReplaced':
      return ofOrder(event, ` again: ${event.fillQuantity} fill, ${event.restQuantity} rest`);
    case 'OrderCancelled':
      return ofOrder(event, `: ${event.reason}`);
    case 'SharesMerged': {
      const { accountId, quantity } = event;
      return { ...noTrade, accountId, quantity, what: 'yes and no become cash' };
    }
    case 'OrderFilled': {
      const { takerAccountId: accountId, takerOrderId: orderId, yesPriceUnits: priceUnits, quantity } = event;
      const what = `${event.kind}, ${event.takerSide} ${event.takerOutcome} against ${event.makerOrderId}`;
      return { accountId, orderId, priceUnits, quantity, what };
    }
    case 'PositionSettled': {
      const { accountId, shares, outcome, payoutUnits } = event;
      const priceUnits = payoutUnits / shares;
      return { accountId, orderId: null, priceUnits, quantity: shares, what: `${outcome} is paid` };
    }
    case 'MarketResolved': {
      const headline = event.headline === null ? '' : `: ${event.headline}`;
      return { ...noTrade, priceUnits: toYes(event.outcome, 10_000), what: `${event.outcome}${headline}` };
    }
    case 'MarketVoided':
      return { ...noTrade, priceUnits: event.priceUnits, what: event.reason };
    case 'MarketSettled':
      return { ...noTrade, what: `${event.settledAccounts} accounts, ${event.cancelledOrders} orders cancelled` };
    case 'MarketListed':
      return { ...noTrade, priceUnits: event.priorUnits, what: event.title };
    case 'MarketAmended':
      return { ...noTrade, what: event.title };
    case 'MarketClosed':
      return { ...noTrade, what: `by the ${event.by}` };
    case 'SignalRecorded':
      return { ...noTrade, what: `${event.source}: ${event.headline}` };
    default:
      return { ...noTrade, what: '' };
  }
}

function ofOrder(event: OrderFields & { readonly quantity: number }, what: string): Subject {
  const { accountId, orderId, outcome, priceUnits, quantity, side } = event;
  return { accountId, orderId, priceUnits, quantity, what: `${side} ${outcome}${what}` };
}

class Prices {
  readonly #of = new Map<string, { readonly prior: number; last: number | null }>();

  apply(event: JudgedEvent): void {
    if (event.type === 'MarketListed') this.#of.set(event.marketId, { prior: event.priorUnits, last: null });
    if (event.type !== 'OrderFilled') return;
    const prices = this.#of.get(event.marketId);
    if (prices !== undefined) prices.last = event.yesPriceUnits;
  }

  probabilityHalf(ledger: Ledger, marketId: string): number {
    const prices = this.#of.get(marketId);
    return prices === undefined ? 0 : probabilityHalf(ledger.market(marketId), prices);
  }
}
