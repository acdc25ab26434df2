import { ensureNameTables, openNames } from '@paper/names';
import type { NameStore } from '@paper/names';
import { testDatabase } from '@paper/testkit';
import { withClient } from '@paper/runtime';
import { expect } from 'chai';

const DIGEST = 'd'.repeat(64);
const SALT = Buffer.alloc(32, 7);

/** The table as builds before renaming made it. */
const FORMER_TABLE = `
  create schema coordination;
  create table coordination.names (
    account_id text primary key, shard text not null, salt bytea not null, name text not null, pending boolean not null
  );
  create index names_pending on coordination.names (shard) where pending;
  insert into coordination.names values ('ann', 'main', '\\x01', 'Ann', false), ('bob', 'main', '\\x02', 'Bob', true)`;

describe('the table of names', () => {
  let connectionString: string;
  let close: () => Promise<void>;
  let store: NameStore;

  beforeEach(async () => {
    const database = await testDatabase();
    ({ connectionString } = database);
    close = () => database.close();
    await withClient({ connectionString }, (client) => client.query(FORMER_TABLE));
    store = await openNames({ connectionString, shard: 'main' });
  });
  afterEach(async () => {
    await store.close();
    await close();
  });

  it('of a former build keeps its names, as those of openings, and takes later ones', async () => {
    const ann = { accountId: 'ann', digest: '' };
    expect(await store.find(ann)).to.equal('Ann');
    expect(await store.pending()).to.deep.equal([{ accountId: 'bob', digest: '' }]);
    await store.store([{ accountId: 'ann', digest: DIGEST, name: 'Ann II', salt: SALT }]);
    expect([await store.find({ accountId: 'ann', digest: DIGEST }), await store.find(ann)]).to.deep.equal([
      'Ann II',
      'Ann',
    ]);
    // Another start finds nothing to do.
    await ensureNameTables(connectionString);
    expect(await store.find(ann)).to.equal('Ann');
  });

  it('settles and drops single names, and forgets all of an account', async () => {
    const [first, later] = [
      { accountId: 'bob', digest: '' },
      { accountId: 'bob', digest: DIGEST },
    ] as const;
    await store.store([{ ...later, name: 'Bobby', salt: SALT }]);
    await store.settle([first]);
    expect(await store.pending()).to.deep.equal([later]);
    await store.drop([first, later]);
    expect([await store.find(first), await store.find(later)]).to.deep.equal(['Bob', null]);
    await store.store([{ ...later, name: 'Bobby', salt: SALT }]);
    await store.settle([later]);
    await store.forget(['bob']);
    expect([await store.find(first), await store.find(later)]).to.deep.equal([null, null]);
    expect(await store.find({ accountId: 'ann', digest: '' })).to.equal('Ann');
  });
});
