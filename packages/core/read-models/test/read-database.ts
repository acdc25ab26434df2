import { ensureNameTables } from '@paper/names';
import { testDatabase } from '@paper/testkit';
import type { SimulatedJournal } from '@paper/testkit';
import { sql } from 'kysely';
import { connectReadModels } from '../src/projection/database.ts';
import type { ReadDb } from '../src/models/tables.ts';
import { Projection } from '../src/projection/projection.ts';
import type { ProjectionSettings } from '../src/projection/projection.ts';
import { catchUp } from '../src/projection/projector.ts';
import type { CatchUpOptions } from '../src/projection/projector.ts';
import { prepareReadModels, registerSchema } from '../src/projection/registry.ts';
import { TABLES } from '../src/models/tables.ts';

export type FillOptions = Pick<CatchUpOptions, 'batchSize' | 'partSize'> & Pick<ProjectionSettings, 'positionsMax'>;

/** A database with an empty registry, for one test or one suite. */
export interface ReadDatabase {
  readonly connectionString: string;
  readonly db: ReadDb;
  /** A new empty schema that is not active. */
  newSchema(): Promise<string>;
  /** A new schema that holds all of this journal. */
  filled(simulated: SimulatedJournal, how?: FillOptions): Promise<string>;
  close(): Promise<void>;
}

export async function readDatabase(): Promise<ReadDatabase> {
  const database = await testDatabase();
  const db = connectReadModels({ connectionString: database.connectionString, maxConnections: 5 });
  await prepareReadModels(db);
  await ensureNameTables(database.connectionString);
  const newSchema = (): Promise<string> => db.transaction().execute((trx) => registerSchema(trx, 'filling'));
  return {
    connectionString: database.connectionString,
    db,
    newSchema,
    async filled(simulated, { positionsMax, ...batches } = {}) {
      const schema = await newSchema();
      const settings = positionsMax === undefined ? {} : { positionsMax };
      const projection = await Projection.open(db, schema, settings);
      await catchUp(projection, simulated.journal, simulated.head.seq, batches);
      return schema;
    },
    async close() {
      await db.destroy();
      await database.close();
    },
  };
}

/** Every row of every table, in the order of its key. */
export async function dumpSchema(db: ReadDb, schema: string): Promise<Record<string, unknown[]>> {
  const dump: Record<string, unknown[]> = {};
  for (const [name, { primaryKey }] of Object.entries(TABLES)) {
    const { rows } =
      await sql`select * from ${sql.id(schema, name)} order by ${sql.raw(primaryKey.join(', '))}`.execute(db);
    dump[name] = rows;
  }
  return dump;
}

/** A database for the tests of this suite. The first one of a process starts a server, which takes seconds. */
export function useReadDatabase(): () => ReadDatabase {
  let database: ReadDatabase | null = null;
  before(async function () {
    this.timeout(60_000);
    database = await readDatabase();
  });
  after(() => database?.close());
  return () => {
    if (database === null) throw new Error('the database is there from the first hook on');
    return database;
  };
}
