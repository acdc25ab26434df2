import { DAY_MS } from '@paper/contracts/units';
import { RECENT_EVENTS } from '@paper/contracts/signals';
import type { Phase } from '@paper/contracts/markets';
import type { SignalView } from '@paper/contracts/signals';
import { sql } from 'kysely';
import type { ReadDb } from '../models/tables.ts';
import { rowAtMinuteEnd } from '../models/minutes/at-end-of.ts';
import { onTrue } from '../models/on-true.ts';
import { SIGNAL_COLUMNS } from '../models/signals/queries.ts';

/** The inputs of the signals board for an active market; quotes in YES terms. */
export type SignalInput = Awaited<ReturnType<typeof signalInputs>>[number];
export type FairValue = NonNullable<SignalInput['fairValue']>;

/** All active markets, by id. `minuteMs`: the whole minute at whose end the windows of 24 h end. */
export async function signalInputs(db: ReadDb, minuteMs: number) {
  const recent = await recentEvents(db);
  const rows = await db
    .selectFrom('markets')
    .leftJoinLateral((eb) => rowAtMinuteEnd(eb, minuteMs).as('now'), onTrue)
    .leftJoinLateral((eb) => rowAtMinuteEnd(eb, minuteMs - DAY_MS).as('day'), onTrue)
    .leftJoinLateral((eb) => rowAtMinuteEnd(eb, minuteMs - 2 * DAY_MS).as('two'), onTrue)
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('signals')
          .select(['fair_prob as fairProb', 'confidence', 'published_at_ms as publishedAt', 'at_ms as at'])
          .whereRef('signals.market_id', '=', 'markets.id')
          .where('fair_prob', 'is not', null)
          .orderBy('seq', 'desc')
          .limit(1)
          .as('fair'),
      onTrue,
    )
    .select(['markets.id as marketId', 'title', 'company_slug as companySlug', 'sector', 'category'])
    .select(['settlement_source as settlementSource', 'drivers', 'company_impact as companyImpact'])
    .select(['prior_units as priorUnits', 'created_at_ms as createdAt', 'closes_at_ms as closesAt'])
    .select(['markets.probability_half_units as probabilityHalfUnits', 'markets.volume_shares as volume'])
    .select(['open_interest_pairs as openInterest', 'best_bid_units as bestBidUnits', 'best_ask_units as bestAskUnits'])
    .select(['markets.seq', 'day.probability_half_units as probabilityThen'])
    .select(['now.volume_shares as volumeNow', 'day.volume_shares as volumeDay', 'two.volume_shares as volumeTwo'])
    .select(['fair.fairProb', 'fair.confidence', 'fair.publishedAt', 'fair.at'])
    .where('markets.phase', '=', ACTIVE)
    .orderBy('markets.id')
    .execute();
  return rows.map(
    ({ probabilityThen, volumeNow, volumeDay, volumeTwo, fairProb, confidence, publishedAt, at, ...market }) => ({
      ...market,
      /** The probability at the end of the minute 24 h ago; for a younger market its prior. */
      probabilityDayAgoHalfUnits: probabilityThen ?? 2 * market.priorUnits,
      /** Shares traded in the last 24 h, and in the 24 h before. */
      volume24h: (volumeNow ?? 0) - (volumeDay ?? 0),
      volumeDayBefore: (volumeDay ?? 0) - (volumeTwo ?? 0),
      /** The newest signal with a fair value; `at`: when it was recorded, in ms. */
      fairValue:
        fairProb === null || publishedAt === null || at === null ? null : { fairProb, confidence, publishedAt, at },
      /** The market's signals, newest first; at most RECENT_EVENTS. */
      recentEvents: recent.get(market.marketId) ?? [],
    }),
  );
}

/** The phase is a literal of the statement: a plan for any phase would read every market that was ever listed. */
const ACTIVE = sql.lit<Phase>('active');

async function recentEvents(db: ReadDb): Promise<Map<string, SignalView[]>> {
  const rows = await db
    .selectFrom('markets')
    .crossJoinLateral((eb) =>
      eb
        .selectFrom('signals')
        .select(SIGNAL_COLUMNS)
        .whereRef('signals.market_id', '=', 'markets.id')
        .orderBy('seq', 'desc')
        .limit(RECENT_EVENTS)
        .as('recent'),
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
