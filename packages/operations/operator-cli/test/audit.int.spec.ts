import { spawn } from 'node:child_process';
import { createPublicKey, randomUUID, verify as verifySignature } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { createEventStoreJournal, withhold } from '@paper/journal';
import { startFakeEventStore } from '@paper/journal/test/fake-eventstore';
import { longTest, testDatabase, withoutProgress } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { builtProgram } from '@paper/testkit/exchange';
import { eventStoreAt, testEventStore } from '@paper/testkit/servers';
import { appendAll, auditedJournal, makeEvents } from '@paper/auditor/test/audited-journal';
import type { AuditedJournal } from '@paper/auditor/test/audited-journal';
import { EDITS, FORGERIES } from '@paper/auditor/test/damages';
import { JOURNAL_TABLE_DAMAGES, NAME_DAMAGES, READ_MODEL_DAMAGES } from '@paper/auditor/test/table-damages';

/** One example of each kind of damage, since the command reports all of them in the same way. */
const SEEN_BY_COMMAND = {
  'a head row that was lost': JOURNAL_TABLE_DAMAGES['a head row that was lost'],
  'an empty head row': JOURNAL_TABLE_DAMAGES['an empty head row'],
  'a public text that is NULL': JOURNAL_TABLE_DAMAGES['a public text that is NULL'],
  'a foreign table beside the events': JOURNAL_TABLE_DAMAGES['a foreign table beside the events'],
  'read models that are not there': READ_MODEL_DAMAGES['read models that are not there'],
  'a second checkpoint row': READ_MODEL_DAMAGES['a second checkpoint row'],
  'a name that is missing': NAME_DAMAGES['a name that is missing'],
  'a name of another text': NAME_DAMAGES['a name of another text'],
  'a name of no account': NAME_DAMAGES['a name of no account'],
};

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

describe('npm run audit', function () {
  this.timeout(120_000);
  let audited: AuditedJournal;
  let empty: TestDatabase;
  let dataDir: string;
  before(async () => {
    audited = await auditedJournal(11, 2_000);
    empty = await testDatabase();
    dataDir = mkdtempSync(path.join(tmpdir(), 'paper-audit-'));
  });
  after(async () => {
    rmSync(dataDir, { recursive: true, force: true });
    await empty.close();
    await audited.close();
  });

  async function audit(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
    const program = await builtProgram('packages/operations/operator-cli/src/programs/audit');
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [...program.args, ...args], {
        cwd: dataDir,
        env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: audited.connectionString, ...env },
      });
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, stdout, stderr: withoutProgress(stderr) }));
    });
  }

  it('verifies the journal of DATABASE_URL, or another one that is named', async () => {
    const last = audited.events.at(-1);
    const whole = await audit(['verify']);
    expect(whole).to.include({ code: 0, stderr: '' });
    expect(whole.stdout).to.match(
      /^Journal main: [\d,]+ of [\d,]+ events, in [\d.]+ s \([\d,]+ events\/s\)\.\nRead models read_v\S+ at sequence [\d,]+: [\d,]+ rows compared\.\nDisplay names: of \d+ accounts compared\.\n/,
    );
    expect(whole.stdout.trimEnd().split('\n').at(-1)).to.equal(
      `VERDICT: everything holds. The journal ends at ${last?.seq} with ${last?.hash}.`,
    );
    const journal = ['--journal', audited.connectionString];
    const named = await audit(['verify', ...journal, '--no-read-models', '--no-names', '--from', '100'], {
      DATABASE_URL: '',
    });
    expect(named).to.include({ code: 0, stderr: '' });
    expect(named.stdout).to.match(/judged from 100 on/);
    expect(named.stdout.trimEnd().split('\n').at(-1)).to.equal(
      `VERDICT: everything that was judged holds. The journal ends at ${last?.seq} with ${last?.hash}. ` +
        'Not compared: texts and hashes of the first 99 events (--from); the read models (--no-read-models); the display names and identity (--no-names).',
    );
  });

  for (const [what, damage] of Object.entries({
    ...EDITS,
    'a command that is decided twice': FORGERIES['a command that is decided twice'],
    'a payout of a unit more': FORGERIES['a payout of a unit more'],
  })) {
    it(`ends with 1 and names the event at fault: ${what}`, async function () {
      if (what !== 'a deleted event') longTest(this);
      const { events = [], check, seq = 0, tells = /^$/ } = damage?.(audited.events) ?? {};
      await audited.store(events);
      try {
        const { code, stderr, stdout } = await audit(['verify', '--no-read-models']);
        expect({ code, stderr }).to.deep.equal({ code: 1, stderr: '' });
        const there = events.find((event) => event.seq === seq);
        const event = there === undefined ? '' : `, ${there.type} ${there.id}`;
        expect(stdout).to.match(new RegExp(`^Journal main: ${(seq - 1).toLocaleString('en-US')} of [\\d,]+ events, `));
        expect(stdout).to.include(`\nVERDICT: FAULT (${check})\n  at     sequence ${seq}${event}\n  found  `);
        const [, found, right] =
          /\n {2}found {2}(.+)\n {2}right {2}(.+)\nNot compared: the read models \(--no-read-models\); the display names and identity \(a fault came first\)\.\n$/.exec(
            stdout,
          ) ?? [];
        expect(`${there?.type} ${there?.id} ${found}; right would be: ${right}`).to.match(tells);
      } finally {
        await audited.restore();
      }
    });
  }

  for (const [what, damage] of Object.entries(SEEN_BY_COMMAND)) {
    it(`ends with 1, never with 0, and names ${what}`, async function () {
      if (what !== 'a name that is missing') longTest(this);
      const { db, schema } = audited;
      await db.query(damage?.damage(schema) ?? '');
      try {
        const { code, stderr, stdout } = await audit(['verify']);
        expect({ code, stderr }).to.deep.equal({ code: 1, stderr: '' });
        expect(stdout).to.include(`\nVERDICT: FAULT (${damage?.check})\n`);
        const [, seq, found, right] =
          /\n {2}at {5}(sequence .+)\n {2}found {2}(.+)\n {2}right {2}(.+)\n/.exec(stdout) ?? [];
        expect(`at ${seq?.replace(/, (.*)$/, ' ($1)')} ${found}; right would be: ${right}`).to.match(
          damage?.tells ?? /^$/,
        );
      } finally {
        await db.query(damage?.undo?.(schema) ?? '');
        await audited.restore();
      }
    });
  }

  it('says last that a fault came before the read models were compared', async function () {
    longTest(this);
    await audited.db.query('delete from journal.head');
    try {
      const { code, stdout } = await audit(['verify']);
      expect(code).to.equal(1);
      expect(stdout.trimEnd().split('\n').at(-1)).to.equal(
        'Not compared: the read models, the display names and identity (a fault came first).',
      );
    } finally {
      await audited.restore();
    }
  });

  it('verifies a file that was downloaded, without any database, and says what it cannot see', async () => {
    const file = path.join(dataDir, 'journal.ndjson');
    const lines = audited.events.map((event) => `${JSON.stringify(withhold(event))}\n`);
    writeFileSync(file, lines.join(''));
    const whole = await audit(['verify', '--journal', file], { DATABASE_URL: '' });
    expect(whole).to.include({ code: 0, stderr: '' });
    expect(whole.stdout)
      .to.match(/\nDecided again: no, since who sent the commands is withheld from this journal\.\n/)
      .and.to.match(
        /\nVERDICT: everything that can be seen holds\. The journal ends at \d+ with [0-9a-f]{64}\. Not compared: the decisions \(.*\); the read models, the display names and identity \(a file has none; --read-models names them\)\.\n$/,
      );
    const book = ['book', 'market-1', '--at', '400', '--format', 'csv'];
    const past = await audit([...book, '--journal', file], { DATABASE_URL: '' });
    expect(past).to.deep.equal(await audit(book));
    writeFileSync(file, [...lines.slice(0, 700), ...lines.slice(701)].join(''));
    const damaged = await audit(['verify', '--journal', file], { DATABASE_URL: '' });
    expect(damaged.code).to.equal(1);
    expect(damaged.stdout).to.match(/VERDICT: FAULT \(contiguous sequence\)\n {2}at {5}sequence 701\n/);
  });

  it("prints texts of a stranger's journal escaped: they steered the terminal", async () => {
    const file = path.join(dataDir, 'hostile.ndjson');
    const evil = '\u001b[2J\u202e\nVERDICT: everything holds.';
    const lines = audited.events.map((event) =>
      JSON.stringify({ ...withhold(event), ...(event.seq === 9 ? { id: evil } : {}) }),
    );
    writeFileSync(file, `${lines.join('\n')}\n`);
    const { code, stderr, stdout } = await audit(['verify', '--journal', file], { DATABASE_URL: '' });
    expect([code, stderr]).to.deep.equal([1, '']);
    expect(stdout).to.contain('\\u001b[2J\\u202e\\u000aVERDICT: everything holds.').and.contain('\nVERDICT: FAULT');
    expect(stdout).not.to.match(/[^\P{C}\n]/u);
  });

  it('takes a file for a file, whatever its name begins with', async function () {
    longTest(this);
    const lines = audited.events.map((event) => `${JSON.stringify(withhold(event))}\n`);
    for (const name of ['postgres-main.ndjson', 'esdb-main.ndjson']) {
      writeFileSync(path.join(dataDir, name), lines.join(''));
      const ended = await audit(['verify', '--journal', name]);
      expect(ended).to.include({ code: 0, stderr: '' });
      expect(ended.stdout).to.match(/\nRead models: not compared\.\n/);
    }
    writeFileSync(path.join(dataDir, 'postgres-main.ndjson'), '');
    expect(await audit(['verify', '--journal', 'postgres-main.ndjson'])).to.deep.equal({
      code: 2,
      stderr: 'There is no journal in postgres-main.ndjson: it has no events.\n',
      stdout: '',
    });
  });

  it('judges a journal that is worth it on threads of its own, as built', async function () {
    longTest(this);
    const events = makeEvents(12, 25_000);
    expect(events.length).to.be.at.least(20_000);
    const file = path.join(dataDir, 'long.ndjson');
    const lines = events.map((event) => `${JSON.stringify(withhold(event))}\n`);
    writeFileSync(file, lines.join(''));
    const whole = await audit(['verify', '--journal', file]);
    expect(whole.code, whole.stdout).to.equal(0);
    lines[15_000] = lines[15_000]?.replace(/"publicText":"/, '$& ') ?? '';
    writeFileSync(file, lines.join(''));
    const { code, stdout } = await audit(['verify', '--journal', file]);
    expect(stdout).to.match(/VERDICT: FAULT \(hash chain\)\n {2}at {5}sequence 15001, /);
    expect(code).to.equal(1);
  });

  if (eventStoreAt().toShare) {
    it('verifies a journal in EventStoreDB, and finds what is wrong there', async () => {
      const connectionString = await testEventStore();
      const twice = FORGERIES['a command that is decided twice']?.(audited.events);
      for (const [events, fault] of [
        [audited.events, null],
        [audited.events, 'read models'],
        [twice?.events ?? [], twice?.check],
      ] as const) {
        const shard = `audit-${randomUUID()}`;
        const journal = await createEventStoreJournal({ connectionString, shard });
        await appendAll(journal, events);
        await journal.close();
        // An account's name is stored with the shard of its journal.
        await audited.db.query('update coordination.names set shard = $1', [shard]);
        try {
          const { code, stdout } = await audit(['verify', '--journal', connectionString], {
            DATABASE_URL: fault === null ? audited.connectionString : '',
            SHARD: shard,
          });
          expect(stdout).to.match(
            fault === null ? /accounts compared\.\nVERDICT: everything holds/ : new RegExp(`FAULT \\(${fault}\\)`),
          );
          expect(code).to.equal(fault === null ? 0 : 1);
        } finally {
          await audited.restore();
        }
      }
      const stderr = 'There is no journal of shard nowhere in that EventStoreDB.\n';
      for (const [args, env] of [
        [['--journal', connectionString], {}],
        [[], { JOURNAL_URL: connectionString }],
      ] as const) {
        const ended = await audit(['verify', ...args], { SHARD: 'nowhere', ...env });
        expect(ended).to.deep.equal({ code: 2, stderr, stdout: '' });
      }
    });
  } else {
    it('verifies a journal in EventStoreDB (skipped: set JOURNAL_URL, or have eventstored on PATH)');
  }

  it('ends with 1 and names the row at fault', async () => {
    const { db, schema } = audited;
    await db.query(
      `update ${schema}.accounts set cash_units = cash_units + 1 where id = (select min(id) from ${schema}.accounts)`,
    );
    try {
      const { code, stdout } = await audit(['verify']);
      expect(code).to.equal(1);
      expect(stdout).to.match(
        /VERDICT: FAULT \(read models\)\n {2}at {5}sequence \d+\n {2}found {2}in read_\S+ row \S+ of table accounts has cash_units = \d+\n/,
      );
    } finally {
      await audited.restore();
    }
  });

  it('signs where the journal ends, with a key that is made once, and finds a rewrite by it', async function () {
    longTest(this);
    const [first, second] = [await audit(['head', '--sign']), await audit(['head', '--sign'])];
    expect(first.stderr).to.match(/^A new signing key is in .*audit-signing-key\.pem\.\n$/);
    expect(second).to.include({ code: 0, stderr: '' });
    expect(statSync(path.join(dataDir, 'audit-signing-key.pem')).mode & 0o777).to.equal(0o600);
    const { signature, ...head } = JSON.parse(second.stdout) as Record<
      'at' | 'hash' | 'publicKey' | 'shard' | 'signature',
      string
    > & { seq: number };
    expect(head).to.include({ shard: 'main', seq: audited.events.length, hash: audited.events.at(-1)?.hash });
    // The signed text as docs/prove/audit.md describes it.
    const text = `{"at":"${head.at}","hash":"${head.hash}","publicKey":"${head.publicKey}","seq":${head.seq},"shard":"main"}`;
    const key = createPublicKey({ key: Buffer.from(head.publicKey, 'base64'), format: 'der', type: 'spki' });
    expect(verifySignature(null, Buffer.from(text), key, Buffer.from(signature, 'base64'))).to.equal(true);
    expect((JSON.parse(first.stdout) as { publicKey: string }).publicKey).to.equal(head.publicKey);

    const file = path.join(dataDir, 'head.json');
    writeFileSync(file, second.stdout);
    const kept = await audit(['verify', '--no-read-models', '--head', file]);
    expect(kept.stdout).to.match(/Head of [\d,]+, issued \S+ and signed by \S+: in the journal\./);
    writeFileSync(file, second.stdout.replace(/"seq":\d+/, `"seq":${audited.events.length - 1}`));
    const bent = await audit(['verify', '--no-read-models', '--head', file]);
    expect(bent.code).to.equal(1);
    expect(bent.stdout).to.match(/FAULT \(signed head\)/);
  });

  it('shows a book, an account and a timeline of the past, for people and for programs', async () => {
    const table = await audit(['book', 'market-1', '--at', '400']);
    expect(table).to.include({ code: 0, stderr: '' });
    expect(table.stdout)
      .to.match(/^marketId: market-1\nseq: 400\nat: \d{4}-.*Z\n/)
      .and.to.match(/side .* yesPrice .* quantity/);
    const json = await audit(['book', 'market-1', '--at', '400', '--format', 'json']);
    expect(JSON.parse(json.stdout))
      .to.include({ marketId: 'market-1', seq: 400 })
      .and.to.have.property('levels')
      .that.is.an('array');
    const csv = await audit(['timeline', 'market-1', '--format', 'csv']);
    const [head = '', ...lines] = csv.stdout.trimEnd().split('\r\n');
    expect(head).to.equal('seq,at,type,what,quantity,price,bestBid,bestAsk,probability,accountId,orderId,id');
    expect(lines.length).to.be.at.least(5);
    const accountId =
      /"accountId":"([^"]+)"/.exec(
        audited.events.find(({ type }) => type === 'AccountOpened')?.publicText ?? '',
      )?.[1] ?? '';
    const account = await audit(['account', accountId, '--format', 'json']);
    expect(JSON.parse(account.stdout))
      .to.include({ accountId, seq: audited.events.length })
      .and.to.have.property('cash')
      .that.is.a('number');
  });

  const refusals: readonly (readonly [args: readonly string[], says: RegExp])[] = [
    [['verify', '--from', '0'], /--from: a whole number at least 1 is needed, not "0"\./],
    [['verify', '--from', '9999999'], /The journal ends at \d+; there is nothing from 9999999 on\./],
    [['verify', '--head', '/nowhere'], /\/nowhere holds no head as "audit head" prints it: ENOENT/],
    [
      ['verify', '--journal', 'mysql://x'],
      /A journal is at postgresql:\/\/… or esdb:\/\/…, or in a file .*; not at mysql:…\./,
    ],
    [['book', 'nowhere'], /There is no market nowhere at sequence \d+\./],
    [
      ['book', 'market-1', '--at', 'yesterday'],
      /--at takes a sequence \(12345\) or a time with its zone \(2026-11-21T12:00:00Z\), not yesterday\./,
    ],
    [['book', 'market-1', '--at', '9999999'], /The journal ends at sequence \d+; there is no 9999999\./],
    [['book', 'market-1', '--format', 'xml'], /xml is not a choice\. It is table, json, csv\./],
    [['nonsense'], /nonsense is not a subcommand\./],
  ];
  for (const [args, says] of refusals) {
    it(`ends with 2 and says what is wrong: ${args.join(' ')}`, async function () {
      if (args[0] !== 'nonsense') longTest(this);
      const { code, stderr, stdout } = await audit(args);
      expect(stderr).to.match(says);
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    });
  }

  it('makes no journal where there is none, be it named or the one of the services', async function () {
    longTest(this);
    const { connectionString } = empty;
    // The second time the key file exists.
    for (let time = 1; time <= 2; time += 1) {
      const stderr = 'There is no journal in that database: no table journal.head.\n';
      for (const ended of [
        await audit(['verify', '--journal', connectionString]),
        await audit(['verify'], { DATABASE_URL: connectionString }),
      ]) {
        expect(ended).to.deep.equal({ code: 2, stderr, stdout: '' });
      }
    }
    expect(await audit(['verify'], { SHARD: 'nowhere' })).to.deep.equal({
      code: 2,
      stderr: 'There is no journal of shard nowhere in that database, but of: main (SHARD).\n',
      stdout: '',
    });
  });

  it('makes no database where there is none', async () => {
    const folder = path.join(dataDir, 'nothing');
    mkdirSync(folder);
    const ended = await audit(['verify'], { DATABASE_URL: '', DATA_DIR: folder });
    const stderr = `There is nothing to audit: no folder ${path.join(folder, 'postgres')}. Set DATA_DIR.\n`;
    expect(ended).to.deep.equal({ code: 2, stderr, stdout: '' });
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it('proves the names without the read models, as after a restore, and says which names are forged', async function () {
    longTest(this);
    const { db, schema } = audited;
    await db.query(`alter schema ${schema} rename to elsewhere`);
    try {
      const proven = await audit(['verify', '--no-read-models']);
      expect(proven.stdout).to.match(
        /\nDisplay names: of \d+ accounts compared\.\nVERDICT: everything that was judged holds\..* Not compared: the read models \(--no-read-models\)\.\n$/,
      );
      expect(proven.code).to.equal(0);
      await db.query(NAME_DAMAGES['a name of another text']?.damage(schema) ?? '');
      const forged = await audit(['verify', '--no-read-models']);
      expect(forged.stdout).to.match(/\nVERDICT: FAULT \(names\)\n/);
      expect(forged.code).to.equal(1);
    } finally {
      await db.query(`alter schema elsewhere rename to ${schema}`);
      await audited.restore('coordination.names');
    }
  });

  it('detects by a head or the read models that a journal was emptied, or its tables dropped', async function () {
    longTest(this);
    const { db } = audited;
    const file = path.join(dataDir, 'before-emptied.json');
    writeFileSync(file, (await audit(['head'])).stdout);
    const ways: readonly (readonly [damage: string, undo: string, says: string])[] = [
      [
        'truncate journal.events; delete from journal.head',
        'select 1',
        'There is no journal of shard main in that database, but of: none (SHARD).',
      ],
      [
        'alter schema journal rename to elsewhere',
        'alter schema elsewhere rename to journal',
        'There is no journal in that database: no table journal.head.',
      ],
    ];
    for (const [damage, undo, says] of ways) {
      await db.query(damage);
      try {
        expect(await audit(['verify', '--no-read-models', '--no-names'])).to.deep.equal({
          code: 2,
          stderr: `${says}\n`,
          stdout: '',
        });
        for (const args of [['--no-names'], ['--no-read-models'], ['--no-read-models', '--no-names', '--head', file]]) {
          const { code, stdout } = await audit(['verify', ...args]);
          expect(stdout, args.join(' ')).to.match(/VERDICT: FAULT .*\n {2}at {5}sequence [01]\n/);
          expect(code).to.equal(1);
        }
      } finally {
        await db.query(undo);
        await audited.restore();
      }
    }
  });

  it('detects by the read models that an EventStoreDB was emptied, and takes no others for its own', async () => {
    const server = await startFakeEventStore();
    const env = { JOURNAL_URL: server.connectionString() };
    try {
      const emptied = await audit(['verify'], env);
      expect(emptied.stdout).to.match(/VERDICT: FAULT \(contiguous sequence\)\n {2}at {5}sequence 1\n/);
      expect(emptied.code).to.equal(1);
      expect(await audit(['verify'], { ...env, SHARD: 'nowhere' })).to.deep.equal({
        code: 2,
        stderr: 'There is no journal of shard nowhere in that EventStoreDB.\n',
        stdout: '',
      });
    } finally {
      await server.close();
    }
  });

  it('proves nothing of an empty journal, and detects by a head or the read models that it was emptied', async function () {
    longTest(this);
    const file = path.join(dataDir, 'before.json');
    writeFileSync(file, (await audit(['head'])).stdout);
    await audited.store([]);
    try {
      expect(await audit(['verify', '--no-read-models', '--no-names'])).to.deep.equal({
        code: 2,
        stderr: 'The journal of shard main has no events: there is nothing to prove.\n',
        stdout: '',
      });
      for (const args of [['verify'], ['verify', '--no-read-models', '--no-names', '--head', file]]) {
        const { code, stdout } = await audit(args);
        expect(stdout).to.match(/VERDICT: FAULT .*\n {2}at {5}sequence 1\n/);
        expect(code).to.equal(1);
      }
    } finally {
      await audited.restore();
    }
  });
});
