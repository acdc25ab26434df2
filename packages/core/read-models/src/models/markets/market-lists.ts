import { DAY_MS } from '@paper/contracts/units';
import type { MarketSort, MarketStatus, Phase } from '@paper/contracts/markets';
import { sql } from 'kysely';
import type { SelectQueryBuilder } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { ReadDb, ReadTables } from '../tables.ts';
import { searchForm } from './search-form.ts';
import type { JsonQuery } from '../json-query.ts';
import { toMarketView } from './market-view.ts';
import type { MarketView } from './market-view.ts';
import type { MarketRow } from './table.ts';
import { rowAtMinuteEnd } from '../minutes/at-end-of.ts';
import { onTrue } from '../on-true.ts';
import { cutPage, readPage } from '../page.ts';
import type { Page, PageRequest } from '../page.ts';

/** The filters of a list of markets; an absent field does not restrict it. */
export interface MarketFilter {
  readonly status?: MarketStatus | undefined;
  readonly phase?: Phase | undefined;
  readonly sector?: string | undefined;
  readonly companySlug?: string | undefined;
  /** A text that the title, the ticker or the company must contain, in any case. */
  readonly q?: string | undefined;
  /** The schema of pg_trgm (`trigramSchema`), to find texts with words similar to those of `q`. */
  readonly alikeBy?: string | undefined;
}

/** The position of a market in the list by closing time. */
export type ClosingPosition = readonly [closesAtMs: number, marketId: string];

/** A market's position in a ranking that was made at this minute. */
export type RankPosition = readonly [minuteMs: number, figure: number, marketId: string];

/** Markets, newest listing first. A position is the sequence of the listing. */
export async function listMarkets(db: ReadDb, filter: MarketFilter & PageRequest): Promise<Page<MarketView>> {
  let query = filtered(db, filter).selectAll('markets').orderBy('created_seq', 'desc');
  if (filter.after !== undefined) query = query.where('created_seq', '<', filter.after);
  return newestPage(await query.limit(filter.limit + 1).execute(), filter.limit);
}

/** The first rows, as many as the parameter says, of the most frequent list: active markets, newest listing first. */
export const newestActive: JsonQuery<readonly MarketRow[]> = {
  build: (db, rows) =>
    jsonArrayFrom(
      filtered(db, { status: 'active' })
        .selectAll('markets')
        .orderBy('created_seq', 'desc')
        .limit(sql<number>`${rows}::int`),
    ),
  answer: (rows) => rows,
};

/** A page made from rows by listing; one row more than the limit means that a further page follows. */
export function newestPage(rows: readonly MarketRow[], limit: number): Page<MarketView> {
  const page = cutPage(rows, limit, (row) => row.created_seq);
  return { items: page.items.map(toMarketView), next: page.next };
}

/** Markets by closing time, the soonest first, then by id. */
export async function listMarketsByClosing(
  db: ReadDb,
  { after, limit, ...filter }: MarketFilter & PageRequest<ClosingPosition>,
): Promise<Page<MarketView, ClosingPosition>> {
  let query = filtered(db, filter).selectAll('markets').orderBy('closes_at_ms').orderBy(BY_ID);
  if (after !== undefined) {
    const [closesAtMs, marketId] = after;
    query = query.where(sql<boolean>`(closes_at_ms, ${BY_ID}) > (${closesAtMs}, ${marketId})`);
  }
  const page = await readPage(query, limit, (row): ClosingPosition => [row.closes_at_ms, row.id]);
  return { items: page.items.map(toMarketView), next: page.next };
}

/**
 * Markets by a figure, the highest first, then by id. `activity`: shares traded in the 24 h up to the end of the
 * minute; `movement`: how far the probability moved in these hours (in a younger market: since its prior). Further
 * pages use the first page's minute, so that later trades move no market between pages. Reads every market of the
 * filter.
 */
export async function rankMarkets(
  db: ReadDb,
  by: Exclude<MarketSort, 'closing' | 'newest'>,
  { after, limit, minuteMs, ...filter }: MarketFilter & PageRequest<RankPosition> & { readonly minuteMs: number },
): Promise<Page<MarketView, RankPosition>> {
  const endMs = after?.[0] ?? minuteMs;
  const sinceMs = endMs - DAY_MS;
  const ranked = filtered(db, filter)
    .leftJoinLateral((eb) => rowAtMinuteEnd(eb, endMs).where(mayHaveChangedSince(sinceMs)).as('now'), onTrue)
    .leftJoinLateral((eb) => rowAtMinuteEnd(eb, sinceMs).where(mayHaveChangedSince(sinceMs)).as('day'), onTrue)
    .selectAll('markets')
    .select((by === 'activity' ? SHARES_TRADED : PROBABILITY_MOVED).as('figure'));
  let query = db.selectFrom(ranked.as('ranked')).selectAll().orderBy('figure', 'desc').orderBy(BY_ID);
  if (after !== undefined) {
    const [, figure, marketId] = after;
    query = query.where(sql<boolean>`(-figure, ${BY_ID}) > (${-figure}, ${marketId})`);
  }
  const page = await readPage(query, limit, (row): RankPosition => [endMs, row.figure, row.id]);
  return { items: page.items.map(toMarketView), next: page.next };
}

/** Sorts by code points, which gives the same order in every database. */
const BY_ID = sql<string>`id collate "C"`;

const SHARES_TRADED = sql<number>`coalesce(now.volume_shares, 0) - coalesce(day.volume_shares, 0)`;
const PROBABILITY_MOVED = sql<number>`abs(coalesce(now.probability_half_units, 2 * markets.prior_units)
  - coalesce(day.probability_half_units, 2 * markets.prior_units))`;

/** There are no trades after a settlement, and the probability stays at the payout. */
function mayHaveChangedSince(ms: number) {
  return sql<boolean>`(markets.resolved_at_ms is null or markets.resolved_at_ms > ${ms})`;
}

function filtered(
  db: ReadDb,
  { alikeBy, companySlug, phase, q, sector, status }: MarketFilter,
): SelectQueryBuilder<ReadTables, 'markets', object> {
  let query = db.selectFrom('markets');
  // A literal in the statement: a plan for any status would read every market that was ever listed.
  if (status !== undefined) query = query.where('markets.status', '=', sql.lit(status));
  if (phase !== undefined) query = query.where('markets.phase', '=', phase);
  if (sector !== undefined) query = query.where('markets.sector', '=', sector);
  if (companySlug !== undefined) query = query.where('markets.company_slug', '=', companySlug);
  if (q === undefined) return query;
  const text = searchForm(q);
  if (alikeBy === undefined) return query.where(contains(text));
  const like = sql`operator(${sql.id(alikeBy)}.%>)`;
  const resembles = (word: string) =>
    sql<boolean>`(markets.title_search ${like} ${word} or markets.names_search ${like} ${word})`;
  for (const word of text.split(/\s+/)) {
    query = query.where(word.length < TRIGRAM_WORD_MIN ? contains(word) : resembles(word));
  }
  return query;
}

/** The shortest word that is compared by trigrams: shorter ones have too few trigrams to resemble others. */
const TRIGRAM_WORD_MIN = 3;

/** Compares with `position` instead of LIKE, so that no character of the text is a wildcard. */
function contains(text: string) {
  return sql<boolean>`(strpos(markets.title_search, ${text}) > 0 or strpos(markets.names_search, ${text}) > 0)`;
}
