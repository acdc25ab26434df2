import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { ReadDb, ReadTables, TableName } from '../models/tables.ts';
import { checkInvariants } from './invariants.ts';
import { hasCheckpoint } from '../engine/divergence.ts';
import type { ComparedJournal } from '../engine/divergence.ts';
import { activeSchema } from '../projection/registry.ts';
import { TABLES } from '../models/tables.ts';
import { withRebuildLock } from './connections.ts';
import { dropSchema } from './drop.ts';
import { RebuildRefused } from './rebuild-lock.ts';
import { Filler } from './filler.ts';
import { beginFilling, LEADERBOARD_SUFFIX } from './filling.ts';
import { createPace } from './pace.ts';
import { FILL_BATCH_SIZE } from '../projection/projector.ts';
import type { RebuildOptions } from './rebuild.ts';

/** The tables of a ranking that are corrected. `markets` is not one, since the projection has its rows in memory. */
const RANKING_TABLES = ['settings', 'accounts', 'positions'] as const;

/** The tables from which the fold resumes after an interruption. */
const RESUMED_TABLES: readonly TableName[] = ['markets', 'book_levels', 'signals', 'minutes'];

/**
 * Refolds only the tables behind the leaderboard beside those that serve, and corrects the rows that differ in one
 * transaction. The tables are not exchanged: a reader with an older snapshot would find the new ones empty.
 * Returns the number of corrected rows of each table.
 * @throws RebuildRunning, RebuildRefused, ProjectionFault, InvariantBroken, errors of the database or the journal.
 */
export async function correctLeaderboard(options: RebuildOptions) {
  const { journal, onProgress, batchSize = FILL_BATCH_SIZE, eventsPerSecond } = options;
  return withRebuildLock(options, async ({ db, filler }) => {
    const active = await activeSchema(db);
    if (active === null) throw new RebuildRefused('there are no read models of this version yet: rebuild all of them');
    const { schema, resumedAt } = await beginFilling(db, journal, LEADERBOARD_SUFFIX);
    const tables = new Set([...RANKING_TABLES, ...RESUMED_TABLES]);
    const successor = new Filler(filler, journal, schema, 'filling', tables);
    const fill = (target: number): Promise<number> =>
      successor.fillTo(target, {
        batchSize,
        ...(eventsPerSecond === undefined ? {} : createPace(eventsPerSecond)),
        onProgress: ({ seq }) => onProgress?.({ phase: 'filling', seq, target }),
      });
    // The fold ends where the active schema is, since rows are compared at the same sequence.
    const { seq: target } = await readCheckpoint(db, active, journal);
    await fill(target);
    onProgress?.({ phase: 'checking', seq: target, target });
    await checkInvariants(db, schema, ['money is conserved', 'shares come in pairs']);
    const corrected = await db.transaction().execute(async (trx) => {
      // The lock makes the live projector wait.
      await trx.withSchema(active).selectFrom('checkpoint').select('seq').forUpdate().execute();
      const { seq } = await readCheckpoint(trx, active, journal);
      if ((await fill(seq)) !== seq) throw new RebuildRefused('what serves has gone back meanwhile: try again');
      onProgress?.({ phase: 'swapping', seq, target: seq });
      await sql`set local work_mem = '128MB'`.execute(trx);
      const corrected = {
        settings: await correct(trx, 'settings', active, schema),
        accounts: await correct(trx, 'accounts', active, schema),
        positions: await correct(trx, 'positions', active, schema),
      };
      return { seq, corrected };
    });
    await dropSchema(db, schema, 'filling');
    return { schema: active, resumedAt, ...corrected };
  });
}

async function readCheckpoint(db: ReadDb, schema: string, journal: ComparedJournal) {
  const checkpoint = await db.withSchema(schema).selectFrom('checkpoint').selectAll().executeTakeFirstOrThrow();
  if (await hasCheckpoint(journal, checkpoint)) return checkpoint;
  throw new RebuildRefused('what serves is of another journal: rebuild all of it');
}

/** Makes the rows of `schema` equal to those of `right`. Returns the number of rows that differed. */
async function correct(
  trx: Transaction<ReadTables>,
  table: (typeof RANKING_TABLES)[number],
  schema: string,
  right: string,
): Promise<number> {
  const [wrong, good] = [sql.id(schema, table), sql.id(right, table)];
  const names = Object.keys(TABLES[table].columns);
  const key: readonly string[] = TABLES[table].primaryKey;
  const same = sql.raw(key.map((column) => `t.${column} = g.${column}`).join(' and '));
  const set = names.filter((name) => !key.includes(name)).map((name) => `${name} = excluded.${name}`);
  const removed = await sql`
    delete from ${wrong} t where not exists (select from ${good} g where ${same})`.execute(trx);
  const columns = sql.raw(names.join(', '));
  const put = await sql`
    insert into ${wrong} (${columns}) (select ${columns} from ${good} except select ${columns} from ${wrong})
    on conflict (${sql.raw(key.join(', '))}) do update set ${sql.raw(set.join(', '))}`.execute(trx);
  return Number((removed.numAffectedRows ?? 0n) + (put.numAffectedRows ?? 0n));
}
