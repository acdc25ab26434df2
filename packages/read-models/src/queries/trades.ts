import type { RecentTradeView } from '@paper/contracts';
import type { ReadDb } from '../schema/database.ts';
import type { Page } from './views.ts';
import { MARKET_NAME, toMarketName } from './market-row.ts';
import { cutPage } from './page.ts';

export interface TradeFilter {
  readonly limit: number;
  /** The sequence of the last item of the page before. */
  readonly after?: number | undefined;
}

/** Trades of all markets from the point of view of their takers, newest first. */
export async function listRecentTrades(db: ReadDb, filter: TradeFilter): Promise<Page<RecentTradeView>> {
  let query = db
    .selectFrom('fills')
    .innerJoin('markets', 'markets.id', 'fills.market_id')
    .select([
      'fills.id',
      'fills.market_id',
      'fills.seq',
      'fills.outcome',
      'fills.side',
      'fills.price_units',
      'fills.quantity',
      'fills.kind',
      'fills.at_ms',
    ])
    .select(MARKET_NAME)
    .where('fills.role', '=', 'taker')
    .orderBy('fills.seq', 'desc');
  if (filter.after !== undefined) query = query.where('fills.seq', '<', filter.after);
  const rows = await query.limit(filter.limit + 1).execute();
  const page = cutPage(rows, filter.limit, (row) => row.seq);
  return {
    items: page.items.map((row) => ({
      id: row.id,
      marketId: row.market_id,
      seq: row.seq,
      outcome: row.outcome,
      side: row.side,
      priceUnits: row.price_units,
      quantity: row.quantity,
      kind: row.kind,
      createdAt: row.at_ms,
      market: toMarketName(row),
    })),
    next: page.next,
  };
}
