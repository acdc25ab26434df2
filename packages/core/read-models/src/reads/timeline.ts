import { DAY_MS } from '@paper/contracts/units';
import { OWN_SOURCE, resolutionHeadline, tradeHeadline } from '@paper/contracts/signals';
import type { TimelineEntryView } from '@paper/contracts/signals';
import { sql } from 'kysely';
import type { ReadDb } from '../models/tables.ts';
import { cutPage } from '../models/page.ts';
import type { Page, PageRequest } from '../models/page.ts';
import { TAKER } from '../models/fills/queries.ts';

interface Part {
  readonly marketId: string;
  readonly before: number;
  readonly limit: number;
}

/** An entry and its sequence, which orders the entries. */
type Placed = readonly [seq: number, entry: TimelineEntryView];

const NO_SIGNAL = { fairProb: null, factValue: null, threshold: null, confidence: null, freshnessMs: null } as const;

/** A market's signals, trades and resolution before `after`: the newest `limit`, oldest first. Null: unknown market. */
export async function findTimeline(
  db: ReadDb,
  marketId: string,
  { limit, after = Number.MAX_SAFE_INTEGER }: PageRequest,
): Promise<Page<TimelineEntryView> | null> {
  const market = await db.selectFrom('markets').select('id').where('id', '=', marketId).executeTakeFirst();
  if (market === undefined) return null;
  const part = { marketId, before: after, limit: limit + 1 };
  const found = [...(await signals(db, part)), ...(await trades(db, part)), ...(await resolution(db, part))];
  found.sort(([a], [b]) => b - a);
  const page = cutPage(found, limit, ([seq]) => seq);
  return { items: page.items.map(([, entry]) => entry).reverse(), next: page.next };
}

async function signals(db: ReadDb, { marketId, before, limit }: Part): Promise<Placed[]> {
  const rows = await db
    .selectFrom('signals')
    .select(['seq', 'published_at_ms as date', 'headline', 'source', 'event', 'citation_url as citationUrl'])
    .select(['fair_prob as fairProb', 'fact_value as factValue', 'threshold', 'confidence'])
    .select(['prob_before_half_units as beforeHalfUnits', 'prob_after_half_units as afterHalfUnits'])
    .select(['freshness_ms as freshnessMs', 'external_id as externalId', 'interpolated'])
    .where('market_id', '=', marketId)
    .where('seq', '<', before)
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ seq, event, ...row }) => {
    // A signal moves no price. A market's signal always has a probability.
    const probabilityHalfUnits = row.beforeHalfUnits ?? 0;
    return [
      seq,
      { kind: 'signal', event: event ?? 'SignalRecorded', relatedSignalId: null, probabilityHalfUnits, ...row },
    ];
  });
}

async function trades(db: ReadDb, { marketId, before, limit }: Part): Promise<Placed[]> {
  const rows = await db
    .selectFrom('fills')
    .selectAll('fills')
    .select((eb) =>
      eb
        .selectFrom('signals')
        .select(
          sql<string | null>`case when signals.at_ms >= fills.at_ms - ${sql.lit(DAY_MS)} then signals.id end`.as('id'),
        )
        .whereRef('signals.market_id', '=', 'fills.market_id')
        .whereRef('signals.seq', '<', 'fills.seq')
        .orderBy('signals.seq', 'desc')
        .limit(1)
        .as('signal_id'),
    )
    .where('fills.role', '=', TAKER)
    .where('fills.market_id', '=', marketId)
    .where('fills.seq', '<', before)
    .orderBy('fills.seq', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => [
    row.seq,
    {
      kind: 'trade',
      date: row.at_ms,
      headline: tradeHeadline(row.outcome, row.quantity, row.price_units),
      source: OWN_SOURCE,
      event: 'OrderFilled',
      citationUrl: null,
      ...NO_SIGNAL,
      beforeHalfUnits: row.prob_before_half_units,
      afterHalfUnits: row.prob_after_half_units,
      probabilityHalfUnits: row.prob_after_half_units,
      externalId: row.id,
      relatedSignalId: row.signal_id,
      interpolated: false,
    },
  ]);
}

async function resolution(db: ReadDb, { marketId, before }: Part): Promise<Placed[]> {
  const row = await db
    .selectFrom('resolutions')
    .selectAll()
    .where('market_id', '=', marketId)
    .where('seq', '<', before)
    .executeTakeFirst();
  if (row === undefined) return [];
  const paidHalfUnits = 2 * row.price_units;
  const entry: TimelineEntryView = {
    kind: 'resolution',
    date: row.at_ms,
    headline: row.headline ?? resolutionHeadline(row.outcome, paidHalfUnits),
    source: row.source ?? OWN_SOURCE,
    event: row.outcome === null ? 'MarketVoided' : 'MarketResolved',
    citationUrl: row.citation_url,
    ...NO_SIGNAL,
    beforeHalfUnits: row.prob_before_half_units,
    afterHalfUnits: paidHalfUnits,
    probabilityHalfUnits: paidHalfUnits,
    externalId: row.id,
    relatedSignalId: null,
    interpolated: false,
  };
  return [[row.seq, entry]];
}
