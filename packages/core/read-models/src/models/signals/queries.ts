import type { SignalView } from '@paper/contracts/signals';
import type { ReadDb } from '../tables.ts';
import { readPage } from '../page.ts';
import type { Page, PageRequest } from '../page.ts';

/** The recorded signals (news with a source) about markets and about the whole platform, newest first. */
export function listRecentSignals(db: ReadDb, { after, limit }: PageRequest): Promise<Page<SignalView>> {
  let query = db.selectFrom('signals').select(SIGNAL_COLUMNS).orderBy('seq', 'desc');
  if (after !== undefined) query = query.where('seq', '<', after);
  return readPage(query, limit, (row) => row.seq);
}

export const SIGNAL_COLUMNS = [
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
