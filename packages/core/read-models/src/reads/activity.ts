import { DAY_MS } from '@paper/contracts/units';
import { ACTIVITY_FEED } from '@paper/contracts/markets';
import { listingHeadline, resolutionHeadline, tradeHeadline } from '@paper/contracts/signals';
import type { ActivityItemView, ActivityView } from '@paper/contracts/markets';
import type { ReadDb } from '../models/tables.ts';

/** The platform's activity in the 24 h up to this whole minute; accounts that traded after it count too. */
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

async function totals(
  db: ReadDb,
  minuteMs: number,
): Promise<{ readonly volume_shares: number; readonly trades: number }> {
  const query = db.selectFrom('minutes').select(['volume_shares', 'trades']).where('minute_ms', '<=', minuteMs);
  return (await query.orderBy('minute_ms', 'desc').limit(1).executeTakeFirst()) ?? { volume_shares: 0, trades: 0 };
}

async function feed(db: ReadDb): Promise<ActivityItemView[]> {
  const items = [...(await listings(db)), ...(await trades(db)), ...(await signals(db)), ...(await resolutions(db))];
  return items.sort((a, b) => b.seq - a.seq).slice(0, ACTIVITY_FEED);
}

function itemOf(
  kind: ActivityItemView['kind'],
  row: {
    readonly id: string;
    readonly seq: number;
    readonly market_id: string | null;
    readonly title: string | null;
    readonly at_ms: number;
  },
  headline: string,
): ActivityItemView {
  const { at_ms: createdAt, id, market_id: marketId, seq, title } = row;
  return { id, seq, kind, marketId, title, headline, createdAt };
}

async function listings(db: ReadDb): Promise<ActivityItemView[]> {
  const rows = await db
    .selectFrom('markets')
    .select(['listing_id as id', 'created_seq as seq', 'id as market_id', 'title', 'created_at_ms as at_ms'])
    .select('prior_units')
    .orderBy('created_seq', 'desc')
    .limit(ACTIVITY_FEED)
    .execute();
  return rows.map((row) => itemOf('listing', row, listingHeadline(2 * row.prior_units)));
}

async function trades(db: ReadDb): Promise<ActivityItemView[]> {
  const rows = await db
    .selectFrom('fills')
    .innerJoin('markets', 'markets.id', 'fills.market_id')
    .selectAll('fills')
    .select('markets.title')
    .where('fills.role', '=', 'taker')
    .orderBy('fills.seq', 'desc')
    .limit(ACTIVITY_FEED)
    .execute();
  return rows.map((row) => itemOf('trade', row, tradeHeadline(row.outcome, row.quantity, row.price_units)));
}

async function signals(db: ReadDb): Promise<ActivityItemView[]> {
  const rows = await db
    .selectFrom('signals')
    .leftJoin('markets', 'markets.id', 'signals.market_id')
    .select(['signals.id', 'signals.seq', 'signals.market_id', 'signals.headline', 'signals.at_ms', 'markets.title'])
    .orderBy('signals.seq', 'desc')
    .limit(ACTIVITY_FEED)
    .execute();
  return rows.map((row) => itemOf('signal', row, row.headline));
}

async function resolutions(db: ReadDb): Promise<ActivityItemView[]> {
  const rows = await db
    .selectFrom('resolutions')
    .innerJoin('markets', 'markets.id', 'resolutions.market_id')
    .selectAll('resolutions')
    .select('markets.title')
    .orderBy('resolutions.seq', 'desc')
    .limit(ACTIVITY_FEED)
    .execute();
  return rows.map((row) =>
    itemOf('resolution', row, row.headline ?? resolutionHeadline(row.outcome, 2 * row.price_units)),
  );
}
