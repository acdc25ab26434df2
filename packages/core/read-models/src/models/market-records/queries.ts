import type { ReadDb } from '../tables.ts';
import { toMarketView } from '../markets/market-view.ts';
import type { MarketView } from '../markets/market-view.ts';

/**
 * A market at its first record from this sequence on; null if there is none.
 * @param afterClose true: the first such record at which no order rests, or the market ends
 */
export async function findMarketRecord(
  db: ReadDb,
  marketId: string,
  fromSeq: number,
  afterClose: boolean,
): Promise<MarketView | null> {
  let records = db
    .selectFrom('market_records')
    .select(['seq', 'phase', 'probability_half_units', 'volume_shares', 'open_interest_pairs'])
    .select(['best_bid_units', 'best_ask_units', 'last_trade_units'])
    .where('market_id', '=', marketId)
    .where('seq', '>=', fromSeq)
    .orderBy('seq')
    .limit(1);
  if (afterClose) {
    records = records.where((eb) =>
      eb.or([
        eb('phase', '<>', 'closed'),
        eb.and([eb('best_bid_units', 'is', null), eb('best_ask_units', 'is', null)]),
      ]),
    );
  }
  const record = await records.executeTakeFirst();
  if (record === undefined) return null;
  const named = await db
    .selectFrom('market_records')
    .select(['title', 'description', 'citation_url', 'closes_at_ms'])
    .where('market_id', '=', marketId)
    .where('seq', '<=', record.seq)
    .where('title', 'is not', null)
    .orderBy('seq', 'desc')
    .limit(1)
    .$narrowType<{ title: string; closes_at_ms: number }>()
    .executeTakeFirstOrThrow();
  const market = await db.selectFrom('markets').selectAll().where('id', '=', marketId).executeTakeFirstOrThrow();
  const unended = { resolved_outcome: null, resolved_at_ms: null, cancelled_orders: null };
  return toMarketView({ ...market, ...named, ...record, ...unended });
}
