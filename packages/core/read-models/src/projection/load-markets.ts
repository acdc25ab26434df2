import type { ReadDb } from '../schema/database.ts';
import type { ReadTables } from '../models/tables.ts';
import type { Totals } from './batch.ts';
import { SIGNAL_WINDOW_MS } from './fold.ts';
import { MarketFold } from './market-fold.ts';

/** Totals until the checkpoint. */
export async function loadTotals(db: ReadDb): Promise<Totals> {
  const query = db.selectFrom('minutes').select(['volume_shares', 'trades']).orderBy('minute_ms', 'desc').limit(1);
  return (await query.executeTakeFirst()) ?? { volume_shares: 0, trades: 0 };
}

/** Loads the markets that have not ended from their rows; `atMs` is the time of the checkpoint. */
export async function loadMarkets(db: ReadDb, atMs: number): Promise<Map<string, MarketFold>> {
  const markets = new Map<string, MarketFold>();
  const rows = await db.selectFrom('markets').selectAll().where('phase', 'not in', ['resolved', 'void']).execute();
  for (const row of rows) {
    const market = new MarketFold(row.id, row.prior_units);
    market.phase = row.phase;
    market.volumeShares = row.volume_shares;
    market.openInterestPairs = row.open_interest_pairs;
    market.lastTradeUnits = row.last_trade_units;
    market.firstFillMinuteMs = row.first_fill_minute_ms;
    market.lastFillMinuteMs = row.last_fill_minute_ms;
    market.resolvedOutcome = row.resolved_outcome;
    market.settlePriceUnits = row.settle_price_units;
    market.resolvedAtMs = row.resolved_at_ms;
    market.seq = row.seq;
    markets.set(row.id, market);
  }
  for (const level of await db.selectFrom('book_levels').selectAll().execute()) {
    const market = markets.get(level.market_id);
    const side = level.side === 'bid' ? market?.bids : market?.asks;
    side?.load({ priceUnits: level.yes_price_units, quantity: level.quantity, orders: level.orders });
  }
  for (const minute of await lastMinutes(db)) {
    const market = markets.get(minute.market_id);
    if (market === undefined) continue;
    market.storedMinuteMs = minute.minute_ms;
    market.trades = minute.trades;
    market.candles.load(minute);
  }
  for (const { market_id, events } of await eventCounts(db)) {
    const market = markets.get(market_id);
    if (market !== undefined) market.events = events;
  }
  const signals = await db
    .selectFrom('signals')
    .select(['seq', 'market_id', 'at_ms'])
    .where('at_ms', '>=', atMs - SIGNAL_WINDOW_MS)
    .orderBy('seq')
    .execute();
  for (const { market_id, seq, at_ms: at } of signals) {
    if (market_id !== null) markets.get(market_id)?.recentSignals.push({ seq, at });
  }
  return markets;
}

/** The newest minute of each open market. */
function lastMinutes(db: ReadDb): Promise<ReadTables['market_minutes'][]> {
  return db
    .selectFrom('markets')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('market_minutes')
          .selectAll()
          .whereRef('market_id', '=', 'markets.id')
          .orderBy('minute_ms', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .selectAll('last')
    .where('markets.phase', 'not in', ['resolved', 'void'])
    .execute();
}

/** The number of events of each open market. */
function eventCounts(db: ReadDb): Promise<{ readonly market_id: string; readonly events: number }[]> {
  return db
    .selectFrom('markets')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('market_history')
          .select('event_number as events')
          .whereRef('market_id', '=', 'markets.id')
          .orderBy('seq', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(['markets.id as market_id', 'last.events'])
    .where('markets.phase', 'not in', ['resolved', 'void'])
    .execute();
}
