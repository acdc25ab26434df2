import { expect } from 'chai';
import { sql } from 'kysely';
import { createTrigramIndexes, installTrigrams, trigramSchema } from '../src/engine/trigrams.ts';
import { ALL_TABLES } from '../src/models/tables.ts';
import { activeSchema } from '../src/projection/registry.ts';
import { readDatabase } from './read-database.ts';
import type { ReadDatabase } from './read-database.ts';

describe('the extension that finds typos', () => {
  let database: ReadDatabase;
  let schema: string;

  before(async () => {
    database = await readDatabase();
    schema = (await activeSchema(database.db)) ?? '';
  });
  after(() => database.close());

  const indexes = async (): Promise<readonly string[]> => {
    const { rows } = await sql<{ name: string }>`select indexname as name from pg_indexes
      where schemaname = ${schema} and indexname like '%by_likeness'`.execute(database.db);
    return rows.map(({ name }) => name);
  };

  it('is installed with the read models, whose new schemas have the index', async () => {
    expect(await trigramSchema(database.db)).to.equal('read_models');
    expect(await indexes()).to.deep.equal(['markets_by_likeness']);
  });

  it('leaves everything else as it is where the role may not install it', async () => {
    await database.db.transaction().execute(async (trx) => {
      await sql`drop extension pg_trgm cascade`.execute(trx);
      await sql`create role no_installer`.execute(trx);
      await sql`set local role no_installer`.execute(trx);
      await installTrigrams(trx, 'read_models');
      await createTrigramIndexes(trx, schema, ALL_TABLES);
      expect(await trigramSchema(trx)).to.equal(null);
      await sql`reset role`.execute(trx);
      await sql`drop role no_installer`.execute(trx);
    });
    expect(await indexes()).to.deep.equal([]);
  });

  it('gives its index to a schema that was made without', async () => {
    await installTrigrams(database.db, 'read_models');
    await createTrigramIndexes(database.db, schema, ALL_TABLES);
    await createTrigramIndexes(database.db, schema, ALL_TABLES);
    expect(await indexes()).to.deep.equal(['markets_by_likeness']);
  });
});
