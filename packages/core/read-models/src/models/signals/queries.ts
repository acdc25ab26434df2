import type { SignalView } from '@paper/contracts';
import type { Selectable } from 'kysely';
import type { ReadDb, ReadTables } from '../tables.ts';
import type { Page } from '../views.ts';
import { cutPage } from '../page.ts';

export interface SignalFilter {
  readonly limit: number;
  /** The sequence of the last item of the page before. */
  readonly after?: number | undefined;
}

/** Cited signals of all markets and of the platform, newest first. */
export async function listRecentSignals(db: ReadDb, filter: SignalFilter): Promise<Page<SignalView>> {
  let query = db.selectFrom('signals').select(SIGNAL_COLUMNS).orderBy('seq', 'desc');
  if (filter.after !== undefined) query = query.where('seq', '<', filter.after);
  const rows = await query.limit(filter.limit + 1).execute();
  const page = cutPage(rows, filter.limit, (row) => row.seq);
  return {
    items: page.items.map(toSignalView),
    next: page.next,
  };
}

/** The columns of a SignalView. */
export const SIGNAL_COLUMNS = [
  'signals.id',
  'signals.source',
  'signals.headline',
  'signals.citation_url',
  'signals.published_at_ms',
  'signals.market_id',
  'signals.prob_before_half_units',
  'signals.prob_after_half_units',
  'signals.fair_prob',
  'signals.seq',
] as const;

type SignalRow = Pick<
  Selectable<ReadTables['signals']>,
  | 'id'
  | 'source'
  | 'headline'
  | 'citation_url'
  | 'published_at_ms'
  | 'market_id'
  | 'prob_before_half_units'
  | 'prob_after_half_units'
  | 'fair_prob'
  | 'seq'
>;

export function toSignalView(row: SignalRow): SignalView {
  return {
    id: row.id,
    source: row.source,
    headline: row.headline,
    citationUrl: row.citation_url,
    publishedAt: row.published_at_ms,
    marketId: row.market_id,
    beforeHalfUnits: row.prob_before_half_units,
    afterHalfUnits: row.prob_after_half_units,
    fairProb: row.fair_prob,
    seq: row.seq,
  };
}
