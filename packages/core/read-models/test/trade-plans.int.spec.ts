import { isLongSuiteLeftOut } from '@paper/testkit';
import { expect } from 'chai';
import { sql } from 'kysely';
import { listTrades } from '../src/models/fills/queries.ts';
import { createIndexes } from '../src/engine/create-schema.ts';
import { ALL_TABLES } from '../src/models/tables.ts';
import { connectReadModels } from '../src/projection/database.ts';
import type { ReadDb } from '../src/models/tables.ts';
import { NEWEST_AT } from './large-tables.ts';
import { genericPlanOf, planOf, rowsRead, statementsOf, stepsOf } from './query-plan.ts';
import type { PlanNode } from './query-plan.ts';
import { useReadDatabase } from './read-database.ts';
import { tradeFilters } from './trade-filters.ts';

const TRADES = 2_000_000;
const MARKETS = 1_000;
const LIMIT = 500;
/** A trade has two rows, of which one is its taker's; each bound by a time costs a row more. */
const ROWS_MAX = 2 * (LIMIT + 1) + 10;
/** Every third trade is in it. */
const HOT = 'market-0';
/** Has a thousandth of the other trades. */
const USUAL = 'market-500';
/** Has every third trade of the first half, and none after it: what follows must not be searched for more. */
const STOPPED = 'market-stopped';
/** Was traded at the very beginning only, so a range of times is empty. */
const EARLY = 'market-early';

/** One trade a millisecond until NEWEST_AT, in every tenth event. */
async function fillTrades(db: ReadDb, schema: string): Promise<void> {
  await sql`insert into ${sql.id(schema, 'fills')}
    select 10 * n + 1, role, 'fill-' || n, 'account-' || n % 997, role || '-' || n,
      case when n <= 100 then ${EARLY} when n % 3 = 0 then ${HOT} when n % 3 = 1 and n < ${TRADES}::int / 2 then ${STOPPED} else 'market-' || 1 + n % (${MARKETS}::int - 1) end,
      'buy', 'yes', 5000, 5000, 10, 'mint', 10000, 10000, ${NEWEST_AT}::int8 - ${TRADES}::int8 + n, 90000000, 10, 0, 50000, 0
    from generate_series(1, ${TRADES}::int) n, (values ('taker'), ('maker')) r (role)`.execute(db);
}

describe('GET /api/trades over two million trades of 1,000 markets reads a page by an index', () => {
  if (isLongSuiteLeftOut()) return;
  const database = useReadDatabase();
  let pool: ReadDb;
  let schema: string;

  before(async function () {
    this.timeout(900_000);
    schema = await database().newSchema();
    await fillTrades(database().db, schema);
    await createIndexes(database().db, schema, ALL_TABLES);
    await sql`vacuum analyze ${sql.id(schema, 'fills')}`.execute(database().db);
    pool = connectReadModels({ connectionString: database().connectionString, maxConnections: 1 });
  });
  after(() => pool.destroy());

  const filters = tradeFilters({
    fromMs: NEWEST_AT - TRADES / 2,
    toMs: NEWEST_AT - TRADES / 4,
    after: 10 * 1_300_000,
    markets: [HOT, USUAL, STOPPED, EARLY, 'market-unknown'],
  });

  for (const { filter, name } of filters) {
    it(`trades${name}`, async () => {
      const query = (db: ReadDb) => listTrades(db, { ...filter, limit: LIMIT });
      const statements = await statementsOf(pool, schema, query);
      expect(statements).to.have.length(1);
      for (const statement of statements) {
        for (const plan of [await planOf(pool, statement), await genericPlanOf(pool, statement)]) {
          expectIndexed(statement.sql, plan);
        }
      }
    });
  }

  function expectIndexed(text: string, plan: PlanNode): void {
    const shown = `${text}\n${JSON.stringify(plan, null, 1)}`;
    expect(rowsRead(plan), shown).to.be.at.most(ROWS_MAX);
    const scansAll = stepsOf(plan).filter((step) => /Sort|Seq Scan|Bitmap/.test(step));
    expect(scansAll, shown).to.deep.equal([]);
  }
});
