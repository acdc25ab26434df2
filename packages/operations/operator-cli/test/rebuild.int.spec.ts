import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createPostgresJournal } from '@paper/journal';
import { connectReadModels, ReadModels } from '@paper/read-models';
import { SimulatedJournal, testDatabase, withoutProgress } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { builtProgram } from '@paper/testkit/exchange';
import { expect } from 'chai';

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command; `began` is called with its process. */
async function run(
  env: Record<string, string>,
  options: readonly string[] = [],
  began?: (child: ChildProcess) => void,
) {
  const { args } = await builtProgram('packages/operations/operator-cli/src/programs/rebuild');
  return new Promise<Ended>((resolve, reject) => {
    const child = spawn(process.execPath, [...args, ...options], {
      env: { ...process.env, DATABASE_URL: '', ...env },
    });
    began?.(child);
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr: withoutProgress(stderr) }));
  });
}

/** Fills a journal on Postgres with the decisions of a seeded exchange; gives its last sequence. */
async function fillJournal(connectionString: string): Promise<number> {
  const journal = await createPostgresJournal({ connectionString });
  const simulated = new SimulatedJournal({ seed: 9 }, journal);
  await simulated.run(300);
  await journal.close();
  return simulated.head.seq;
}

describe('npm run rebuild', function () {
  this.timeout(180_000);
  let database: TestDatabase;
  let dataDir: string;
  before(async () => {
    database = await testDatabase();
    dataDir = mkdtempSync(path.join(tmpdir(), 'paper-rebuild-'));
  });
  after(async () => {
    rmSync(dataDir, { recursive: true, force: true });
    await database.close();
  });

  it('refills from the journal of DATABASE_URL, again and again', async () => {
    const seq = await fillJournal(database.connectionString);
    const first = await run({ DATABASE_URL: database.connectionString });
    expect(first).to.include({ code: 0, stderr: '' });
    expect(first.stdout).to.match(
      new RegExp(
        `^Rebuilt: ${seq} events, in [\\d.]+ s \\(\\d+ events/s\\)\\. Served from read_v\\d+_1 now, before from nothing`,
      ),
    );

    // Simulates a running service: its embedded Postgres has the folder, with its address in it.
    mkdirSync(path.join(dataDir, 'postgres'));
    writeFileSync(path.join(dataDir, 'postgres.json'), JSON.stringify({ connectionString: database.connectionString }));
    const second = await run({ DATA_DIR: dataDir });
    expect(second).to.include({ code: 0, stderr: '' });
    expect(second.stdout).to.match(/Served from (?<version>read_v\d+_)2 now, before from \k<version>1, which is kept/);

    const db = connectReadModels({ connectionString: database.connectionString });
    expect(await new ReadModels(db).read((view) => Promise.resolve(view.seq))).to.equal(seq);
    await db.destroy();
  });

  it('lists the schemas, goes back, and drops the former one', async () => {
    const env = { DATABASE_URL: database.connectionString };
    interface Status {
      readonly headSeq: number;
      readonly running: boolean;
      readonly schemas: readonly { readonly schema: string; readonly status: string; readonly seq: number }[];
    }
    const status = async (): Promise<Status> => JSON.parse((await run(env, ['--status', '--json'])).stdout) as Status;
    const { headSeq, running, schemas } = await status();
    expect(running).to.equal(false);
    expect(schemas.map((one) => [one.status, one.seq])).to.deep.equal([
      ['active', headSeq],
      ['former', headSeq],
    ]);
    const [serving, former] = schemas.map(({ schema }) => schema);
    expect(await run(env, ['--back'])).to.deep.equal({
      code: 0,
      stdout: `Back: served from ${former} at event ${headSeq} now, before from ${serving}.\n`,
      stderr: '',
    });
    expect((await run(env, ['--status'])).stdout).to.match(new RegExp(`${former} │ serving`));
    expect((await run(env, ['--retire'])).stdout).to.equal(`${serving}: dropped.\n`);
    expect((await status()).schemas.map(({ schema }) => schema)).to.deep.equal([former]);
    const nothing = await run(env, ['--back']);
    expect(nothing).to.deep.equal({ code: 2, stdout: '', stderr: 'there is no former schema to go back to\n' });
    expect((await run(env, ['--abort'])).stdout).to.equal('Nothing is half-filled.\n');
  });

  it('refuses options that do not go together, and a rate that is none', async () => {
    const both = await run({}, ['--back', '--retire']);
    expect(both.code).to.equal(2);
    expect(both.stderr).to.include('--back and --retire cannot be given together.');
    const rate = await run({}, ['--throttle', '1']);
    expect(rate.code).to.equal(2);
    expect(rate.stderr).to.include('a whole number at least 20 is needed');
  });

  it('says so when there is nothing to rebuild, and creates no database', async () => {
    const empty = path.join(dataDir, 'empty');
    mkdirSync(empty);
    for (const folder of [path.join(dataDir, 'nowhere'), empty]) {
      const stderr = `There is nothing to rebuild: no folder ${path.join(folder, 'postgres')}. Set DATA_DIR.\n`;
      expect(await run({ DATA_DIR: folder })).to.deep.equal({ code: 2, stderr, stdout: '' });
    }
    expect(readdirSync(empty)).to.deep.equal([]);
  });
});
