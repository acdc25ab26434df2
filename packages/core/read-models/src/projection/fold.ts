import type {
  ExchangeEvent,
  MarketListed,
  MarketVoided,
  MarketResolved,
  OrderCancelled,
  OrderFilled,
  OrderPlaced,
  OrderReplaced,
  PositionSettled,
} from '@paper/exchange';
import type { CommandlessEvent } from '@paper/journal';
import { wholeMinute } from '../models/minute.ts';
import type { Batch, MarketChange, Totals } from './batch.ts';
import { MarketFold } from './market-fold.ts';
import * as rows from './rows.ts';
import { orderRow } from '../models/orders/fold.ts';

/** `prob_after_half_units` is updated for this long after a signal. */
export const SIGNAL_WINDOW_MS = 60_000;

type MarketEvent = Extract<ExchangeEvent, { readonly marketId: string | null }>;

/**
 * The state of a projection: the markets that have not ended, with their books. All other rows are sums over the
 * events. It is at the last folded event; where that could not be written, it is discarded.
 */
export class Fold {
  constructor(
    private readonly markets: Map<string, MarketFold>,
    private totals: Totals,
  ) {}

  /** @throws RangeError where an event does not fit the events before it. */
  apply({ event, formerName, seq, id }: CommandlessEvent, batch: Batch): void {
    if (!('marketId' in event)) {
      applyToAccounts(event, formerName ?? null, seq, batch);
      return;
    }
    if (event.type === 'SignalRecorded' && event.marketId === null) {
      batch.signals.set(seq, rows.signalRow(event, { seq, id }, null));
      return;
    }
    if (event.type === 'MarketListed') this.#list(event, seq, id, batch);
    const market = this.#market(event.marketId);
    endSignalMinutes(market, event.at, batch);
    market.seq = seq;
    const change = batch.market(market);
    batch.enterMinute(change, wholeMinute(event.at));
    this.#applyTo(change, event, { seq, id }, batch);
    // The row is computed even where it is not stored, because the market's state depends on it.
    const moment = market.moment(event.at, 'title' in event ? event.title : null);
    if (!batch.leavesOut('market_history')) batch.added.history.add(moment);
  }

  /** Ends the batch: makes the rows of minutes and signals under way, and drops markets that have ended from memory. */
  finish(batch: Batch): void {
    for (const [market, change] of batch.markets) {
      batch.endMinute(change);
      for (const signal of market.recentSignals) batch.setProbabilityAfter(signal.seq, market.probabilityHalfUnits());
      if (market.ended) this.markets.delete(market.id);
    }
  }

  /** Events of one market. */
  #applyTo(change: MarketChange, event: MarketEvent, { seq, id }: rows.EventPosition, batch: Batch): void {
    const { market } = change;
    switch (event.type) {
      case 'MarketListed':
        market.phase = event.phase;
        return;
      case 'MarketAmended':
        batch.amended.set(market.id, event);
        return;
      case 'MarketActivated':
        market.phase = 'active';
        return;
      case 'MarketPaused':
        market.phase = 'paused';
        return;
      case 'MarketClosed':
        market.phase = 'closed';
        return;
      case 'OrderPlaced':
        batch.placed.set(event.orderId, orderRow(event, seq));
        spend(event, batch);
        market.place(event);
        return;
      case 'OrderReplaced':
        batch.changeOrder(event, seq, id);
        spend(event, batch);
        market.replace(event);
        return;
      case 'OrderAmended':
        batch.changeOrder(event, seq, id);
        market.amend(event);
        return;
      case 'SharesMerged':
        batch.addMerge(change, event, seq, id);
        market.openInterestPairs -= event.quantity;
        return;
      case 'OrderFilled':
        this.#fill(change, event, { seq, id }, batch);
        return;
      case 'OrderCancelled':
        cancel(market, event, seq, batch);
        return;
      case 'MarketResolved':
      case 'MarketVoided':
        batch.resolutions.push(rows.resolutionRow(event, { seq, id }, market.probabilityHalfUnits()));
        settle(market, event);
        return;
      case 'PositionSettled':
        settlePosition(change, event, { seq, id }, batch);
        return;
      case 'MarketSettled':
        market.phase = market.resolvedOutcome === null ? 'void' : 'resolved';
        market.settlement = {
          cancelledOrders: event.cancelledOrders,
          settledAccounts: event.settledAccounts,
          paidUnits: event.paidUnits,
        };
        return;
      case 'SignalRecorded':
        batch.signals.set(seq, rows.signalRow(event, { seq, id }, market));
        market.recentSignals.push({ seq, at: event.at });
        return;
    }
  }

  #market(id: string | null): MarketFold {
    const market = id === null ? undefined : this.markets.get(id);
    if (market === undefined) throw new RangeError(`no live market ${id}`);
    return market;
  }

  #list(event: MarketListed, seq: number, id: string, batch: Batch): void {
    if (this.markets.has(event.marketId)) throw new RangeError(`market ${event.marketId} is listed already`);
    this.markets.set(event.marketId, new MarketFold(event.marketId, event.priorUnits));
    batch.listed.set(event.marketId, { event, seq, id });
  }

  #fill(change: MarketChange, event: OrderFilled, { seq, id }: rows.EventPosition, batch: Batch): void {
    const { market } = change;
    const { yesPriceUnits, quantity, kind, at } = event;
    const beforeHalfUnits = market.probabilityHalfUnits();
    market.fill(event);
    const afterHalfUnits = market.probabilityHalfUnits();
    const facts = { seq, id, yesPriceUnits, quantity, kind, beforeHalfUnits, afterHalfUnits, at };
    batch.addFill(change, facts, {
      role: 'maker',
      accountId: event.makerAccountId,
      orderId: event.makerOrderId,
      side: event.makerSide,
      outcome: event.makerOutcome,
      costUnits: event.makerCostUnits,
      remaining: event.makerRemaining,
    });
    batch.addFill(change, facts, {
      role: 'taker',
      accountId: event.takerAccountId,
      orderId: event.takerOrderId,
      side: event.takerSide,
      outcome: event.takerOutcome,
      costUnits: event.takerCostUnits,
      remaining: event.takerRemaining,
    });
    this.totals = { volume_shares: this.totals.volume_shares + quantity, trades: this.totals.trades + 1 };
    batch.minutes.set(wholeMinute(at), this.totals);
  }
}

/** Events of no market. */
function applyToAccounts(
  event: Exclude<ExchangeEvent, MarketEvent>,
  formerName: string | null,
  seq: number,
  batch: Batch,
): void {
  switch (event.type) {
    case 'WriterEpochStarted':
      batch.settings = {
        starting_balance_units: event.settings.startingBalanceUnits,
        compliance_mode: event.settings.complianceMode,
      };
      return;
    case 'AccountOpened':
    case 'SubAccountOpened':
      batch.openAccount(rows.accountRow(event, seq, formerName));
      return;
    case 'AccountApproved':
      batch.approved.add(event.accountId);
      return;
    case 'AccountClosed':
      batch.closed.set(event.accountId, seq);
      return;
    case 'DisplayNameForgotten':
      batch.forgotten.set(event.accountId, seq);
      return;
    case 'ApiKeyIssued':
      batch.keys.push(rows.keyRow(event, seq));
      return;
    case 'ApiKeyRevoked':
      batch.revoked.set(event.keyId, { revoked_at_ms: event.at, revoked_seq: seq });
      return;
    case 'DeadManSwitchSet':
      batch.cancelsAt.set(event.accountId, event.cancelsAt);
      return;
    case 'MandateSet':
      batch.mandates.set(event.keyId, event.mandate === null ? null : JSON.stringify(event.mandate));
      return;
  }
}

/** Counts a buy towards what its key has spent today. */
function spend({ at, keyId, spentUnits }: OrderPlaced | OrderReplaced, batch: Batch): void {
  if (keyId !== null && spentUnits > 0) batch.spend(keyId, at, spentUnits);
}

/**
 * Ends the minute after a signal at the first later event: the probability after the market's last event is the one to
 * record.
 */
function endSignalMinutes(market: MarketFold, at: number, batch: Batch): void {
  while (market.recentSignals[0] !== undefined && at > market.recentSignals[0].at + SIGNAL_WINDOW_MS) {
    const [over] = market.recentSignals.splice(0, 1);
    if (over !== undefined) batch.setProbabilityAfter(over.seq, market.probabilityHalfUnits());
  }
}

function cancel(market: MarketFold, event: OrderCancelled, seq: number, batch: Batch): void {
  batch.endOrder(event.orderId, event.reason, seq);
  if (event.resting) market.changeLevel(event, -event.quantity, -1);
}

function settlePosition(
  change: MarketChange,
  event: PositionSettled,
  position: rows.EventPosition,
  batch: Batch,
): void {
  const account = batch.account(event.accountId);
  account.cash_units += event.payoutUnits;
  batch.addPosition(change, event.accountId, event.outcome, -event.shares, -event.costUnits);
  if (batch.leavesOut('settlements')) return;
  batch.added.settlements.add(rows.settlementRow(event, position, account.cash_before_units + account.cash_units));
}

function settle(market: MarketFold, event: MarketResolved | MarketVoided): void {
  market.phase = 'settling';
  market.resolvedOutcome = event.type === 'MarketVoided' ? null : event.outcome;
  market.settlePriceUnits = event.type === 'MarketVoided' ? event.priceUnits : event.outcome === 'yes' ? 10_000 : 0;
  market.resolvedAtMs = event.at;
  // A dollar for each pair has moved into the settlement pool: no pair is left.
  market.openInterestPairs = 0;
}
