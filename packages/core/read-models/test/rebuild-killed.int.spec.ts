import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createPostgresJournal } from '@paper/journal';
import type { Journal } from '@paper/journal';
import { createRandom, IS_LONG_RUN, SimulatedJournal } from '@paper/testkit';
import { expect } from 'chai';
import { sql } from 'kysely';
import { fillWhereEmpty } from '../src/rebuild/fill-empty.ts';
import { rebuild } from '../src/rebuild/rebuild.ts';
import { rebuildStatus } from '../src/rebuild/status.ts';
import { activeSchema } from '../src/projection/registry.ts';
import { BeingFilled, ReadModels } from '../src/serving/read-models.ts';
import { dumpSchema, useReadDatabase } from './read-database.ts';

const ROUNDS = IS_LONG_RUN ? 5 : 2;
const program = path.join(import.meta.dirname, 'rebuild-process.ts');

describe('a rebuild that is killed', function () {
  this.timeout(180_000);
  const database = useReadDatabase();
  const random = createRandom(77);
  let journal: Journal;
  let simulated: SimulatedJournal;
  before(async () => {
    journal = await createPostgresJournal({ connectionString: database().connectionString });
    simulated = new SimulatedJournal({ seed: 31 }, journal);
  });
  after(() => journal.close());

  /** Kills it after so many steps; gives whether it was still at work. */
  const killAfter = async (steps: number, env: NodeJS.ProcessEnv = {}): Promise<boolean> => {
    const child = fork(program, [], {
      env: { ...process.env, ...env, DATABASE_URL: database().connectionString },
      execArgv: ['--import', 'tsx'],
    });
    const ended = once(child, 'exit');
    let told = 0;
    child.on('message', () => {
      told += 1;
      if (told === steps) child.kill('SIGKILL');
    });
    await ended;
    return child.signalCode === 'SIGKILL';
  };

  it('leaves what serves as it was, wherever it was killed, and the next one goes on from there', async () => {
    const { db, connectionString } = database();
    await simulated.run(400);
    const served = await activeSchema(db);
    let reached = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      if (!(await killAfter(random.int(1, 12)))) break;
      expect(await activeSchema(db)).to.equal(served);
      const [, filling] = (await rebuildStatus(connectionString)).schemas;
      expect(filling?.seq ?? 0).to.be.at.least(reached);
      reached = filling?.seq ?? 0;
    }
    expect(reached).to.be.greaterThan(0);
    const { schema, resumedAt } = await rebuild({ journal, connectionString });
    expect(resumedAt).to.be.at.least(reached);
    expect(await dumpSchema(db, schema)).to.deep.equal(await dumpSchema(db, await database().filled(simulated)));
  });

  it('does so too where it is the first fill of empty read models, and nothing is served meanwhile', async () => {
    const { db, connectionString } = database();
    const { schemas } = await rebuildStatus(connectionString);
    for (const { schema } of schemas) await sql`drop schema ${sql.id(schema)} cascade`.execute(db);
    await sql`delete from read_models.versions`.execute(db);
    // A shorter journal is followed, not filled from.
    await simulated.run(1_000);
    const { seq: end } = simulated.head;
    let reached = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      if (!(await killAfter(random.int(5, 12), { FIRST_FILL: 'on' }))) break;
      expect(await new ReadModels(db).seq().catch((error: unknown) => error)).to.be.instanceOf(BeingFilled);
      const [filling] = (await rebuildStatus(connectionString)).schemas;
      expect(filling?.seq ?? 0).to.be.at.least(reached);
      reached = filling?.seq ?? 0;
    }
    expect(reached).to.be.greaterThan(0).and.below(end);
    await fillWhereEmpty(db, { connectionString, journal });
    expect(await new ReadModels(db).seq()).to.equal(end);
    const schema = (await activeSchema(db)) ?? '';
    expect(await dumpSchema(db, schema)).to.deep.equal(await dumpSchema(db, await database().filled(simulated)));
  });
});
