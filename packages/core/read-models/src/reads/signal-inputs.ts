import { DAY_MS } from '@paper/contracts/units';
import { RECENT_EVENTS } from '@paper/contracts/signals';
import type { Phase } from '@paper/contracts/markets';
import type { SignalView } from '@paper/contracts/signals';
import { sql } from 'kysely';
import type { ReadDb } from '../models/tables.ts';
import { rowAtMinuteEnd } from '../models/minutes/at-end-of.ts';
import { SIGNAL } from '../models/signals/queries.ts';

/** The newest fair value that was cited for a market. */
export interface FairValue {
  readonly fairProb: number;
  readonly confidence: number | null;
  readonly publishedAt: number;
  /** The time at which the signal was recorded. */
  readonly at: number;
}

/** The inputs of the signals board for an active market; quotes in YES terms. */
export interface SignalInput {
  readonly marketId: string;
  readonly title: string;
  readonly companySlug: string;
  readonly sector: string;
  readonly category: string;
  readonly settlementSource: string;
  readonly drivers: readonly string[];
  readonly companyImpact: number;
  readonly priorUnits: number;
  readonly createdAt: number;
  readonly closesAt: number;
  readonly probabilityHalfUnits: number;
  readonly volume: number;
  readonly openInterest: number;
  readonly bestBidUnits: number | null;
  readonly bestAskUnits: number | null;
  readonly seq: number;
  /** The probability at the end of the minute 24 h ago; for a younger market its prior. */
  readonly probabilityDayAgoHalfUnits: number;
  /** Shares traded in the last 24 h, and in the 24 h before. */
  readonly volume24h: number;
  readonly volumeDayBefore: number;
  readonly fairValue: FairValue | null;
  /** The cited signals, newest first; at most RECENT_EVENTS. */
  readonly recentEvents: readonly SignalView[];
}

/** All active markets, by id. `minuteMs`: the whole minute at whose end the windows of 24 h end. */
export async function signalInputs(db: ReadDb, minuteMs: number): Promise<readonly SignalInput[]> {
  const recent = await recentEvents(db);
  const rows = await db
    .selectFrom('markets')
    .leftJoinLateral(
      (eb) => rowAtMinuteEnd(eb, minuteMs).as('now'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (eb) => rowAtMinuteEnd(eb, minuteMs - DAY_MS).as('day'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (eb) => rowAtMinuteEnd(eb, minuteMs - 2 * DAY_MS).as('two'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('signals')
          .select(['fair_prob', 'confidence', 'published_at_ms', 'at_ms'])
          .whereRef('signals.market_id', '=', 'markets.id')
          .where('fair_prob', 'is not', null)
          .orderBy('seq', 'desc')
          .limit(1)
          .as('fair'),
      (join) => join.onTrue(),
    )
    .selectAll('markets')
    .select(['now.volume_shares as volume_now', 'day.volume_shares as volume_day', 'two.volume_shares as volume_two'])
    .select(['day.probability_half_units as probability_day'])
    .select(['fair.fair_prob', 'fair.confidence', 'fair.published_at_ms', 'fair.at_ms'])
    .where('markets.phase', '=', ACTIVE)
    .orderBy('markets.id')
    .execute();
  return rows.map((row) => {
    const [now, day, two] = [row.volume_now ?? 0, row.volume_day ?? 0, row.volume_two ?? 0];
    return {
      marketId: row.id,
      title: row.title,
      companySlug: row.company_slug,
      sector: row.sector,
      category: row.category,
      settlementSource: row.settlement_source,
      drivers: row.drivers,
      companyImpact: row.company_impact,
      priorUnits: row.prior_units,
      createdAt: row.created_at_ms,
      closesAt: row.closes_at_ms,
      probabilityHalfUnits: row.probability_half_units,
      volume: row.volume_shares,
      openInterest: row.open_interest_pairs,
      bestBidUnits: row.best_bid_units,
      bestAskUnits: row.best_ask_units,
      seq: row.seq,
      probabilityDayAgoHalfUnits: row.probability_day ?? 2 * row.prior_units,
      volume24h: now - day,
      volumeDayBefore: day - two,
      fairValue:
        row.fair_prob === null || row.published_at_ms === null || row.at_ms === null
          ? null
          : { fairProb: row.fair_prob, confidence: row.confidence, publishedAt: row.published_at_ms, at: row.at_ms },
      recentEvents: recent.get(row.id) ?? [],
    };
  });
}

/** The phase is a literal of the statement: a plan for any phase would read every market that was ever listed. */
const ACTIVE = sql.lit<Phase>('active');

async function recentEvents(db: ReadDb): Promise<Map<string, SignalView[]>> {
  const rows = await db
    .selectFrom('markets')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('signals')
          .select(SIGNAL)
          .whereRef('signals.market_id', '=', 'markets.id')
          .orderBy('seq', 'desc')
          .limit(RECENT_EVENTS)
          .as('recent'),
      (join) => join.onTrue(),
    )
    .selectAll('recent')
    .where('markets.phase', '=', ACTIVE)
    .orderBy('recent.seq', 'desc')
    .execute();
  const byMarket = new Map<string, SignalView[]>();
  for (const signal of rows) {
    const signals = byMarket.get(signal.marketId ?? '');
    if (signals === undefined) byMarket.set(signal.marketId ?? '', [signal]);
    else signals.push(signal);
  }
  return byMarket;
}
