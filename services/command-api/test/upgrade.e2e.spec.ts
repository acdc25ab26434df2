import { spawn } from 'node:child_process';
import { createClient } from 'paper-trading-client';
import { createState, decide, evolve, openMarketsPastClose, RULES_VERSION } from '@paper/exchange';
import { SNAPSHOT_VERSION } from '@paper/exchange/snapshot';
import { decode, openJournal } from '@paper/journal';
import { ensureNameTables } from '@paper/names';
import { eventually, startEpoch, storeTestNames, testDatabase, withoutProgress } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { builtProgram } from '@paper/testkit/exchange';
import { createContenders } from '@paper/testkit/failover';
import type { Contenders } from '@paper/testkit/failover';
import { expect } from 'chai';
import { formerData, loadFormerData } from './upgrade/former-data.ts';

describe('data of a former build, with rules 1 and a snapshot', function () {
  this.timeout(240_000);
  const data = formerData();
  const former = data.events.map(decode);

  it('are folded by their own rules, and what they remember holds after the rules have changed', () => {
    const state = createState();
    for (const { event, command } of former) evolve(state, event, command);
    expect([state.rulesVersion, data.snapshot.version]).to.deep.equal([1, 3]);
    expect(SNAPSHOT_VERSION).to.be.greaterThan(data.snapshot.version);
    const epoch = { ...startEpoch(), at: state.lastAt };
    const begun = decide(state, epoch);
    if (begun.kind !== 'accepted') throw new Error('no epoch began');
    for (const event of begun.events) evolve(state, event, epoch);
    expect(state.rulesVersion).to.equal(RULES_VERSION);
    // The start names the market whose closesAt was changed to a past time. That market takes no orders.
    expect(openMarketsPastClose(state)).to.deep.equal(['open-for-ever']);
    let asked = 0;
    for (const { command, seq } of former) {
      if (command?.type !== 'PlaceOrder' || command.idempotency === null) continue;
      expect(decide(state, { ...command, at: state.lastAt })).to.deep.equal({ kind: 'replayed', seq });
      asked += 1;
    }
    expect(asked).to.be.at.least(25);
  });

  it('are upgraded, trade, fail over, and the audit of both epochs finds no fault', async () => {
    const database: TestDatabase = await testDatabase();
    await loadFormerData(database.connectionString, data);
    const contenders: Contenders = createContenders({
      DATABASE_URL: database.connectionString,
      JOURNAL_URL: '',
      OPERATOR_TOKENS: 'ops:token-of-the-upgrade-test',
      RATE_LIMITS: 'off',
    });
    try {
      const first = await contenders.start();
      await contenders.leader();
      // The snapshot's version is too old to be used. The log says so, and the service starts all the same.
      expect(first.output()).to.include('it is of version 3, this program reads version 9');
      // A writer may lead a moment before what it logs of that is read here.
      await eventually('the log names the market that closes no more by itself', () =>
        first.output().includes('/api/operator/markets/open-for-ever/close'),
      );
      const second = await contenders.start();
      await contenders.standsBy(second);
      expect(await order(first.url, 'alpha')).to.equal(200);
      expect(await order(first.url, 'open-for-ever')).to.equal(400);
      await contenders.remove(first);
      await contenders.leader(first);
      expect(await order(second.url, 'beta')).to.equal(200);
      const journal = await openJournal({ databaseUrl: database.connectionString });
      const rules = (await journal.read(1, 1_000))
        .map(decode)
        .flatMap(({ event }) => (event.type === 'WriterEpochStarted' ? [event.rulesVersion] : []));
      await journal.close();
      expect(rules).to.deep.equal([1, RULES_VERSION, RULES_VERSION]);
      expect(await audit(database.connectionString, ['--no-read-models'])).to.include({ code: 0, stderr: '' });
    } finally {
      await contenders.stop();
      await database.close();
    }
  });

  it('are audited: a name beside the one in an event of version 1, which would be shown instead, is found', async () => {
    const database = await testDatabase();
    try {
      const { connectionString } = database;
      await loadFormerData(connectionString, data);
      const clean = await audit(connectionString);
      // This journal was never projected, so it has no names to compare.
      expect(clean.stdout).to.match(/\nDisplay names: of \d+ accounts compared\.\nVERDICT: FAULT \(read models\)\n/);
      const opened = data.events.find(({ type }) => type === 'AccountOpened');
      const [, accountId = ''] = /"accountId":"([^"]+)"/.exec(opened?.publicText ?? '') ?? [];
      await ensureNameTables(connectionString);
      await storeTestNames(connectionString, 'main', [accountId]);
      const { code, stdout } = await audit(connectionString);
      expect(stdout).to.include(
        `\nVERDICT: FAULT (names)\n  at     sequence ${opened?.seq}, AccountOpened ${opened?.id}\n` +
          `  found  account ${accountId} (sequence ${opened?.seq}) has a name beside the one in its event\n`,
      );
      expect(code).to.equal(1);
    } finally {
      await database.close();
    }
  });

  async function order(url: string, marketId: string): Promise<number> {
    const client = createClient({ baseUrl: url, key: data.about.clients.ann.apiKey.rawKey });
    return (await client.request('placeOrder', { body: { marketId, outcome: 'yes', price: 0.2, quantity: 3 } })).status;
  }
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command that operators use to audit the journal. */
async function audit(connectionString: string, options: readonly string[] = []): Promise<Ended> {
  const program = await builtProgram('packages/operations/operator-cli/src/programs/audit');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...program.args, 'verify', ...options], {
      cwd: program.cwd,
      env: { ...process.env, DATABASE_URL: connectionString },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr: withoutProgress(stderr) }));
  });
}
