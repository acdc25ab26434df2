import type { MarketView as ContractMarketView } from '@paper/contracts/markets';
import type { SettlementView } from '@paper/contracts/operator';
import type { MarketRow } from './table.ts';

/** A market with fields of its listing that the API's market omits, and with its settlement. */
export interface MarketView extends ContractMarketView {
  readonly drivers: readonly string[];
  readonly companyImpact: number;
  readonly priorUnits: number;
  /** The settlement; null until the run of the market's resolution or void has ended. */
  readonly settlement: SettlementView | null;
}

export function toMarketView(row: MarketRow): MarketView {
  return {
    id: row.id,
    title: row.title,
    ticker: row.ticker,
    companySlug: row.company_slug,
    sector: row.sector,
    category: row.category,
    settlementSource: row.settlement_source,
    phase: row.phase,
    resolvedOutcome: row.resolved_outcome,
    probabilityHalfUnits: row.probability_half_units,
    volume: row.volume_shares,
    openInterest: row.open_interest_pairs,
    bestBidUnits: row.best_bid_units,
    bestAskUnits: row.best_ask_units,
    lastTradeUnits: row.last_trade_units,
    tickUnits: row.tick_units,
    closesAt: row.closes_at_ms,
    createdAt: row.created_at_ms,
    resolvedAt: row.resolved_at_ms,
    description: row.description,
    citationUrl: row.citation_url,
    drivers: row.drivers,
    companyImpact: row.company_impact,
    priorUnits: row.prior_units,
    settlement:
      row.cancelled_orders === null || row.settled_accounts === null || row.paid_units === null
        ? null
        : { cancelledOrders: row.cancelled_orders, settledAccounts: row.settled_accounts, paidUnits: row.paid_units },
    seq: row.seq,
  };
}

/** The columns of a market's names in an item of a list, for a join on markets. */
export const MARKET_NAME = [
  'markets.title',
  'markets.ticker',
  'markets.company_slug as companySlug',
  'markets.resolved_outcome as resolvedOutcome',
] as const;

/** The columns of a market's names, and of the figures that value a position in it. */
export const MARKET_MARK = [
  ...MARKET_NAME,
  'markets.phase',
  'markets.probability_half_units as probabilityHalfUnits',
] as const;
