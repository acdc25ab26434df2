import type { MarketStatus, PulseEntryView } from '@paper/contracts/markets';
import type { ReadDb } from '../models/tables.ts';
import { rowAtMinuteEnd } from '../models/minutes/at-end-of.ts';
import { onTrue } from '../models/on-true.ts';
import { wholeMinute } from '../models/minute.ts';

/** The ids of the most traded markets since the minute of `sinceMs`; then of active markets, then of the newest. */
export async function mostActiveMarkets(db: ReadDb, sinceMs: number, limit: number): Promise<string[]> {
  const traded = await tradedMarkets(db, wholeMinute(sinceMs), limit);
  if (traded.length === limit) return traded;
  const active = await newestMarkets(db, 'active', limit);
  const others = [...(await newestMarkets(db, 'pending', limit)), ...(await newestMarkets(db, 'resolved', limit))];
  const quiet = [...active, ...others.sort((a, b) => b.created_seq - a.created_seq)];
  return [...new Set([...traded, ...quiet.map(({ id }) => id)])].slice(0, limit);
}

/** The markets with trades after this minute, by traded shares. */
async function tradedMarkets(db: ReadDb, minuteMs: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('markets')
    .leftJoinLateral((eb) => rowAtMinuteEnd(eb, minuteMs).as('then'), onTrue)
    .select('markets.id')
    .where('markets.last_fill_minute_ms', '>', minuteMs)
    .orderBy((eb) => eb('markets.volume_shares', '-', eb.fn.coalesce('then.volume_shares', eb.val(0))), 'desc')
    .orderBy((eb) => eb('markets.status', '=', 'active'), 'desc')
    .orderBy('markets.created_seq', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

function newestMarkets(db: ReadDb, status: MarketStatus, limit: number) {
  return db
    .selectFrom('markets')
    .select(['id', 'created_seq'])
    .where('status', '=', status)
    .orderBy('created_seq', 'desc')
    .limit(limit)
    .execute();
}

/** The figures of these markets for a pulse (`PulseMessage`), in the given order; unknown markets are left out. */
export async function pulseEntries(db: ReadDb, marketIds: readonly string[]): Promise<PulseEntryView[]> {
  if (marketIds.length === 0) return [];
  const rows = await db
    .selectFrom('markets')
    .select(['id', 'phase', 'seq', 'probability_half_units as probabilityHalfUnits', 'volume_shares as volume'])
    .select(['best_bid_units as bestBidUnits', 'best_ask_units as bestAskUnits', 'last_trade_units as lastTradeUnits'])
    .where((eb) => eb('id', '=', eb.fn.any(eb.val(marketIds))))
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return marketIds.flatMap((id) => byId.get(id) ?? []);
}
