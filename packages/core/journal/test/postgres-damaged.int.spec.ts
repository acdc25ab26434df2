import { testDatabase } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { expect } from 'chai';
import pg from 'pg';
import { createPostgresJournal, EMPTY_HEAD, JournalDamaged } from '../src/index.ts';
import type { Journal } from '../src/index.ts';
import { goldenEvents } from './golden/golden.ts';

const stored = goldenEvents.slice(0, 3);
const last = stored.at(-1)!;

/** Each damage of the tables, and the expected message of the refusal. */
const DAMAGES: readonly (readonly [what: string, statement: string, tells: RegExp])[] = [
  ['whose head row was lost', 'delete from journal.head', /journal\.head has no row, and the last of journal\.events/],
  [
    'whose head row was emptied',
    `update journal.head set seq = 0, hash = '${EMPTY_HEAD.hash}'`,
    /journal\.head has sequence 0 .* and the last of journal\.events is sequence 3/,
  ],
  [
    'whose head row has another hash',
    `update journal.head set hash = '${'ab'.repeat(32)}'`,
    new RegExp(`sequence 3 with the hash (ab){32}, and the last .* is sequence 3 with the hash ${last.hash}`),
  ],
  [
    'whose last event was lost',
    'alter table journal.events disable trigger all; delete from journal.events where seq = 3',
    /journal\.head has sequence 3 .* and the last of journal\.events is sequence 2/,
  ],
  [
    'whose events were all lost',
    'alter table journal.events disable trigger all; delete from journal.events',
    /and the last of journal\.events is none/,
  ],
];

describe('a damaged journal in Postgres', function () {
  this.timeout(30_000);
  let database: TestDatabase;
  let admin: pg.Client;
  const opened: Journal[] = [];

  const open = async (asFound = false): Promise<Journal> => {
    const journal = await createPostgresJournal({ asFound, connectionString: database.connectionString });
    opened.push(journal);
    return journal;
  };
  const rowsOf = async (): Promise<unknown> => [
    (await admin.query('select * from journal.head')).rows,
    (await admin.query('select * from journal.events order by seq')).rows,
  ];

  beforeEach(async () => {
    database = await testDatabase();
    admin = new pg.Client({ connectionString: database.connectionString });
    await admin.connect();
    await (await open()).append(EMPTY_HEAD, stored);
  });
  afterEach(async () => {
    for (const journal of opened.splice(0)) await journal.close();
    await admin.end();
    await database.close();
  });

  for (const [what, statement, tells] of DAMAGES) {
    it(`is not begun anew: one ${what} is refused, and nothing is inserted`, async () => {
      await admin.query(statement);
      const before = await rowsOf();
      const failure = await open().catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(JournalDamaged);
      expect(String(failure))
        .to.match(tells)
        .and.to.match(/Nothing was changed\. What to do is in docs\/prove\/audit\.md/);
      expect(await rowsOf()).to.deep.equal(before);
      // An audit can read the damaged journal unchanged.
      const [, events] = before as readonly [unknown, readonly unknown[]];
      expect(await (await open(true)).read(1, 10)).to.have.length(events.length);
      expect(await rowsOf()).to.deep.equal(before);
    });
  }

  it('is served again when its head row is back, as the documentation says it', async () => {
    await admin.query('delete from journal.head');
    await admin.query(
      `insert into journal.head select shard, seq, hash from journal.events where shard = 'main' order by seq desc limit 1`,
    );
    expect(await (await open()).head()).to.deep.equal({ hash: last.hash, seq: 3 });
  });

  it('is not made where it is judged: an empty database stays empty', async () => {
    const empty = await testDatabase();
    try {
      const journal = await createPostgresJournal({ asFound: true, connectionString: empty.connectionString });
      const failure = await journal.head().catch((error: unknown) => error);
      await journal.close();
      expect(String(failure)).to.match(/journal\.head" does not exist/);
    } finally {
      await empty.close();
    }
  });
});
