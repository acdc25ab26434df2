import { testDatabase } from '@paper/testkit';
import { expect } from 'chai';
import pg from 'pg';
import { FoundRowSets } from '../src/verify/rows/found-row-sets.ts';
import type { Row } from '../src/verify/rows/row.ts';
import { RowSets, textOf } from '../src/verify/rows/row-sets.ts';

const EXPECTED: readonly Row[] = [
  { id: 'a', amount: 1, reason: null, open: true },
  { id: 'b', amount: -2, reason: '', open: false },
  { id: 'c', amount: 9_007_199_254_740_991, reason: 'ä "€" \\ 𝕏\n', open: true },
  { id: 'd', amount: 0, reason: 'null', open: null },
];

/** Rows that a forged table could have instead of the expected ones; their number is the same. */
const DAMAGES: Readonly<Record<string, string>> = {
  'a number that is one more': `update t set amount = amount + 1 where id = 'a'`,
  'a null in place of an empty text': `update t set reason = null where id = 'b'`,
  'an empty text in place of a null': `update t set reason = '' where id = 'a'`,
  'a truth value in place of a null': `update t set open = false where id = 'd'`,
  'the character of a null in place of a null': `update t set reason = E'\\x1e' where id = 'a'`,
  'a value that moved to the next column': `update t set id = E'b\\x1f-2', amount = 0, reason = '' where id = 'b'`,
  'two numbers whose sum is the same': `update t set amount = amount + case id when 'a' then 5 else -5 end where id in ('a', 'b')`,
  'two rows that exchanged a value': `update t set amount = case id when 'a' then -2 else 1 end where id in ('a', 'b')`,
  'two rows that are a third one twice': `update t set (id, amount, reason, open) = ('e', 7, '', true) where id in ('a', 'b')`,
  'one row twice and another not at all': `update t set (id, amount, reason, open) = ('a', 1, null, true) where id = 'b'`,
};

describe('hashes of sets of rows', function () {
  this.timeout(30_000);
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let client: pg.Client;
  before(async () => {
    database = await testDatabase();
    client = new pg.Client({ connectionString: database.connectionString });
    await client.connect();
    await client.query('create table t (id text, amount bigint, reason text, open boolean)');
  });
  beforeEach(async () => {
    await client.query('truncate t');
    for (const row of EXPECTED) await client.query('insert into t values ($1, $2, $3, $4)', Object.values(row));
  });
  after(async () => {
    await client.end();
    await database.close();
  });

  /** Hashes what the table has, and these rows with the same key. */
  async function sets(expected: readonly Row[]) {
    await client.query('begin isolation level repeatable read');
    const found = await FoundRowSets.open(database.connectionString, client, 'public');
    try {
      const rowSets = new RowSets(found.key);
      // The name of the table is one of the read models' in production.
      for (const row of expected) rowSets.add('t' as 'fills', row);
      const [due] = rowSets.all;
      return { due, found: await found.scan('t' as 'fills', Object.keys(EXPECTED[0] ?? {})) };
    } finally {
      await found.close();
      await client.query('commit');
    }
  }

  it('are the same in Postgres and here, in any order', async () => {
    const { due, found } = await sets(EXPECTED.toReversed());
    expect(due).to.deep.include({ columns: ['id', 'amount', 'reason', 'open'], rows: 4 });
    expect(due?.hash).to.match(/^[0-9a-f]{32}$/);
    expect(found).to.deep.equal({ hash: due?.hash, rows: 4 });
  });

  it('are of a new key each time', async () => {
    expect((await sets(EXPECTED)).found.hash).not.to.equal((await sets(EXPECTED)).found.hash);
  });

  it('are of the rows of the snapshot', async () => {
    await client.query('begin isolation level repeatable read');
    const found = await FoundRowSets.open(database.connectionString, client, 'public');
    const other = new pg.Client({ connectionString: database.connectionString });
    await other.connect();
    await other.query(`delete from t where id = 'a'`);
    await other.end();
    expect((await found.scan('t' as 'fills', ['id'])).rows).to.equal(4);
    await found.close();
    await client.query('commit');
  });

  for (const [what, damage] of Object.entries(DAMAGES)) {
    it(`differ where the table has ${what}`, async () => {
      await client.query(damage);
      const { due, found } = await sets(EXPECTED);
      expect(found.rows).to.equal(due?.rows);
      expect(found.hash).not.to.equal(due?.hash);
    });
  }

  it('are none where an expected value has a character that ends values', () => {
    expect(textOf({ id: 'a', reason: 'b' })).to.equal('a\x1fb\x1f');
    for (const reason of ['b\x1f', '\x1e']) {
      const rowSets = new RowSets('00');
      rowSets.add('fills', { id: 'a', reason });
      expect(rowSets.all).to.deep.equal([{ table: 'fills', columns: ['id', 'reason'], rows: 1, hash: null }]);
    }
  });
});
