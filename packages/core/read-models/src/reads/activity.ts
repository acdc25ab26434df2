import { DAY_MS } from '@paper/contracts/units';
import { ACTIVITY_FEED } from '@paper/contracts/markets';
import { listingHeadline, resolutionHeadline, tradeHeadline } from '@paper/contracts/signals';
import type { ActivityItemView, ActivityView } from '@paper/contracts/markets';
import type { ReadDb } from '../models/tables.ts';

/** The platform's activity in the 24 h before this whole minute; accounts that traded after it count too. */
export async function findActivity(db: ReadDb, minuteMs: number): Promise<ActivityView> {
  const sinceMs = minuteMs - DAY_MS;
  const now = await totals(db, minuteMs);
  const then = await totals(db, sinceMs);
  const { activeMarkets, traders24h } = await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('markets')
        .select(eb.fn.countAll<number>().as('n'))
        .where('phase', '=', 'active')
        .$asScalar()
        .$notNull()
        .as('activeMarkets'),
      eb
        .selectFrom('accounts')
        .select(eb.fn.countAll<number>().as('n'))
        .where('last_fill_minute_ms', '>', sinceMs)
        .$asScalar()
        .$notNull()
        .as('traders24h'),
    ])
    .executeTakeFirstOrThrow();
  return {
    activeMarkets,
    volume24h: now.volume_shares - then.volume_shares,
    trades24h: now.trades - then.trades,
    traders24h,
    feed: await feed(db),
  };
}

async function totals(db: ReadDb, minuteMs: number) {
  const query = db.selectFrom('minutes').select(['volume_shares', 'trades']).where('minute_ms', '<=', minuteMs);
  return (await query.orderBy('minute_ms', 'desc').limit(1).executeTakeFirst()) ?? { volume_shares: 0, trades: 0 };
}

async function feed(db: ReadDb): Promise<ActivityItemView[]> {
  const items = [...(await listings(db)), ...(await trades(db)), ...(await signals(db)), ...(await resolutions(db))];
  return items.sort((a, b) => b.seq - a.seq).slice(0, ACTIVITY_FEED);
}

async function listings(db: ReadDb): Promise<ActivityItemView[]> {
  const rows = await db
    .selectFrom('markets')
    .select(['listing_id as id', 'created_seq as seq', 'id as marketId', 'title', 'created_at_ms as createdAt'])
    .select('prior_units')
    .orderBy('created_seq', 'desc')
    .limit(ACTIVITY_FEED)
    .execute();
  return rows.map(({ prior_units, ...row }) => ({
    ...row,
    kind: 'listing',
    headline: listingHeadline(2 * prior_units),
  }));
}

async function trades(db: ReadDb): Promise<ActivityItemView[]> {
  const rows = await db
    .selectFrom('fills')
    .innerJoin('markets', 'markets.id', 'fills.market_id')
    .select(['fills.id', 'fills.seq', 'fills.market_id as marketId', 'markets.title', 'fills.at_ms as createdAt'])
    .select(['fills.outcome', 'fills.quantity', 'fills.price_units'])
    .where('fills.role', '=', 'taker')
    .orderBy('fills.seq', 'desc')
    .limit(ACTIVITY_FEED)
    .execute();
  return rows.map(({ outcome, quantity, price_units, ...row }) => ({
    ...row,
    kind: 'trade',
    headline: tradeHeadline(outcome, quantity, price_units),
  }));
}

async function signals(db: ReadDb): Promise<ActivityItemView[]> {
  const rows = await db
    .selectFrom('signals')
    .leftJoin('markets', 'markets.id', 'signals.market_id')
    .select(['signals.id', 'signals.seq', 'signals.market_id as marketId', 'markets.title'])
    .select(['signals.headline', 'signals.at_ms as createdAt'])
    .orderBy('signals.seq', 'desc')
    .limit(ACTIVITY_FEED)
    .execute();
  return rows.map((row) => ({ ...row, kind: 'signal' }));
}

async function resolutions(db: ReadDb): Promise<ActivityItemView[]> {
  const rows = await db
    .selectFrom('resolutions')
    .innerJoin('markets', 'markets.id', 'resolutions.market_id')
    .select(['resolutions.id', 'resolutions.seq', 'market_id as marketId', 'markets.title', 'at_ms as createdAt'])
    .select(['resolutions.outcome', 'price_units', 'headline'])
    .orderBy('resolutions.seq', 'desc')
    .limit(ACTIVITY_FEED)
    .execute();
  return rows.map(({ outcome, price_units, ...row }) => ({
    ...row,
    kind: 'resolution',
    headline: row.headline ?? resolutionHeadline(outcome, 2 * price_units),
  }));
}
