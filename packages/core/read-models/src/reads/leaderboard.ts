import { shownName } from '@paper/contracts';
import type { LeaderboardEntryView } from '@paper/contracts/accounts';
import { CompiledQuery, sql } from 'kysely';
import type { ExpressionBuilder, InferResult } from 'kysely';
import type { ReadDb, ReadTables } from '../models/tables.ts';
import { OPEN_SIDES, WORTH_HALF_UNITS } from '../models/accounts/queries.ts';
import { displayNameOf } from '../models/accounts/display-name.ts';

/** The first accounts of a ranking, and the number of all ranked accounts. */
export interface Ranking {
  readonly entries: readonly LeaderboardEntryView[];
  readonly total: number;
}

type RankRow = InferResult<ReturnType<typeof ranked>>[number];

/**
 * The number of a primary's sub-accounts that are ranked: those opened first. A choice by worth would show which rows
 * belong together; without a limit, one primary could fill the ranking.
 */
const RANKED_SUB_ACCOUNTS = 2;

/** The first ranked accounts, all at the same sequence. @param unranked accounts that are never ranked */
export async function rankAccounts(db: ReadDb, limit: number, unranked: readonly string[] = []): Promise<Ranking> {
  await allowMemory(db);
  return toRanking(await ranked(db, limit, unranked).execute());
}

/** A ranking of all accounts, held by Postgres in a cursor while the transaction lasts, from which pages are read. */
export class OpenRanking {
  #reading: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly db: ReadDb,
    readonly total: number,
  ) {}

  /** @param db a transaction, which may have only one open ranking. @param unranked accounts that are never ranked */
  static async open(db: ReadDb, unranked: readonly string[] = []): Promise<OpenRanking> {
    await allowMemory(db);
    const { sql: text, parameters } = ranked(db, null, unranked).compile();
    await db.executeQuery(CompiledQuery.raw(`declare ranking scroll cursor for ${text}`, [...parameters]));
    const { total } = await new OpenRanking(db, 0).page(0, 1);
    return new OpenRanking(db, total);
  }

  /** The accounts after the first `start`, at most `limit`. Pages are read one after the other. */
  page(start: number, limit: number): Promise<Ranking> {
    const page = this.#reading.then(async () => {
      await sql.raw(`move absolute ${Math.trunc(start)} in ranking`).execute(this.db);
      const { rows } = await sql.raw<RankRow>(`fetch ${Math.trunc(limit)} from ranking`).execute(this.db);
      return toRanking(rows, this.total);
    });
    this.#reading = page.catch(() => undefined);
    return page;
  }

  /** Resolves when no page is being read. */
  async idle(): Promise<void> {
    await this.#reading;
  }
}

/** Raises the memory for this transaction: with less, the sums of 100,000 accounts would go through files. */
async function allowMemory(db: ReadDb): Promise<void> {
  await sql`select set_config('work_mem', '64MB', true)`.execute(db);
}

/**
 * Ranked accounts by worth; of equal ones the older first. An account is ranked if it is open, has traded, started with
 * the usual balance, and is a primary or one of the first sub-accounts of its primary. Positions are valued at the time
 * of the query, so that a trade that moves a mark changes no row of the holders.
 * @param limit null: all accounts
 */
function ranked(db: ReadDb, limit: number | null, unranked: readonly string[]) {
  const isRanked = isRankedWithout(unranked);
  // Sums of whole numbers below 2^53 are exact as floats, and cost a third of sums of int8 (as numeric).
  const first = db
    .with('worth', (cte) =>
      cte
        .selectFrom('positions')
        .innerJoin('markets', 'markets.id', 'positions.market_id')
        .select([
          'positions.account_id',
          sql<number>`sum((${WORTH_HALF_UNITS})::float8)`.as('half_units'),
          sql<number>`sum(${OPEN_SIDES})`.as('sides'),
        ])
        .groupBy('positions.account_id'),
    )
    .selectFrom('accounts')
    .leftJoin('worth', 'worth.account_id', 'accounts.id')
    .select(['id', 'cash_units as cashUnits', 'starting_balance_units as startingBalanceUnits'])
    .select(['trades', 'volume_units as volumeUnits', displayNameOf().as('displayName'), 'created_seq'])
    .select([
      sql<number>`coalesce(worth.half_units, 0)::int8`.as('positionsHalfUnits'),
      sql<number>`coalesce(worth.sides, 0)::int8`.as('openPositions'),
      sql<number>`2 * cash_units + coalesce(worth.half_units, 0)`.as('half_units'),
    ])
    .select((eb) =>
      eb
        .selectFrom('accounts')
        .where(isRanked)
        .select(eb.fn.countAll<number>().as('n'))
        .$asScalar()
        .$notNull()
        .as('total'),
    )
    .where(isRanked)
    .orderBy('half_units', 'desc')
    .orderBy('created_seq')
    .$if(limit !== null, (query) => query.limit(limit ?? 0));
  // The rank of the first accounts follows from these rows alone: 1 plus the number of accounts that are worth more.
  return db
    .selectFrom(first.as('best'))
    .select(['id', 'displayName', sql<number>`rank() over (order by half_units desc)`.as('rank')])
    .select(['cashUnits', 'positionsHalfUnits', 'startingBalanceUnits', 'openPositions', 'trades', 'volumeUnits'])
    .select('total')
    .orderBy('half_units', 'desc')
    .orderBy('created_seq');
}

/** Whether the account of a row is ranked. */
const isRankedWithout = (unranked: readonly string[]) => (eb: ExpressionBuilder<ReadTables, 'accounts'>) => {
  const subAccount = eb.ref('sub_account_number');
  return eb.and([
    isOpenWithUsualBalance(eb),
    eb('trades', '>', 0),
    eb.or([eb(subAccount, 'is', null), eb(subAccount, '<=', RANKED_SUB_ACCOUNTS)]),
    ...(unranked.length === 0 ? [] : [eb('id', 'not in', unranked)]),
  ]);
};

/** Whether the account of a row is open, and started with the balance that makes results comparable. */
export function isOpenWithUsualBalance(eb: ExpressionBuilder<ReadTables, 'accounts'>) {
  return eb.and([
    eb('closed_seq', 'is', null),
    eb('starting_balance_units', '=', eb.selectFrom('settings').select('settings.starting_balance_units')),
  ]);
}

/** @param total the number of ranked accounts, if there may be no rows */
function toRanking(rows: readonly RankRow[], total = 0): Ranking {
  const entries = rows.map((row) => {
    const { total: _, displayName, ...entry } = row;
    return { ...entry, displayName: shownName(row.id, displayName) };
  });
  return { entries, total: rows[0]?.total ?? total };
}
