import { MINUTE_MS, HOUR_MS } from '@paper/contracts/units';
import { accountAt, marketTimeline } from '@paper/auditor';
import type { TimelineStep } from '@paper/auditor';
import type { OrderCancelled, OrderFilled, PublicEvent } from '@paper/exchange/events';
import { decodePublic } from '@paper/journal';
import type { Journal, PublicJournalEvent } from '@paper/journal';
import type { Row } from '../src/columns.ts';

/** The rows that an export must have, by a fold that shares no code with it: plain searches, and the auditor's fold. */

type EventRecord<T extends PublicEvent['type']> = PublicJournalEvent & {
  readonly event: Extract<PublicEvent, { readonly type: T }>;
};

/** All events of a journal in memory. */
export async function eventsOf(journal: Journal): Promise<readonly PublicJournalEvent[]> {
  const { seq } = await journal.head();
  return (await journal.read(1, seq)).map(decodePublic);
}

function all<T extends PublicEvent['type']>(events: readonly PublicJournalEvent[], type: T) {
  return events.filter((stored): stored is EventRecord<T> => stored.event.type === type);
}

const own = (outcome: string, yesUnits: number): number => (outcome === 'yes' ? yesUnits : 10_000 - yesUnits);

export function expectedTrades(events: readonly PublicJournalEvent[]): Row[] {
  return all(events, 'OrderFilled').map(({ event, id, seq }) => ({
    seq,
    id,
    traded_at: event.at,
    market_id: event.marketId,
    kind: event.kind,
    yes_price_units: event.yesPriceUnits,
    quantity_shares: event.quantity,
    taker_account_id: event.takerAccountId,
    taker_order_id: event.takerOrderId,
    taker_side: event.takerSide,
    taker_outcome: event.takerOutcome,
    taker_price_units: own(event.takerOutcome, event.yesPriceUnits),
    taker_paid_units: event.takerSide === 'buy' ? event.takerCostUnits : null,
    taker_proceeds_units:
      event.takerSide === 'sell' ? event.quantity * own(event.takerOutcome, event.yesPriceUnits) : null,
    taker_cost_removed_units: event.takerSide === 'sell' ? event.takerCostUnits : null,
    maker_account_id: event.makerAccountId,
    maker_order_id: event.makerOrderId,
    maker_side: event.makerSide,
    maker_outcome: event.makerOutcome,
    maker_price_units: own(event.makerOutcome, event.yesPriceUnits),
    maker_paid_units: event.makerSide === 'buy' ? event.makerCostUnits : null,
    maker_proceeds_units:
      event.makerSide === 'sell' ? event.quantity * own(event.makerOutcome, event.yesPriceUnits) : null,
    maker_cost_removed_units: event.makerSide === 'sell' ? event.makerCostUnits : null,
  }));
}

export function expectedOrders(events: readonly PublicJournalEvent[]): Row[] {
  const fills = all(events, 'OrderFilled');
  const cancels = all(events, 'OrderCancelled');
  const changes = [...all(events, 'OrderAmended'), ...all(events, 'OrderReplaced')].sort((a, b) => a.seq - b.seq);
  const rows = all(events, 'OrderPlaced').map(({ event, seq }) => {
    const { orderId } = event;
    const filledBy = fills.filter((fill) => [fill.event.makerOrderId, fill.event.takerOrderId].includes(orderId));
    const changed = changes.filter((change) => change.event.orderId === orderId);
    const cancelled = cancels.find((cancel) => cancel.event.orderId === orderId);
    const last = changed.at(-1)?.event ?? event;
    const filled = filledBy.reduce((sum, fill) => sum + fill.event.quantity, 0);
    const ended = cancelled ?? (filled === last.quantity ? filledBy.at(-1) : undefined);
    return {
      id: orderId,
      account_id: event.accountId,
      market_id: event.marketId,
      placed_seq: seq,
      placed_at: event.at,
      side: event.side,
      outcome: event.outcome,
      order_type: event.orderType,
      time_in_force: event.timeInForce,
      post_only: event.postOnly,
      expires_at: event.expiresAt,
      price_units: last.priceUnits,
      notional_units: event.notionalUnits,
      quantity_shares: last.quantity,
      filled_shares: filled,
      filled_notional_units: filledBy.reduce((sum, fill) => sum + notional(fill.event, orderId), 0),
      status: statusOf(cancelled, ended !== undefined, filled),
      cancel_reason: cancelled?.event.reason ?? null,
      amendments: changed.length,
      ended_seq: ended?.seq ?? null,
      ended_at: ended?.event.at ?? null,
    };
  });
  return rows.sort((a, b) => (a.ended_seq ?? Infinity) - (b.ended_seq ?? Infinity) || a.placed_seq - b.placed_seq);
}

function notional(fill: OrderFilled, orderId: string): number {
  const outcome = fill.makerOrderId === orderId ? fill.makerOutcome : fill.takerOutcome;
  return fill.quantity * own(outcome, fill.yesPriceUnits);
}

function statusOf(cancelled: { readonly event: OrderCancelled } | undefined, hasEnded: boolean, filled: number) {
  if (cancelled !== undefined) return 'cancelled';
  if (hasEnded) return 'filled';
  return filled > 0 ? 'partial' : 'open';
}

export function expectedSettlements(events: readonly PublicJournalEvent[]): Row[] {
  const voided = new Set(all(events, 'MarketVoided').map(({ event }) => event.marketId));
  const settled = all(events, 'PositionSettled').map(({ event, id, seq }) => ({
    seq,
    id,
    settled_at: event.at,
    account_id: event.accountId,
    market_id: event.marketId,
    outcome: event.outcome,
    cause: voided.has(event.marketId) ? 'voided' : 'resolved',
    shares: event.shares,
    cost_units: event.costUnits,
    payout_units: event.payoutUnits,
  }));
  const merged = all(events, 'SharesMerged').flatMap(({ event, id, seq }) =>
    (['yes', 'no'] as const).map((outcome) => ({
      seq,
      id,
      settled_at: event.at,
      account_id: event.accountId,
      market_id: event.marketId,
      outcome,
      cause: 'merged',
      shares: event.quantity,
      cost_units: outcome === 'yes' ? event.yesCostUnits : event.noCostUnits,
      payout_units: 5_000 * event.quantity,
    })),
  );
  return [...settled, ...merged].sort((a, b) => a.seq - b.seq);
}

export function expectedAccounts(events: readonly PublicJournalEvent[]): Row[] {
  return [...all(events, 'AccountOpened'), ...all(events, 'SubAccountOpened')]
    .sort((a, b) => a.seq - b.seq)
    .map(({ event, seq }) => ({
      id: event.accountId,
      opened_seq: seq,
      opened_at: event.at,
      starting_balance_units: event.startingBalanceUnits,
    }));
}

export function expectedSignals(events: readonly PublicJournalEvent[]): Row[] {
  return all(events, 'SignalRecorded').map(({ event, id, seq }) => ({
    seq,
    id,
    recorded_at: event.at,
    market_id: event.marketId,
    source: event.source,
    external_id: event.externalId,
    published_at: event.publishedAt,
    headline: event.headline,
    citation_url: event.citationUrl,
    event: event.event,
    fair_prob: event.fairProb,
    fact_value: event.factValue,
    threshold: event.threshold,
    confidence: event.confidence,
    freshness_ms: event.freshnessMs,
  }));
}

/** Each account with the last sequence of each hour in which its cash or shares changed. */
export function expectedChanges(events: readonly PublicJournalEvent[]): readonly string[] {
  const ends = hourEnds(events);
  const named = events.flatMap(({ event, seq }) => {
    const end = ends.find((last) => last >= seq);
    return accountsChangedBy(event).map((accountId) => `${end} ${accountId}`);
  });
  return [...new Set(named)].sort();
}

function accountsChangedBy(event: PublicEvent): readonly string[] {
  switch (event.type) {
    case 'OrderFilled':
      return [event.makerAccountId, event.takerAccountId];
    case 'AccountOpened':
    case 'SubAccountOpened':
    case 'PositionSettled':
    case 'SharesMerged':
      return [event.accountId];
    default:
      return [];
  }
}

/** Quotes and probabilities of every market after each of its events, as the auditor folds them. */
export type Timelines = ReadonlyMap<string, readonly TimelineStep[]>;

export async function timelinesOf(journal: Journal, events: readonly PublicJournalEvent[]): Promise<Timelines> {
  const timelines = new Map<string, readonly TimelineStep[]>();
  for (const { event } of all(events, 'MarketListed')) {
    timelines.set(event.marketId, await marketTimeline(journal, event.marketId, null));
  }
  return timelines;
}

export function expectedCandles(timelines: Timelines): Row[] {
  const rows = [...timelines].flatMap(([marketId, steps]) => {
    const minuteOf = (step: TimelineStep): number => Math.floor(step.at / MINUTE_MS) * MINUTE_MS;
    const traded = steps.filter(({ type }) => type === 'OrderFilled');
    return [...new Set(traded.map(minuteOf))].map((start) => {
      const prices = traded.filter((step) => minuteOf(step) === start).map(({ priceUnits }) => priceUnits ?? 0);
      const trades = traded.filter((step) => minuteOf(step) === start);
      const last = steps.filter((step) => minuteOf(step) === start).at(-1);
      return {
        market_id: marketId,
        start,
        open_units: prices[0] ?? 0,
        high_units: Math.max(...prices),
        low_units: Math.min(...prices),
        close_units: prices.at(-1) ?? 0,
        volume_shares: trades.reduce((sum, { quantity }) => sum + (quantity ?? 0), 0),
        trades: trades.length,
        yes_bid_close_units: last?.bestBid ?? null,
        yes_ask_close_units: last?.bestAsk ?? null,
      };
    });
  });
  return rows.sort((a, b) => a.start - b.start || (a.market_id < b.market_id ? -1 : 1));
}

/** The last sequence of each hour that has events. */
export function hourEnds(events: readonly PublicJournalEvent[]): readonly number[] {
  const hourOf = (stored: PublicJournalEvent | undefined): number => Math.floor((stored?.event.at ?? 0) / HOUR_MS);
  return events.flatMap((stored, index) => (hourOf(stored) === hourOf(events[index + 1]) ? [] : [stored.seq]));
}

/** An account's worth after an event, in half units, by the auditor's fold. */
export async function expectedWorth(
  journal: Journal,
  timelines: Timelines,
  accountId: string,
  seq: number,
): Promise<{ readonly cash_units: number; readonly positions_half_units: number }> {
  const account = await accountAt(journal, accountId, { seq });
  const positions = account.positions.map(({ marketId, outcome, shares }) => {
    const step = timelines.get(marketId)?.findLast((before) => before.seq <= seq);
    const yesHalf = step?.probabilityHalf ?? 0;
    return shares * (outcome === 'yes' ? yesHalf : 20_000 - yesHalf);
  });
  return { cash_units: account.cashUnits, positions_half_units: positions.reduce((sum, half) => sum + half, 0) };
}
