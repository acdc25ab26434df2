import { HOUR_MS } from '@paper/contracts/units';
import { fillSides } from '@paper/exchange';
import type {
  ExchangeEvent,
  OrderCancelled,
  OrderFilled,
  PositionSettled,
  SharesMerged,
  SignalRecorded,
} from '@paper/exchange/events';
import type { PublicCommandlessEvent } from '@paper/journal';
import { createBookFold, HoldingsFold } from '@paper/read-models';
import type { MarketFold } from '@paper/read-models';
import { CandleFold } from './candle-fold.ts';
import { MarketRows } from './market-rows.ts';
import { OrderFold } from './order-fold.ts';
import type { TableName, TableRow } from './tables.ts';

/** The selection of an export's rows; null means all rows. Times are ms since 1970 UTC. */
export interface Selection {
  /** The tables to write; at least one. */
  readonly tables: readonly TableName[];
  /** Only rows of this market. The tables of equity and of accounts have no markets, so they stay complete. */
  readonly marketId: string | null;
  /** Only rows of this account. The tables of candles, markets and signals have no accounts, so they stay complete. */
  readonly accountId: string | null;
  /** Only rows since this time. The time of an order is that of its placement. Markets and accounts stay complete. */
  readonly fromMs: number | null;
}

/** Called with each row of all tables. */
type OnRow = <T extends TableName>(table: T, row: TableRow<T>) => void;

/** Folds the public journal into an export's rows. Memory does not grow with the journal: it holds what is open. */
export class ExportFold {
  readonly #books = createBookFold();
  readonly #holdings = new HoldingsFold();
  readonly #markets = new MarketRows();
  readonly #orders: OrderFold;
  readonly #candles: CandleFold;
  #last = { seq: 0, at: 0 };
  rulesVersion = 1;
  /** Whether the selected market and account are in the journal. */
  hasMarket = false;
  hasAccount = false;

  constructor(
    private readonly selection: Selection,
    private readonly onRow: OnRow,
  ) {
    this.#orders = new OrderFold((order) => {
      if (this.#isSelected(order.market_id, [order.account_id], order.placed_at)) onRow('orders', order);
    });
    this.#candles = new CandleFold((candle) => {
      if (this.#isSelected(candle.market_id, null, candle.start)) onRow('candles', candle);
    });
  }

  /** Adds the journal's next event. @throws RangeError when it is inconsistent with the events before it */
  apply({ event: stored, id, seq }: PublicCommandlessEvent): void {
    // No table contains the private part of an event.
    const event = stored as ExchangeEvent;
    this.#candles.enter(event.at);
    if (Math.floor(event.at / HOUR_MS) !== Math.floor(this.#last.at / HOUR_MS)) this.#endHour();
    this.#last = { seq, at: event.at };
    this.#books.apply({ event, id, seq });
    if ('marketId' in event) this.#applyToMarket(event, seq, id);
    else this.#applyToAccount(event, seq);
  }

  /** Writes the rows that are still open: candles, equity, and the orders and markets that have not ended. */
  finish(): void {
    this.#candles.finish();
    this.#endHour();
    this.#orders.finish();
    for (const market of this.#books.rows.markets.live.values()) this.#endMarket(market);
  }

  #applyToAccount(event: Exclude<ExchangeEvent, { readonly marketId: string | null }>, seq: number): void {
    if (event.type === 'WriterEpochStarted') this.rulesVersion = event.rulesVersion;
    if (event.type !== 'AccountOpened' && event.type !== 'SubAccountOpened') return;
    const { accountId, at, startingBalanceUnits } = event;
    this.#holdings.open(accountId, startingBalanceUnits);
    this.hasAccount ||= accountId === this.selection.accountId;
    if (!this.#isSelected(null, [accountId], null)) return;
    this.onRow('accounts', {
      id: accountId,
      opened_seq: seq,
      opened_at: at,
      starting_balance_units: startingBalanceUnits,
    });
  }

  #applyToMarket(event: Extract<ExchangeEvent, { readonly marketId: string | null }>, seq: number, id: string): void {
    switch (event.type) {
      case 'MarketListed':
        this.hasMarket ||= event.marketId === this.selection.marketId;
        this.#markets.list(event, seq);
        return;
      case 'MarketAmended':
        this.#markets.amend(event);
        return;
      case 'OrderPlaced':
        this.#orders.place(event, seq);
        this.#orderEvent(seq, event, event, 'placed', event.restQuantity);
        return;
      case 'OrderAmended':
        this.#orders.change(event);
        this.#orderEvent(seq, event, event, 'amended', event.remaining);
        return;
      case 'OrderReplaced':
        this.#orders.change(event);
        this.#orderEvent(seq, event, event, 'replaced', event.restQuantity);
        return;
      case 'OrderFilled':
        this.#fill(event, seq, id);
        return;
      case 'OrderCancelled':
        this.#orders.cancel(event, seq);
        this.#orderEvent(seq, event, event, 'cancelled', 0, event.reason);
        return;
      case 'SignalRecorded':
        this.#signal(event, seq, id);
        return;
      case 'SharesMerged':
        this.#merge(event, seq, id);
        return;
      case 'PositionSettled':
        this.#settle(event, seq, id);
        return;
      case 'MarketSettled':
        this.#endMarket(this.#books.rows.markets.market);
        this.#books.rows.markets.takeChanged();
        return;
      default:
        return;
    }
  }

  #fill(event: OrderFilled, seq: number, id: string): void {
    this.#candles.trade(this.#books.rows.markets.market, event);
    const sides = fillSides(event);
    const [maker, taker] = sides;
    for (const side of sides) {
      this.#orders.fill(event, seq, side);
      this.#holdings.trade(event, side);
      this.#orderEvent(seq, event, side, 'filled', side.role === 'maker' ? side.remaining : null);
    }
    if (!this.#isSelected(event.marketId, [taker.accountId, maker.accountId], event.at)) return;
    this.onRow('trades', {
      seq,
      id,
      traded_at: event.at,
      market_id: event.marketId,
      kind: event.kind,
      yes_price_units: event.yesPriceUnits,
      quantity_shares: event.quantity,
      taker_account_id: taker.accountId,
      taker_order_id: taker.orderId,
      taker_side: taker.side,
      taker_outcome: taker.outcome,
      taker_price_units: taker.priceUnits,
      taker_paid_units: taker.side === 'buy' ? event.takerCostUnits : null,
      taker_proceeds_units: taker.side === 'sell' ? taker.cashUnits : null,
      taker_cost_removed_units: taker.side === 'sell' ? event.takerCostUnits : null,
      maker_account_id: maker.accountId,
      maker_order_id: maker.orderId,
      maker_side: maker.side,
      maker_outcome: maker.outcome,
      maker_price_units: maker.priceUnits,
      maker_paid_units: maker.side === 'buy' ? event.makerCostUnits : null,
      maker_proceeds_units: maker.side === 'sell' ? maker.cashUnits : null,
      maker_cost_removed_units: maker.side === 'sell' ? event.makerCostUnits : null,
    });
  }

  /** One literal, made only if the table is written: spread objects took a sixth of an export's time. */
  #orderEvent(
    seq: number,
    event: Pick<OrderCancelled, 'at' | 'marketId' | 'quantity'>,
    order: Pick<OrderCancelled, 'accountId' | 'orderId' | 'outcome' | 'priceUnits' | 'side'>,
    change: string,
    restingShares: number | null,
    reason: string | null = null,
  ): void {
    if (!this.selection.tables.includes('order_events')) return;
    if (!this.#isSelected(event.marketId, [order.accountId], event.at)) return;
    this.onRow('order_events', {
      seq,
      changed_at: event.at,
      market_id: event.marketId,
      order_id: order.orderId,
      account_id: order.accountId,
      change,
      side: order.side,
      outcome: order.outcome,
      price_units: order.priceUnits,
      quantity_shares: event.quantity,
      resting_shares: restingShares,
      reason,
    });
  }

  #endMarket(market: MarketFold): void {
    const row = this.#markets.take(market);
    if (this.#isSelected(row.id, null, null)) this.onRow('markets', row);
  }

  #signal(event: SignalRecorded, seq: number, id: string): void {
    if (!this.#isSelected(event.marketId, null, event.at)) return;
    this.onRow('signals', {
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
    });
  }

  #settle(event: PositionSettled, seq: number, id: string): void {
    const { accountId, at, marketId, outcome, shares } = event;
    this.#holdings.settle(event);
    if (!this.#isSelected(marketId, [accountId], at)) return;
    this.onRow('settlements', {
      seq,
      id,
      settled_at: at,
      account_id: accountId,
      market_id: marketId,
      outcome,
      cause: this.#books.rows.markets.market.resolvedOutcome === null ? 'voided' : 'resolved',
      shares,
      cost_units: event.costUnits,
      payout_units: event.payoutUnits,
    });
  }

  #merge(event: SharesMerged, seq: number, id: string): void {
    const { accountId, at, marketId, quantity } = event;
    this.#holdings.merge(event);
    if (!this.#isSelected(marketId, [accountId], at)) return;
    for (const outcome of ['yes', 'no'] as const) {
      this.onRow('settlements', {
        seq,
        id,
        settled_at: at,
        account_id: accountId,
        market_id: marketId,
        outcome,
        cause: 'merged',
        shares: quantity,
        cost_units: outcome === 'yes' ? event.yesCostUnits : event.noCostUnits,
        payout_units: 5_000 * quantity,
      });
    }
  }

  /** Values the accounts that changed in the hour, after the last event of that hour. */
  #endHour(): void {
    const { at, seq } = this.#last;
    if (seq === 0) return;
    const { live } = this.#books.rows.markets;
    const worths = this.#holdings.takeWorths((marketId) => {
      const market = live.get(marketId);
      if (market === undefined) throw new RangeError(`an event names market ${marketId}, which is not open`);
      return market.probabilityHalfUnits();
    });
    for (const { accountId, cashUnits, positionsHalfUnits } of worths) {
      if (!this.#isSelected(null, [accountId], at)) continue;
      this.onRow('equity', {
        account_id: accountId,
        seq,
        as_of: at,
        cash_units: cashUnits,
        positions_half_units: positionsHalfUnits,
        equity_half_units: 2 * cashUnits + positionsHalfUnits,
      });
    }
  }

  /** Whether the selection includes a row with these properties; null for a property that the row lacks. */
  #isSelected(marketId: string | null, accountIds: readonly string[] | null, atMs: number | null): boolean {
    const { selection } = this;
    if (selection.fromMs !== null && atMs !== null && atMs < selection.fromMs) return false;
    if (selection.marketId !== null && marketId !== null && marketId !== selection.marketId) return false;
    return selection.accountId === null || accountIds === null || accountIds.includes(selection.accountId);
  }
}
