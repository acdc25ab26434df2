import type {
  ApiKeyIssued,
  MarketListed,
  MarketResolved,
  MarketVoided,
  Permission,
  PositionSettled,
  SignalRecorded,
} from '@paper/exchange';
import { searchForm } from '../models/markets/search-form.ts';
import type { ReadTables } from '../models/tables.ts';
import type { SignalRow } from './batch.ts';
import type { MarketFigures } from './market-fold.ts';

/** Rows made from the fields of one event. */

/** The name of a key whose name was forgotten. */
export const FORGOTTEN_KEY_NAME = 'forgotten';

/** The position of an event in the journal. */
export interface EventPosition {
  readonly seq: number;
  readonly id: string;
}

interface Opening {
  readonly accountId: string;
  readonly at: number;
  readonly permissions?: readonly Permission[];
  readonly primaryAccountId?: string;
  readonly startingBalanceUnits: number;
}

/** @param formerName the display name, where the event has it */
export function accountRow(opening: Opening, seq: number, formerName: string | null): ReadTables['accounts'] {
  const { permissions = [], primaryAccountId = null } = opening;
  return {
    id: opening.accountId,
    primary_account_id: primaryAccountId,
    display_name: formerName,
    starting_balance_units: opening.startingBalanceUnits,
    cash_units: opening.startingBalanceUnits,
    permissions,
    approved: false,
    created_at_ms: opening.at,
    created_seq: seq,
    trades: 0,
    volume_units: 0,
    last_fill_minute_ms: null,
    cancels_at_ms: null,
    closed_seq: null,
    forgotten_seq: null,
  };
}

export function keyRow(event: ApiKeyIssued, seq: number): ReadTables['api_keys'] {
  return {
    id: event.keyId,
    account_id: event.accountId,
    key_hash: event.keyHash,
    name: event.name,
    permissions: event.permissions,
    last4: event.last4,
    created_at_ms: event.at,
    created_seq: seq,
    revoked_at_ms: null,
    revoked_seq: null,
    mandate: null,
    spent_day: 0,
    spent_units: 0,
  };
}

/** A market's row with its figures at the end of the batch that lists it. */
export function marketRow(
  event: MarketListed,
  { seq, id }: EventPosition,
  figures: MarketFigures,
): ReadTables['markets'] {
  return {
    id: event.marketId,
    title: event.title,
    ticker: event.ticker,
    company_slug: event.companySlug,
    sector: event.sector,
    category: event.category,
    settlement_source: event.settlementSource,
    description: event.description,
    citation_url: event.citationUrl,
    drivers: event.drivers,
    company_impact: event.companyImpact,
    prior_units: event.priorUnits,
    tick_units: event.tickUnits,
    closes_at_ms: event.closesAt,
    created_at_ms: event.at,
    created_seq: seq,
    listing_id: id,
    title_search: searchForm(event.title),
    names_search: searchForm(`${event.ticker}\n${event.companySlug}`),
    ...figures,
  };
}

/** `probabilityHalfUnits`: the market's, just before. */
export function resolutionRow(
  event: MarketResolved | MarketVoided,
  { seq, id }: EventPosition,
  probabilityHalfUnits: number,
): ReadTables['resolutions'] {
  const common = { market_id: event.marketId, seq, id, prob_before_half_units: probabilityHalfUnits, at_ms: event.at };
  if (event.type === 'MarketVoided') {
    const { reason, priceUnits } = event;
    return { ...common, outcome: null, price_units: priceUnits, headline: reason, source: null, citation_url: null };
  }
  const { outcome, headline, source, citationUrl } = event;
  return {
    ...common,
    outcome,
    price_units: outcome === 'yes' ? 10_000 : 0,
    headline,
    source,
    citation_url: citationUrl,
  };
}

/** `cashUnits`: the account's just after it, or what the batch has moved of it until then: `AddedRows.settlements`. */
export function settlementRow(
  event: PositionSettled,
  { seq, id }: EventPosition,
  cashUnits: number,
): ReadTables['settlements'] {
  return {
    seq,
    id,
    account_id: event.accountId,
    market_id: event.marketId,
    outcome: event.outcome,
    shares: event.shares,
    payout_units: event.payoutUnits,
    cost_units: event.costUnits,
    at_ms: event.at,
    cash_after_units: cashUnits,
  };
}

/** @param market the market's state when the signal is recorded; null for a signal about the whole platform */
export function signalRow(
  event: SignalRecorded,
  { seq, id }: EventPosition,
  market: { probabilityHalfUnits(): number; readonly hasPrice: boolean } | null,
): SignalRow {
  const probabilityHalfUnits = market?.probabilityHalfUnits() ?? null;
  return {
    seq,
    id,
    market_id: event.marketId,
    source: event.source,
    external_id: event.externalId,
    headline: event.headline,
    citation_url: event.citationUrl,
    published_at_ms: event.publishedAt,
    event: event.event,
    fair_prob: event.fairProb,
    fact_value: event.factValue,
    threshold: event.threshold,
    confidence: event.confidence,
    freshness_ms: event.freshnessMs ?? Math.max(0, event.at - event.publishedAt),
    prob_before_half_units: probabilityHalfUnits,
    prob_after_half_units: probabilityHalfUnits,
    interpolated: market !== null && !market.hasPrice,
    at_ms: event.at,
  };
}
