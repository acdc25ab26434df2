import type { LedgerEntryView } from '@paper/contracts';
import { OUTCOMES } from '@paper/exchange';
import type { ReadDb } from '../models/tables.ts';
import type { Page } from '../models/views.ts';
import { fillsAfter } from '../models/fills/queries.ts';
import { fleetOf } from '../models/accounts/keys.ts';
import { cutPage } from '../models/page.ts';

export interface LedgerFilter {
  readonly limit: number;
  readonly after?: LedgerPosition | undefined;
}

/** The last item of the page before: the sequence of its event, and its place among the event's items, from 0. */
export type LedgerPosition = readonly [seq: number, place: number];

/** A movement; the id of the event that opened an account is in the journal only. */
export type LedgerRow = Omit<LedgerEntryView, 'eventId'> & { readonly eventId: string | null };

/**
 * Every movement of cash and shares of a primary account and its sub-accounts, oldest first. All of them together are
 * the accounts' cash and positions. No event moves anything of two accounts of a fleet, which never trade with each
 * other. A merge has two items, YES first; every other event has one.
 */
export async function listLedger(
  db: ReadDb,
  primaryAccountId: string,
  filter: LedgerFilter,
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

/** Rows after a sequence, so many at most. */
interface Part {
  readonly after: number;
  readonly limit: number;
}

async function openings(db: ReadDb, primaryAccountId: string, { after, limit }: Part): Promise<LedgerRow[]> {
  const rows = await fleetOf(db, primaryAccountId)
    .select(['id', 'primary_account_id', 'starting_balance_units', 'created_at_ms', 'created_seq'])
    .where('created_seq', '>', after)
    .orderBy('created_seq')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    seq: row.created_seq,
    eventId: null,
    type: row.primary_account_id === null ? 'AccountOpened' : 'SubAccountOpened',
    at: row.created_at_ms,
    accountId: row.id,
    cashUnits: row.starting_balance_units,
    marketId: null,
    outcome: null,
    shares: 0,
    priceUnits: null,
    orderId: null,
  }));
}

async function trades(db: ReadDb, primaryAccountId: string, { after, limit }: Part): Promise<LedgerRow[]> {
  const rows = await fillsAfter(fleetOf(db, primaryAccountId), after, limit).execute();
  return rows.map((row) => {
    const bought = row.side === 'buy' ? row.quantity : -row.quantity;
    return {
      seq: row.seq,
      eventId: row.id,
      type: 'OrderFilled',
      at: row.at_ms,
      accountId: row.account_id,
      cashUnits: -bought * row.price_units,
      marketId: row.market_id,
      outcome: row.outcome,
      shares: bought,
      priceUnits: row.price_units,
      orderId: row.order_id,
    };
  });
}

// Account by account, as fills are.
async function settlements(db: ReadDb, primaryAccountId: string, { after, limit }: Part): Promise<LedgerRow[]> {
  const rows = await fleetOf(db, primaryAccountId)
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('settlements')
          .selectAll('settlements')
          .whereRef('settlements.account_id', '=', 'accounts.id')
          .where('settlements.seq', '>', after)
          .orderBy('settlements.seq')
          .limit(limit)
          .as('settlement'),
      (join) => join.onTrue(),
    )
    .selectAll('settlement')
    .orderBy('settlement.seq')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    seq: row.seq,
    eventId: row.id,
    type: 'PositionSettled',
    at: row.at_ms,
    accountId: row.account_id,
    cashUnits: row.payout_units,
    marketId: row.market_id,
    outcome: row.outcome,
    shares: -row.shares,
    priceUnits: row.payout_units / row.shares,
    orderId: null,
  }));
}

/** The price of each share of a merged pair: the pair pays $1, and neither share is worth more than the other. */
const MERGED_PRICE_UNITS = 5_000;

async function merges(db: ReadDb, primaryAccountId: string, { after, limit }: Part): Promise<LedgerRow[]> {
  const rows = await fleetOf(db, primaryAccountId)
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('merges')
          .selectAll('merges')
          .whereRef('merges.account_id', '=', 'accounts.id')
          .where('merges.seq', '>', after)
          .orderBy('merges.seq')
          .limit(limit)
          .as('merge'),
      (join) => join.onTrue(),
    )
    .selectAll('merge')
    .orderBy('merge.seq')
    .limit(limit)
    .execute();
  return rows.flatMap((row) =>
    OUTCOMES.map((outcome) => ({
      seq: row.seq,
      eventId: row.id,
      type: 'SharesMerged' as const,
      at: row.at_ms,
      accountId: row.account_id,
      cashUnits: MERGED_PRICE_UNITS * row.quantity,
      marketId: row.market_id,
      outcome,
      shares: -row.quantity,
      priceUnits: MERGED_PRICE_UNITS,
      orderId: null,
    })),
  );
}
