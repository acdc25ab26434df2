import type { LedgerEntryView } from '@paper/contracts/journal';
import { OUTCOMES } from '@paper/exchange/vocabulary';
import type { ReadDb } from '../models/tables.ts';
import { fillsAfter } from '../models/fills/queries.ts';
import { fleetOf } from '../models/accounts/keys.ts';
import { cutPage } from '../models/page.ts';
import type { Page, PageRequest } from '../models/page.ts';
import type { RowsAfter } from '../models/accounts/rows-after.ts';
import { mergesAfter, settlementsAfter } from '../models/settlements/queries.ts';

/** The last item of the previous page: the sequence of its event, and its index among the event's items, from 0. */
export type LedgerPosition = readonly [seq: number, place: number];

/** A movement. The id of the event that opened an account is only in the journal. */
export type LedgerRow = Omit<LedgerEntryView, 'eventId'> & { readonly eventId: string | null };

/**
 * Every movement of cash and shares of a primary and its sub-accounts, oldest first; they add up to cash and positions.
 * No event moves something for two of these accounts, since they never trade with each other. A merge has two items,
 * YES first; every other event has one.
 */
export async function listLedger(
  db: ReadDb,
  primaryAccountId: string,
  filter: PageRequest<LedgerPosition>,
): Promise<Page<LedgerRow, LedgerPosition>> {
  const [after, place] = filter.after ?? [0, 0];
  const part = { after, limit: filter.limit + 1 };
  const rows = [
    ...(await openings(db, primaryAccountId, part)),
    ...(await trades(db, primaryAccountId, part)),
    ...(await settlements(db, primaryAccountId, part)),
    ...(await merges(db, primaryAccountId, { ...part, after: after - 1 })).filter(
      (row) => row.seq > after || placeOf(row) > place,
    ),
  ].sort((a, b) => a.seq - b.seq);
  return cutPage(rows, filter.limit, (last): LedgerPosition => [last.seq, placeOf(last)]);
}

function placeOf({ type, outcome }: LedgerRow): number {
  return type === 'SharesMerged' && outcome === 'no' ? 1 : 0;
}

const NO_SHARES = { marketId: null, outcome: null, shares: 0, priceUnits: null, orderId: null } as const;

async function openings(db: ReadDb, primaryAccountId: string, { after, limit }: RowsAfter): Promise<LedgerRow[]> {
  const rows = await fleetOf(db, primaryAccountId)
    .select(['id as accountId', 'primary_account_id', 'starting_balance_units as cashUnits'])
    .select(['created_at_ms as at', 'created_seq as seq'])
    .where('created_seq', '>', after)
    .orderBy('created_seq')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    ...row,
    eventId: null,
    type: row.primary_account_id === null ? 'AccountOpened' : 'SubAccountOpened',
    ...NO_SHARES,
  }));
}

async function trades(db: ReadDb, primaryAccountId: string, part: RowsAfter): Promise<LedgerRow[]> {
  const rows = await fillsAfter(fleetOf(db, primaryAccountId), part).execute();
  return rows.map((row) => {
    const bought = row.side === 'buy' ? row.quantity : -row.quantity;
    return {
      ...row,
      eventId: row.id,
      type: 'OrderFilled',
      at: row.createdAt,
      cashUnits: -bought * row.priceUnits,
      shares: bought,
    };
  });
}

async function settlements(db: ReadDb, primaryAccountId: string, part: RowsAfter): Promise<LedgerRow[]> {
  const rows = await settlementsAfter(fleetOf(db, primaryAccountId), part).execute();
  return rows.map((row) => ({
    ...row,
    eventId: row.id,
    type: 'PositionSettled',
    at: row.settledAt,
    cashUnits: row.payoutUnits,
    shares: -row.shares,
    priceUnits: row.payoutUnits / row.shares,
    orderId: null,
  }));
}

/** The price of each share of a merged pair: the pair pays $1, and both shares count the same. */
const MERGED_PRICE_UNITS = 5_000;

async function merges(db: ReadDb, primaryAccountId: string, part: RowsAfter): Promise<LedgerRow[]> {
  const rows = await mergesAfter(fleetOf(db, primaryAccountId), part).execute();
  return rows.flatMap((row) =>
    OUTCOMES.map((outcome) => ({
      ...row,
      eventId: row.id,
      type: 'SharesMerged' as const,
      cashUnits: MERGED_PRICE_UNITS * row.quantity,
      outcome,
      shares: -row.quantity,
      priceUnits: MERGED_PRICE_UNITS,
      orderId: null,
    })),
  );
}
