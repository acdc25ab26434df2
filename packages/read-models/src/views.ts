import type { CancelReason, FillKind, OrderType, Outcome, Permission, Side, TimeInForce } from '@paper/exchange';
import type { OrderStatus, Phase } from './tables.ts';

/**
 * What queries answer with: money in units of $0.0001 (or half units, where the name says so), times in ms. The wire
 * mappers of @paper/contracts make JSON of them; names are those of @paper/exchange's views.
 */

export interface MarketView {
  readonly id: string;
  readonly title: string;
  readonly ticker: string;
  readonly companySlug: string;
  readonly sector: string;
  readonly category: string;
  readonly settlementSource: string;
  readonly phase: Phase;
  readonly resolvedOutcome: Outcome | null;
  readonly probabilityHalfUnits: number;
  readonly volume: number;
  readonly openInterest: number;
  /** In YES terms, as is the ask. */
  readonly bestBidUnits: number | null;
  readonly bestAskUnits: number | null;
  readonly lastTradeUnits: number | null;
  readonly tickUnits: number;
  readonly closesAt: number;
  readonly createdAt: number;
  readonly resolvedAt: number | null;
  readonly description: string | null;
  readonly citationUrl: string | null;
  readonly drivers: readonly string[];
  readonly companyImpact: number;
  readonly priorUnits: number;
  /** Null until the market's run has ended. */
  readonly settlement: SettlementTotals | null;
  /** Of the market's last event. */
  readonly seq: number;
}

export interface SettlementTotals {
  readonly cancelledOrders: number;
  readonly settledAccounts: number;
  readonly paidUnits: number;
}

/** What rows of a portfolio tell of their market. */
export interface MarketRef {
  readonly id: string;
  readonly title: string;
  readonly ticker: string;
  readonly companySlug: string;
  readonly probabilityHalfUnits: number;
  readonly phase: Phase;
  readonly resolvedOutcome: Outcome | null;
}

export interface OrderView {
  readonly orderId: string;
  readonly marketId: string;
  readonly accountId: string;
  readonly side: Side;
  readonly outcome: Outcome;
  readonly orderType: OrderType;
  readonly timeInForce: TimeInForce;
  /** The limit; of a market order the average of its fills (half up), or its bound when nothing filled. */
  readonly priceUnits: number;
  readonly quantity: number;
  readonly filledQty: number;
  readonly status: OrderStatus;
  readonly createdAt: number;
  readonly reservedUnits: number;
  readonly reason: CancelReason | null;
}

/** Whose an order is, for one who wants to cancel it after it has ended. */
export interface OrderOwner {
  readonly orderId: string;
  readonly accountId: string;
  /** The owner's primary; null where the owner is one. */
  readonly primaryAccountId: string | null;
  readonly status: OrderStatus;
}

/** One price level in YES terms. */
export interface LevelView {
  readonly priceUnits: number;
  readonly quantity: number;
  readonly orders: number;
}

export interface OrderBookView {
  readonly marketId: string;
  readonly seq: number;
  /** Highest first. */
  readonly bids: readonly LevelView[];
  /** Lowest first. */
  readonly asks: readonly LevelView[];
  readonly bestBidUnits: number | null;
  readonly bestAskUnits: number | null;
  readonly lastTradeUnits: number | null;
}

/** One held side. */
export interface PositionView {
  readonly marketId: string;
  readonly side: Outcome;
  readonly shares: number;
  readonly costUnits: number;
  readonly markHalfUnits: number;
  readonly marketValueHalfUnits: number;
  readonly unrealizedPnlHalfUnits: number;
  readonly yesShares: number;
  readonly noShares: number;
  readonly market: MarketRef;
}

/** One side of a trade, as the account sees it. */
export interface TradeView {
  readonly id: string;
  readonly seq: number;
  readonly marketId: string;
  readonly orderId: string;
  readonly role: 'maker' | 'taker';
  readonly side: Side;
  readonly outcome: Outcome;
  readonly priceUnits: number;
  readonly yesPriceUnits: number;
  readonly quantity: number;
  readonly notionalUnits: number;
  readonly kind: FillKind;
  readonly createdAt: number;
  readonly market: MarketRef;
}

export interface SettledView {
  readonly id: string;
  readonly seq: number;
  readonly marketId: string;
  readonly outcome: Outcome;
  readonly shares: number;
  readonly payoutUnits: number;
  readonly costUnits: number;
  readonly pnlUnits: number;
  readonly settledAt: number;
  readonly market: MarketRef;
}

/** What an account, or a fleet, is worth. */
export interface Worth {
  readonly cashUnits: number;
  readonly positionsValueHalfUnits: number;
  readonly portfolioValueHalfUnits: number;
  readonly pnlHalfUnits: number;
}

export interface PortfolioView {
  readonly accountId: string;
  readonly summary: Worth & {
    readonly displayName: string;
    readonly startingBalanceUnits: number;
    readonly unrealizedPnlHalfUnits: number;
    readonly openOrders: number;
  };
  /** Null where the account has no sub-accounts. */
  readonly fleetSummary: FleetSummary | null;
  readonly positions: readonly PositionView[];
  /** All live ones, newest first, then the newest 100 ended. */
  readonly orders: readonly (OrderView & { readonly market: MarketRef })[];
  /** The newest 200. */
  readonly trades: readonly TradeView[];
  /** The newest 200. */
  readonly settled: readonly SettledView[];
}

export interface FleetSummary {
  readonly accountCount: number;
  readonly subAccountCount: number;
  readonly master: Worth;
  readonly subAccounts: Worth;
  readonly total: Worth;
}

export interface KeyView {
  readonly keyId: string;
  readonly accountId: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly last4: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
}

export interface SubAccountView extends Worth {
  readonly accountId: string;
  readonly primaryAccountId: string;
  readonly displayName: string;
  readonly createdAt: number;
  readonly permissions: readonly Permission[];
  readonly startingBalanceUnits: number;
  /** Oldest first, revoked ones too. */
  readonly keys: readonly KeyView[];
}

export interface SignalView {
  readonly id: string;
  readonly seq: number;
  /** Null: platform-wide. */
  readonly marketId: string | null;
  readonly source: string;
  readonly externalId: string;
  readonly headline: string;
  readonly citationUrl: string;
  readonly publishedAt: number;
  readonly event: string | null;
  readonly fairProb: number | null;
  readonly factValue: number | null;
  readonly threshold: number | null;
  readonly confidence: number | null;
  readonly freshnessMs: number;
  readonly probBeforeHalfUnits: number | null;
  readonly probAfterHalfUnits: number | null;
  readonly at: number;
}

/** A page of a list, and the cursor of the next; null at the end. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}
