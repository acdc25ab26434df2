import { shownName } from '@paper/contracts';
import { EQUITY_POINTS } from '@paper/contracts/accounts';
import type { TraderView } from '@paper/contracts/accounts';
import { sql } from 'kysely';
import { displayNameOf } from '../models/accounts/display-name.ts';
import { accountsWithWorth, OPEN_SIDES } from '../models/accounts/queries.ts';
import { TAKER } from '../models/fills/queries.ts';
import type { ReadDb } from '../models/tables.ts';
import { accountsAsOf } from './as-of/accounts.ts';
import { positionsAsOf, tradedMarkets, worthHalfUnits } from './as-of/positions.ts';
import { isOpenWithUsualBalance } from './leaderboard.ts';

/** The most positions that are looked up for an equity curve: markets that the account has traded × points in time. */
const LOOKUPS_MAX = 1_600;

/**
 * The public results of an account; null if it is unknown, closed or forgotten, or began with another than the usual
 * balance. The equity curve goes from `fromMs`, or the opening, to `newestAtMs`, the time of the newest event.
 */
export async function findTrader(
  db: ReadDb,
  newestAtMs: number,
  accountId: string,
  fromMs: number | null = null,
): Promise<TraderView | null> {
  const row = await accountsWithWorth(db)
    .select(['id', 'created_at_ms as createdAt', 'created_seq', 'trades', 'volume_units as volumeUnits'])
    .select(displayNameOf().as('displayName'))
    .select((eb) =>
      eb
        .selectFrom('positions')
        .whereRef('account_id', '=', 'accounts.id')
        .select(sql<number>`coalesce(sum(${OPEN_SIDES}), 0)`.as('sides'))
        .$asScalar()
        .$notNull()
        .as('openPositions'),
    )
    .where('id', '=', accountId)
    .where('forgotten_seq', 'is', null)
    .where(isOpenWithUsualBalance)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { created_seq: openedSeq, displayName, ...trader } = row;
  const { createdAt: openedMs } = row;
  const beginMs = fromMs === null || fromMs <= openedMs ? null : Math.min(fromMs, newestAtMs);
  const between = await equityBetween(db, accountId, { openedSeq, openedMs, beginMs, toMs: newestAtMs });
  const before = beginMs === null ? undefined : between.findLast(({ at }) => at <= beginMs);
  return {
    ...trader,
    displayName: shownName(accountId, displayName),
    equity: [
      ...(beginMs === newestAtMs
        ? []
        : [{ valueHalfUnits: 2 * row.startingBalanceUnits, ...before, at: beginMs ?? openedMs }]),
      ...between.filter(({ at }) => at > (beginMs ?? openedMs)),
      { at: newestAtMs, valueHalfUnits: 2 * row.cashUnits + row.positionsHalfUnits },
    ],
  };
}

interface Span {
  readonly openedSeq: number;
  readonly openedMs: number;
  /** The start of the equity curve; null: the opening, whose value is known. */
  readonly beginMs: number | null;
  readonly toMs: number;
}

/**
 * The account's value at points in time until now. The first point may be before `beginMs`, with the value then. A
 * point costs a few index steps for each market that the account ever traded, so more markets mean fewer points.
 */
async function equityBetween(db: ReadDb, accountId: string, span: Span) {
  const markets = await tradedMarkets(db, [accountId])
    .selectFrom('traded')
    .select('market_id')
    .limit(LOOKUPS_MAX + 1)
    .execute();
  const count = Math.min(EQUITY_POINTS - 2, Math.floor(LOOKUPS_MAX / markets.length));
  const found = await momentsBetween(db, span, count);
  const seqs = found.map(({ seq }) => seq);
  const account = db.selectFrom('accounts').where('accounts.id', '=', accountId);
  const values = new Map<number, number>();
  for (const { cashUnits, seq } of await accountsAsOf(account, seqs)) values.set(seq, 2 * cashUnits);
  for (const position of await positionsAsOf(db, [accountId], seqs)) {
    values.set(position.seq, (values.get(position.seq) ?? 0) + worthHalfUnits(position));
  }
  return found.map(({ at, seq }) => ({ at, valueHalfUnits: values.get(seq) ?? 0 }));
}

/** The exchange's last trade until each of at most `count` evenly spread times, as its sequence and time. */
async function momentsBetween(db: ReadDb, { openedSeq, openedMs, beginMs, toMs }: Span, count: number) {
  const stepMs = Math.ceil((toMs - (beginMs ?? openedMs)) / (count + 1));
  if (stepMs <= 0) return [];
  const firstMs = beginMs ?? openedMs + stepMs;
  const times = sql<{ ms: number }>`generate_series(${firstMs}::int8, ${toMs - 1}::int8, ${stepMs}::int8)`;
  return db
    .selectFrom(times.as<'time'>(sql`time(ms)`))
    .crossJoinLateral((eb) =>
      eb
        .selectFrom('fills')
        .select(['fills.seq', 'fills.at_ms as at'])
        .where('role', '=', TAKER)
        .whereRef('at_ms', '<=', 'time.ms')
        .where('at_ms', '>=', openedMs)
        .orderBy('at_ms', 'desc')
        .orderBy('seq', 'desc')
        .limit(1)
        .as('traded'),
    )
    .select(['seq', 'at'])
    .distinct()
    .where('seq', '>', openedSeq)
    .orderBy('seq')
    .execute();
}
