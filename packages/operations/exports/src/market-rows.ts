import type { MarketAmended, MarketListed } from '@paper/exchange/events';
import type { MarketFold } from '@paper/read-models';
import type { TableRow } from './tables.ts';

interface Listed {
  readonly event: MarketListed;
  readonly seq: number;
  amended: MarketAmended | MarketListed;
}

/** The texts of the markets that have not ended, for the rows of the table `markets`. */
export class MarketRows {
  readonly #listed = new Map<string, Listed>();

  list(event: MarketListed, seq: number): void {
    this.#listed.set(event.marketId, { event, seq, amended: event });
  }

  amend(event: MarketAmended): void {
    this.#of(event.marketId).amended = event;
  }

  /** Returns the row of a market and forgets the market, since no later event changes it. */
  take(market: MarketFold): TableRow<'markets'> {
    const { amended, event, seq } = this.#of(market.id);
    this.#listed.delete(market.id);
    return {
      id: market.id,
      listed_seq: seq,
      listed_at: event.at,
      title: amended.title,
      ticker: event.ticker,
      company_slug: event.companySlug,
      sector: event.sector,
      category: event.category,
      settlement_source: event.settlementSource,
      description: amended.description,
      citation_url: amended.citationUrl,
      drivers: JSON.stringify(amended.drivers),
      company_impact: amended.companyImpact,
      prior_units: event.priorUnits,
      tick_units: event.tickUnits,
      closes_at: amended.closesAt,
      phase: market.phase,
      volume_shares: market.volumeShares,
      resolved_outcome: market.resolvedOutcome,
      yes_payout_units: market.settlePriceUnits,
      decided_at: market.resolvedAtMs,
    };
  }

  #of(marketId: string): Listed {
    const listed = this.#listed.get(marketId);
    if (listed === undefined) throw new RangeError(`an event names market ${marketId}, which is not open`);
    return listed;
  }
}
