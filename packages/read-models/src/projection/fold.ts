import type {
  ExchangeEvent,
  MarketListed,
  OrderCancelled,
  OrderFilled,
  OrderPlaced,
  Outcome,
  SignalRecorded,
  Side,
} from '@paper/exchange';
import type { JournalEvent } from '@paper/journal';
import type { Batch } from './batch.ts';
import type { BookSide } from './book-side.ts';
import { MarketFold } from './market-fold.ts';

/** `prob_after_half` follows the market for this long after a signal. */
export const SIGNAL_WINDOW_MS = 60_000;

/** What the opening of a primary and of a sub-account have in common. */
interface Opening {
  readonly accountId: string;
  readonly at: number;
  readonly displayName: string;
  readonly startingBalanceUnits: number;
}

/**
 * The memory of a projection: the markets that have not ended, with their books. Everything else adds up from the
 * events alone. It is as of the last event that was folded; when that one could not be written, it is thrown away.
 */
export class Fold {
  constructor(private readonly markets: Map<string, MarketFold>) {}

  /** @throws RangeError where an event does not fit what came before it. */
  apply({ event, seq, id }: JournalEvent, batch: Batch): void {
    if ('marketId' in event && event.marketId !== null) this.#touch(event, event.marketId, seq, batch);
    switch (event.type) {
      case 'WriterEpochStarted':
        return;
      case 'AccountOpened':
        openAccount(batch, event, seq, null, []);
        return;
      case 'SubAccountOpened':
        openAccount(batch, event, seq, event.primaryAccountId, event.permissions);
        return;
      case 'AccountApproved':
        batch.approved.add(event.accountId);
        return;
      case 'ApiKeyIssued':
        batch.keys.push({
          id: event.keyId,
          account_id: event.accountId,
          key_hash: event.keyHash,
          name: event.name,
          permissions: event.permissions,
          last4: event.last4,
          created_at: event.at,
          created_seq: seq,
          revoked_at: null,
        });
        return;
      case 'ApiKeyRevoked':
        batch.revoked.set(event.keyId, event.at);
        return;
      case 'MarketListed':
        this.#market(event.marketId).phase = event.phase;
        return;
      case 'MarketAmended':
        batch.amended.set(event.marketId, event);
        return;
      case 'MarketActivated':
        this.#market(event.marketId).phase = 'active';
        return;
      case 'MarketPaused':
        this.#market(event.marketId).phase = 'paused';
        return;
      case 'MarketClosed':
        this.#market(event.marketId).phase = 'closed';
        return;
      case 'OrderPlaced':
        this.#place(event, seq, batch);
        return;
      case 'OrderFilled':
        this.#fill(event, seq, id, batch);
        return;
      case 'OrderCancelled':
        this.#cancel(event, seq, batch);
        return;
      case 'MarketResolved':
        this.#settle(event.marketId, event.at, event.outcome, event.outcome === 'yes' ? 10_000 : 0);
        return;
      case 'MarketVoided':
        this.#settle(event.marketId, event.at, null, event.priceUnits);
        return;
      case 'PositionSettled':
        batch.addCash(event.accountId, event.payoutUnits);
        batch.addPosition(event.accountId, event.marketId, event.outcome, -event.shares, -event.costUnits);
        batch.settlements.push({
          seq,
          id,
          account_id: event.accountId,
          market_id: event.marketId,
          outcome: event.outcome,
          shares: event.shares,
          payout: event.payoutUnits,
          cost: event.costUnits,
          at: event.at,
        });
        return;
      case 'MarketSettled': {
        const market = this.#market(event.marketId);
        market.phase = market.resolvedOutcome === null ? 'void' : 'resolved';
        market.settlement = {
          cancelledOrders: event.cancelledOrders,
          settledAccounts: event.settledAccounts,
          paid: event.paidUnits,
        };
        return;
      }
      case 'SignalRecorded':
        this.#signal(event, seq, id, batch);
        return;
    }
  }

  /** Ends the batch: what signals of the last minute now see, and markets that need no memory any more. */
  finish(batch: Batch): void {
    for (const market of batch.markets) {
      for (const signal of market.recentSignals) batch.setProbabilityAfter(signal.seq, market.probabilityHalf());
      if (market.ended) this.markets.delete(market.id);
    }
  }

  /** Before an event of a market is applied. */
  #touch(event: ExchangeEvent, marketId: string, seq: number, batch: Batch): void {
    if (event.type === 'MarketListed') this.#list(event, seq, batch);
    const market = this.#market(marketId);
    // A signal's minute is over: what the market's last event left is what it saw.
    while (market.recentSignals[0] !== undefined && event.at > market.recentSignals[0].at + SIGNAL_WINDOW_MS) {
      const [over] = market.recentSignals.splice(0, 1);
      if (over !== undefined) batch.setProbabilityAfter(over.seq, market.probabilityHalf());
    }
    market.seq = seq;
    batch.markets.add(market);
  }

  #market(id: string): MarketFold {
    const market = this.markets.get(id);
    if (market === undefined) throw new RangeError(`no live market ${id}`);
    return market;
  }

  #list(event: MarketListed, seq: number, batch: Batch): void {
    if (this.markets.has(event.marketId)) throw new RangeError(`market ${event.marketId} is listed already`);
    this.markets.set(event.marketId, new MarketFold(event.marketId, event.priorUnits));
    batch.listed.set(event.marketId, { event, seq });
  }

  #place(event: OrderPlaced, seq: number, batch: Batch): void {
    batch.placed.set(event.orderId, {
      id: event.orderId,
      market_id: event.marketId,
      account_id: event.accountId,
      side: event.side,
      outcome: event.outcome,
      order_type: event.orderType,
      tif: event.timeInForce,
      price: event.priceUnits,
      notional: event.notionalUnits,
      quantity: event.quantity,
      filled: 0,
      filled_cost: 0,
      status: 'open',
      reason: null,
      created_at: event.at,
      created_seq: seq,
      ended_seq: null,
    });
    // It enters the book after its fills; nobody looks between the events of a decision.
    if (event.restQuantity > 0) this.#level(event, event.priceUnits, event.restQuantity, 1);
  }

  #fill(event: OrderFilled, seq: number, id: string, batch: Batch): void {
    const market = this.#market(event.marketId);
    const { marketId, yesPriceUnits, quantity, kind, at } = event;
    const facts = { seq, id, marketId, yesPriceUnits, quantity, kind, at };
    batch.addFill(facts, {
      role: 'maker',
      accountId: event.makerAccountId,
      orderId: event.makerOrderId,
      side: event.makerSide,
      outcome: event.makerOutcome,
      costUnits: event.makerCostUnits,
      remaining: event.makerRemaining,
    });
    batch.addFill(facts, {
      role: 'taker',
      accountId: event.takerAccountId,
      orderId: event.takerOrderId,
      side: event.takerSide,
      outcome: event.takerOutcome,
      costUnits: event.takerCostUnits,
      remaining: event.takerRemaining,
    });
    const maker = bookSide(market, event.makerSide, event.makerOutcome);
    maker.change(yesPriceUnits, -quantity, event.makerRemaining === 0 ? -1 : 0);
    market.volume += quantity;
    market.lastTrade = yesPriceUnits;
    if (kind !== 'transfer') market.openInterest += kind === 'mint' ? quantity : -quantity;
  }

  #cancel(event: OrderCancelled, seq: number, batch: Batch): void {
    batch.endOrder(event.orderId, event.reason, seq);
    if (event.resting) this.#level(event, event.priceUnits, -event.quantity, -1);
  }

  #level(
    order: { readonly marketId: string; readonly side: Side; readonly outcome: Outcome },
    priceUnits: number,
    quantity: number,
    orders: number,
  ): void {
    const yesPrice = order.outcome === 'yes' ? priceUnits : 10_000 - priceUnits;
    bookSide(this.#market(order.marketId), order.side, order.outcome).change(yesPrice, quantity, orders);
  }

  #settle(marketId: string, at: number, outcome: Outcome | null, yesPaysUnits: number): void {
    const market = this.#market(marketId);
    market.phase = 'settling';
    market.resolvedOutcome = outcome;
    market.settlePrice = yesPaysUnits;
    market.resolvedAt = at;
    // A dollar for each pair has moved into the settlement pool: no pair is left.
    market.openInterest = 0;
  }

  #signal(event: SignalRecorded, seq: number, id: string, batch: Batch): void {
    const market = event.marketId === null ? null : this.#market(event.marketId);
    const probability = market === null ? null : market.probabilityHalf();
    batch.signals.set(seq, {
      seq,
      id,
      market_id: event.marketId,
      source: event.source,
      external_id: event.externalId,
      headline: event.headline,
      citation_url: event.citationUrl,
      published_at: event.publishedAt,
      event: event.event,
      fair_prob: event.fairProb,
      fact_value: event.factValue,
      threshold: event.threshold,
      confidence: event.confidence,
      freshness_ms: event.freshnessMs ?? Math.max(0, event.at - event.publishedAt),
      prob_before_half: probability,
      prob_after_half: probability,
      at: event.at,
    });
    market?.recentSignals.push({ seq, at: event.at });
  }
}

function openAccount(
  batch: Batch,
  opening: Opening,
  seq: number,
  primaryAccountId: string | null,
  permissions: Batch['accounts'][number]['permissions'],
): void {
  batch.accounts.push({
    id: opening.accountId,
    primary_account_id: primaryAccountId,
    display_name: opening.displayName,
    starting_balance: opening.startingBalanceUnits,
    cash: opening.startingBalanceUnits,
    permissions,
    approved: false,
    created_at: opening.at,
    created_seq: seq,
  });
}

/** The one book is in YES terms: who buys NO offers YES, who sells NO bids for it. */
function bookSide(market: MarketFold, side: Side, outcome: Outcome): BookSide {
  return (side === 'buy') === (outcome === 'yes') ? market.bids : market.asks;
}
