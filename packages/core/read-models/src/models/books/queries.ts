import { SEQUENCE_MAX } from '@paper/contracts';
import type { MomentView } from '@paper/contracts/markets';
import { sql } from 'kysely';
import type { ExpressionBuilder } from 'kysely';
import type { ReadDb, ReadTables } from '../tables.ts';
import type { TimeRange } from '../page.ts';
import { IS_INDEXED, INDEXED_EVERY } from './table.ts';

/**
 * The market just after each of its events, oldest first; null for an unknown market. More than `points` events (at
 * least 1) are thinned evenly by their number; the first and the last stay (with one point, the last). Costs a few rows
 * a point.
 */
export async function findMoments(
  db: ReadDb,
  marketId: string,
  { fromMs, toMs, points }: TimeRange & { readonly points: number },
): Promise<MomentView[] | null> {
  const newest = await eventsOf(db, marketId);
  if (newest === null) return null;
  const first = fromMs === undefined ? 1 : await firstSince(db, marketId, fromMs);
  const end = toMs === undefined ? null : await firstSince(db, marketId, toMs);
  if (first === null) return [];
  return momentsAt(db, marketId, thinned(first, end === null ? newest : end - 1, points));
}

/** Whole numbers from `first` to `last`, at most `count` of them, evenly spread; the last one is always among them. */
export function thinned(first: number, last: number, count: number): number[] {
  const length = Math.max(0, Math.min(count, last - first + 1));
  if (length === 1) return [last];
  return Array.from({ length }, (_, k) => first + Math.round((k * (last - first)) / (length - 1)));
}

/** The number of events of a market; null without such a market. */
async function eventsOf(db: ReadDb, marketId: string): Promise<number | null> {
  const row = await db
    .selectFrom('market_history')
    .select('event_number')
    .where('market_id', '=', marketId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.event_number ?? null;
}

/** The number of the market's first event at or after a time, in ms; null if there is none. */
async function firstSince(db: ReadDb, marketId: string, ms: number): Promise<number | null> {
  const { event_number } = await db
    .selectFrom('market_history')
    .select(({ fn }) => fn.min<number | null>('event_number').as('event_number'))
    .where('market_id', '=', marketId)
    .where('seq', '>=', (eb) => eb.fn.coalesce(indexedSeq(eb, marketId, 'before', ms), sql.lit(0)))
    .where('seq', '<=', (eb) => eb.fn.coalesce(indexedSeq(eb, marketId, 'since', ms), sql.lit(SEQUENCE_MAX)))
    .where('at_ms', '>=', ms)
    .executeTakeFirstOrThrow();
  return event_number;
}

/** The sequence of the market's last indexed event before a time, or of the first since then; null if there is none. */
function indexedSeq(
  eb: ExpressionBuilder<ReadTables, 'market_history'>,
  marketId: string,
  side: 'before' | 'since',
  ms: number,
) {
  const order = side === 'before' ? 'desc' : 'asc';
  return eb
    .selectFrom('market_history as indexed')
    .select('indexed.seq')
    .where('indexed.market_id', '=', marketId)
    .where('indexed.at_ms', side === 'before' ? '<' : '>=', ms)
    .where(isIndexed('indexed'))
    .orderBy('indexed.at_ms', order)
    .orderBy('indexed.seq', order)
    .limit(1);
}

/**
 * The market after its events with these numbers, which must exist. Between the indexed events around each, no plan
 * reads more than a few rows, even before the table has statistics.
 */
function momentsAt(db: ReadDb, marketId: string, numbers: readonly number[]): Promise<MomentView[]> {
  return db
    .selectFrom(sql<{ event_number: number }>`unnest(${numbers}::int8[])`.as<'wanted'>(sql`wanted(event_number)`))
    .innerJoin('market_history as indexed', (join) =>
      join
        .on('indexed.market_id', '=', marketId)
        .on(isIndexed('indexed'))
        .on('indexed.event_number', '=', INDEXED_BEFORE),
    )
    .leftJoin('market_history as next', (join) =>
      join
        .on('next.market_id', '=', marketId)
        .on(isIndexed('next'))
        .on('next.event_number', '=', sql<number>`${INDEXED_BEFORE} + ${EVERY}`),
    )
    .crossJoinLateral((eb) =>
      eb
        .selectFrom('market_history as moment')
        .select(['moment.seq', 'moment.at_ms', 'moment.probability_half_units'])
        .where('moment.market_id', '=', marketId)
        .whereRef('moment.seq', '>=', 'indexed.seq')
        .where('moment.seq', '<', (end) => end.fn.coalesce('next.seq', sql.lit(SEQUENCE_MAX)))
        .whereRef('moment.event_number', '=', 'wanted.event_number')
        .as('moment'),
    )
    .select(['moment.seq', 'moment.at_ms as at', 'moment.probability_half_units as probabilityHalfUnits'])
    .orderBy('moment.seq')
    .execute();
}

const EVERY = sql.lit(INDEXED_EVERY);
const INDEXED_BEFORE = sql<number>`wanted.event_number - (wanted.event_number - 1) % ${EVERY}`;

function isIndexed(table: 'indexed' | 'next') {
  return sql.raw<boolean>(`${table}.${IS_INDEXED}`);
}
