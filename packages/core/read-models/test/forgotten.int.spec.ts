import type { Command } from '@paper/exchange/commands';
import {
  base,
  eventually,
  issueKey,
  listMarket,
  openAccount,
  openSubAccount,
  OPERATOR,
  orderFrom,
  startEpoch,
} from '@paper/testkit';
import { expect } from 'chai';
import { sql } from 'kysely';
import { Projection } from '../src/projection/projection.ts';
import { rankAccounts } from '../src/reads/leaderboard.ts';
import { useProjectedExchange } from './projected-exchange.ts';
import { useReadDatabase } from './read-database.ts';

const close: Command = { ...base(OPERATOR, 'close-ann'), accountId: 'ann', type: 'CloseAccount' };
const forget: Command = { ...base(OPERATOR, 'forget-ann'), accountId: 'ann', type: 'ForgetDisplayNames' };

describe('a closed account in the read models', () => {
  const database = useReadDatabase();
  const { schema, submit } = useProjectedExchange(database);

  const ranked = async () => {
    const { entries, total } = await database()
      .db.withSchema(schema())
      .transaction()
      .execute((trx) => rankAccounts(trx, 10));
    return [entries.map(({ id }) => id), total];
  };
  const keyNames = async (): Promise<readonly string[]> => {
    const rows = await database().db.withSchema(schema()).selectFrom('api_keys').select('name').orderBy('id').execute();
    return rows.map(({ name }) => name);
  };
  const vacuums = async (): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      select coalesce(sum(vacuum_count), 0)::int8 as count from pg_stat_user_tables
      where schemaname = ${schema()} and relname in ('accounts', 'api_keys')`.execute(database().db);
    return Number(rows[0]?.count);
  };

  before(async () => {
    await submit(startEpoch(), openAccount('ann'), openSubAccount('sub'), issueKey('spare'), openAccount('bob'));
    // They are ranked from their first fill on.
    const orders = ['a bob buy no 2 @ 0.5', 'b ann buy yes 1 @ 0.5', 'c sub buy yes 1 @ 0.5'].map(orderFrom);
    await submit(listMarket('m'), ...orders);
  });

  it('is not ranked any more, nor are its sub-accounts', async () => {
    expect(await ranked()).to.deep.equal([['ann', 'sub', 'bob'], 3]);
    await submit(close);
    expect(await ranked()).to.deep.equal([['bob'], 1]);
    expect(await keyNames()).to.deep.equal(['default', 'default', 'a key', 'default']);
  });

  it('has no names of keys once it is forgotten, and the tables are vacuumed', async () => {
    const before = await vacuums();
    await submit(forget);
    expect(await keyNames()).to.deep.equal(['forgotten', 'default', 'forgotten', 'forgotten']);
    await eventually('both tables are vacuumed', async () => (await vacuums()) >= before + 2);
  });

  it('is vacuumed by the next projector too, whose former one may have been killed before', async () => {
    const before = await vacuums();
    await (await Projection.open(database().db, schema())).resumeVacuum();
    await eventually('both tables are vacuumed again', async () => (await vacuums()) >= before + 2);
  });
});
