import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { createEventStoreJournal, createPostgresJournal, withhold } from '@paper/journal';
import type { StoredEvent } from '@paper/journal';
import { testDatabase, withoutProgress } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { builtProgram } from '@paper/testkit/exchange';
import { eventStoreAt, testEventStore } from '@paper/testkit/servers';
import { appendAll, makeEvents } from '@paper/auditor/test/audited-journal';
import pg from 'pg';

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe('npm run export', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  let events: readonly StoredEvent[];
  let folder: string;
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'paper-export-'));
    events = makeEvents(4, 400);
    database = await testDatabase();
    const journal = await createPostgresJournal({ connectionString: database.connectionString });
    await appendAll(journal, events);
    await journal.close();
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await database.close();
  });

  async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    const program = await builtProgram('packages/operations/operator-cli/src/programs/export');
    const options = {
      cwd: folder,
      env: { ...process.env, DATA_DIR: folder, DATABASE_URL: database.connectionString, JOURNAL_URL: '', ...env },
    };
    return new Promise((resolve) => {
      const child = execFile(process.execPath, [...program.args, ...args], options, (_error, stdout, stderr) => {
        resolve({ code: child.exitCode ?? -1, stdout, stderr: withoutProgress(stderr) });
      });
    });
  }

  const manifestOf = (out: string): unknown =>
    JSON.parse(readFileSync(path.join(folder, out, 'manifest.json'), 'utf8'));

  it('writes the journal of DATABASE_URL as a role that reads public parts alone', async () => {
    const reader = await readerOf(database.connectionString);
    try {
      const { code, stderr, stdout } = await run(['--out', 'all'], { DATABASE_URL: reader.connectionString });
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
      const last = events.at(-1);
      expect(stdout).to.match(
        /^Exported [\d,]+ events in [\d.]+ s \([\d,]+ events\/s\) to all:\n {2}markets\.parquet {2}/,
      );
      expect(stdout).to.include(`manifest.json  through sequence ${last?.seq}, hash ${last?.hash}\n`);
      expect(manifestOf('all')).to.have.property('journal').that.includes({ headSeq: last?.seq, headHash: last?.hash });
    } finally {
      await reader.drop();
    }
  });

  it('writes the same of a downloaded journal', async () => {
    writeFileSync(path.join(folder, 'public.ndjson'), events.map((event) => `${lineOf(event)}\n`).join(''));
    expect(await run(['--out', 'downloaded', '--journal', 'public.ndjson'])).to.include({ code: 0, stderr: '' });
    expect(manifestOf('downloaded')).to.deep.equal(manifestOf('all'));
  });

  if (eventStoreAt().toShare) {
    it('writes the same of a journal in EventStoreDB', async () => {
      const connectionString = await testEventStore();
      const shard = `export-${randomUUID()}`;
      const journal = await createEventStoreJournal({ connectionString, shard });
      await appendAll(journal, events);
      await journal.close();
      const env = { JOURNAL_URL: connectionString, SHARD: shard };
      // The metadata of Parquet names the shard.
      for (const [out, from] of [
        ['eventstore', env],
        ['postgres', {}],
      ] as const) {
        expect(await run(['--out', out, '--format', 'csv'], from)).to.include({ code: 0, stderr: '' });
      }
      expect(tablesOf(manifestOf('eventstore'))).to.deep.equal(tablesOf(manifestOf('postgres')));
    });
  } else {
    it('writes the same of a journal in EventStoreDB: no server is here');
  }

  it('says what is wrong with its options, and writes nothing', async () => {
    const before = readdirSync(folder);
    for (const [args, message] of [
      [[], /^--out is missing\./],
      [['--out', 'x', '--format', 'xml'], /^--format: xml is not a choice\. It is parquet, csv, ndjson, journal\./],
      [
        ['--out', 'x', '--tables', 'trades,fills'],
        /^--tables: no table is fills; these are: markets, accounts, signals, trades,/,
      ],
      [['--out', 'x', '--from', 'yesterday'], /^--from must be an ISO 8601 time in UTC, such as 2027-12-31T23:59:00Z/],
      [['--out', 'x', '--from', '2027-01-02T00:00:00Z', '--to', '2027-01-01T00:00:00Z'], /^--from is not before --to/],
      [['--out', 'x', '--journal', 'nowhere.ndjson'], /^A journal is at postgresql:\/\/… or esdb:\/\/…, or in a file/],
    ] as const) {
      const { code, stderr } = await run(args);
      expect(code, args.join(' ')).to.equal(2);
      expect(stderr).to.match(message);
    }
    const elsewhere = await run(['--out', 'x'], { SHARD: 'other' });
    expect(elsewhere).to.include({ code: 2 });
    expect(elsewhere.stderr).to.match(/^There is no journal of shard other in that database, but of: main \(SHARD\)/);
    expect(readdirSync(folder)).to.deep.equal(before);
  });
});

/** The line of an event as GET /api/journal serves it. */
function lineOf(event: StoredEvent): string {
  const { hash, id, privateDigest, publicText, seq, type } = withhold(event);
  return JSON.stringify({ hash, id, privateDigest, publicText, seq, type });
}

function tablesOf(manifest: unknown): unknown {
  return (manifest as { readonly tables: unknown }).tables;
}

/** A role that may read the view of public parts and the head, and nothing else. */
async function readerOf(connectionString: string) {
  const owner = new pg.Client({ connectionString });
  await owner.connect();
  const name = `export_reader_${process.pid}`;
  const password = 'only-for-this-test';
  await owner.query(`create role ${name} login password '${password}'`);
  await owner.query(`grant usage on schema journal to ${name}`);
  await owner.query(`grant select on journal.head, journal.public_events to ${name}`);
  const url = new URL(connectionString);
  url.username = name;
  url.password = password;
  return {
    connectionString: url.toString(),
    drop: async () => {
      await owner.query(`drop owned by ${name}`);
      await owner.query(`drop role ${name}`);
      await owner.end();
    },
  };
}
