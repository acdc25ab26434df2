import type { SignalView } from '@paper/contracts/signals';
import type { ReadDb } from '../tables.ts';
import type { Page } from '../views.ts';
import { cutPage } from '../page.ts';

export interface SignalFilter {
  readonly limit: number;
  /** The sequence of the last item of the previous page. */
  readonly after?: number | undefined;
}

/** Cited signals of all markets and of the platform, newest first. */
export async function listRecentSignals(db: ReadDb, filter: SignalFilter): Promise<Page<SignalView>> {
  let query = db.selectFrom('signals').select(SIGNAL).orderBy('seq', 'desc');
  if (filter.after !== undefined) query = query.where('seq', '<', filter.after);
  const rows = await query.limit(filter.limit + 1).execute();
  return cutPage(rows, filter.limit, (row) => row.seq);
}

export const SIGNAL = [
  'signals.id',
  'signals.source',
  'signals.headline',
  'signals.citation_url as citationUrl',
  'signals.published_at_ms as publishedAt',
  'signals.market_id as marketId',
  'signals.prob_before_half_units as beforeHalfUnits',
  'signals.prob_after_half_units as afterHalfUnits',
  'signals.fair_prob as fairProb',
  'signals.seq',
] as const;
