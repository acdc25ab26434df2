import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createState, decide, evolve } from '@paper/exchange';
import { createPostgresJournal, EMPTY_HEAD, encodeDecision, type StoredEvent } from '@paper/journal';
import { connectReadModels, ReadModels } from '@paper/read-models';
import { createWorkload, testDatabase, type TestDatabase } from '@paper/testkit';
import { expect } from 'chai';

const script = path.resolve(import.meta.dirname, '../rebuild.ts');

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(env: Record<string, string>): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', script], {
      env: { ...process.env, DATABASE_URL: '', ...env },
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** Everything that a seeded exchange decides, in a journal on Postgres; gives its last sequence. */
async function fillJournal(connectionString: string): Promise<number> {
  const journal = await createPostgresJournal({ connectionString });
  const state = createState();
  const workload = createWorkload({ seed: 9 });
  const stored: StoredEvent[] = [];
  let head = EMPTY_HEAD;
  for (let i = 0; i < 300; i += 1) {
    const command = workload.next();
    const decision = decide(state, command);
    workload.observe(command, decision);
    if (decision.kind !== 'accepted') continue;
    const encoded = encodeDecision({ command, events: decision.events, head, salt: '00'.repeat(16) });
    stored.push(...encoded.stored);
    for (const [index, event] of decision.events.entries()) evolve(state, event, index === 0 ? command : null);
    head = encoded.head;
  }
  await journal.append(EMPTY_HEAD, stored);
  await journal.close();
  return head.seq;
}

describe('npm run rebuild', function () {
  this.timeout(60_000);
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
      new RegExp(`^Rebuilt: ${seq} events in [\\d.]+ s \\(\\d+ events/s\\)\\. Served from read_v\\d+_2 now`),
    );

    // As beside a running service, whose embedded Postgres left its address.
    writeFileSync(path.join(dataDir, 'postgres.json'), JSON.stringify({ connectionString: database.connectionString }));
    const second = await run({ DATA_DIR: dataDir });
    expect(second).to.include({ code: 0, stderr: '' });
    expect(second.stdout).to.match(/Served from (?<version>read_v\d+_)3 now, before from \k<version>2\./);

    const db = connectReadModels({ connectionString: database.connectionString });
    expect(await new ReadModels(db).read((view) => Promise.resolve(view.seq))).to.equal(seq);
    await db.destroy();
  });

  it('says so when there is nothing to rebuild', async () => {
    const ended = await run({ DATA_DIR: path.join(dataDir, 'nowhere') });
    expect(ended).to.include({ code: 2, stdout: '' });
    expect(ended.stderr).to.match(/^There is nothing to rebuild: no folder .*nowhere\. Set DATA_DIR\.\n$/);
  });
});
