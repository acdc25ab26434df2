import { generateKeyPairSync } from 'node:crypto';
import type { StoredEvent } from '@paper/journal';
import { ciTest, IS_LONG_RUN, longTest, storeTestNames } from '@paper/testkit';
import { expect } from 'chai';
import { unsignedHead, signHead, UnknownRules, verifyJournal } from '../src/index.ts';
import type { AuditVerdict, VerifyOptions } from '../src/index.ts';
import { auditedJournal, makeEvents, namedIn } from './audited-journal.ts';
import type { AuditedJournal } from './audited-journal.ts';
import { EDITS, forged, FORGERIES, withFields } from './damages.ts';
import { HIDDEN, ID_FORGERIES, PART_FORGERIES } from './part-damages.ts';
import { JOURNAL_TABLE_DAMAGES, NAME_DAMAGES, READ_MODEL_DAMAGES } from './table-damages.ts';
import type { TableDamage } from './table-damages.ts';

const { privateKey } = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
  publicKeyEncoding: { format: 'pem', type: 'spki' },
});

const [SEED, COMMANDS] = [11, IS_LONG_RUN ? 2_500 : 2_000];

/** The changes of a value, a missing row and an additional one that every run makes; the others are of their kinds. */
const ROWS_IN_CI = new Set(['a unit more of cash', 'a position too few', 'a level too many', 'another candle']);
/** One damage to the read models as a whole, one to their checkpoint, and one to the display names. */
const TABLES_IN_EVERY_RUN = new Set([
  'read models that are not there',
  'a second checkpoint row',
  'a checkpoint that says that it is retired',
  'a name that is missing',
]);
/** One damage of each kind to the display names: a missing row, one too many, another value, and a missing table. */
const NAMES_IN_CI = new Set([
  'a name that is missing',
  'a name of no account',
  'a name of another text',
  'a name that was forgotten',
  'a name that is pending although its account is open',
  'a table of names that is not there',
]);

describe('the audit of a journal and its read models', function () {
  this.timeout(60_000);
  let audited: AuditedJournal;
  before(async () => {
    audited = await auditedJournal(SEED, COMMANDS);
  });
  after(() => audited.close());

  /** Runs a whole audit, as `npm run audit -- verify` does. */
  const verify = (options: Partial<VerifyOptions> = {}): Promise<AuditVerdict> =>
    verifyJournal({ journal: audited.journal, readModelsUrl: audited.connectionString, shard: 'main', ...options });

  it('finds no fault in a valid journal, nor in any part of it', async () => {
    const { fault, names, proven, end, readModels } = await verify();
    expect(fault?.message).to.equal(undefined);
    const last = audited.events.at(-1);
    expect(proven).to.deep.equal({ hash: last?.hash, seq: last?.seq });
    expect(end).to.deep.equal(proven);
    expect(readModels).to.include({ schema: audited.schema, seq: last?.seq });
    expect(readModels?.rows).to.be.at.least(COMMANDS);
    expect(readModels?.hashedRows, 'most rows are compared by hashes').to.be.at.least(COMMANDS);
    const opened = audited.events.filter(({ type }) => type === 'AccountOpened' || type === 'SubAccountOpened');
    expect(names).to.deep.equal({ accounts: opened.length });
    expect(readModels?.unknownColumns, 'what the auditor does not judge').to.deep.equal([]);
    expect((await verify({ fromSeq: 1_234 })).fault?.message).to.equal(undefined);
  });

  it('refuses to begin beyond the end', async () => {
    const failure = await verify({ fromSeq: 1_000_000 }).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(RangeError);
    expect(String(failure)).to.match(/The journal ends at \d+; there is nothing from 1000000 on\./);
  });

  it('finds the same with threads of its own as without', async function () {
    longTest(this);
    const clean = [await verify({ threadsFrom: 0 }), await verify()] as const;
    expect(clean[0]).to.deep.equal(clean[1]);
    expect(clean[0].fault).to.equal(null);
    try {
      for (const damage of [EDITS['a swapped pair'], FORGERIES['a payout of a unit more']]) {
        const { events = [], seq = 0 } = damage?.(audited.events) ?? {};
        await audited.store(events);
        const { fault, proven } = await verify({ threadsFrom: 0 });
        expect(fault?.message)
          .to.equal((await verify()).fault?.message)
          .and.to.be.a('string');
        expect(proven).to.deep.equal({ hash: events[seq - 2]?.hash, seq: seq - 1 });
      }
      const index = audited.events.findLastIndex((event) => event.type === 'WriterEpochStarted');
      await audited.store(forged(audited.events, index, withFields({ rulesVersion: 99 })));
      for (const threadsFrom of [0, 100_000]) {
        const failure = await verify({ threadsFrom }).catch((error: unknown) => error);
        expect(failure).to.be.instanceOf(UnknownRules);
        expect(String(failure)).to.match(/is decided by rules version 99; this auditor knows versions 1 to 6\./);
      }
    } finally {
      await audited.restore();
    }
  });

  it('judges what came after the checkpoint of the read models, and the rows as they were there', async function () {
    longTest(this);
    const checkpoint = audited.events.length;
    const grown = makeEvents(SEED, COMMANDS + 200);
    expect(grown.slice(0, checkpoint)).to.deep.equal(audited.events);
    const index = grown.findIndex(({ seq, type }) => seq > checkpoint && type === 'OrderFilled');
    try {
      await audited.db.query('delete from coordination.names');
      await storeTestNames(audited.connectionString, 'main', namedIn(grown));
      for (const threadsFrom of [0, 100_000]) {
        await audited.store(grown);
        const good = await verify({ threadsFrom });
        expect(good.fault?.message).to.equal(undefined);
        expect([good.readModels?.seq, good.proven.seq]).to.deep.equal([checkpoint, grown.length]);
        await audited.store(forged(grown, index, withFields({ quantity: 1_000_000 })));
        const { fault, readModels } = await verify({ threadsFrom });
        expect([fault?.check, fault?.seq]).to.deep.equal(['conservation', index + 1]);
        expect(readModels?.rows).to.equal(good.readModels?.rows);
      }
    } finally {
      await audited.restore();
    }
  });

  describe('of a journal in Postgres that was edited', () => {
    afterEach(() => audited.store(audited.events));

    for (const [what, damage] of Object.entries({ ...EDITS, ...FORGERIES, ...PART_FORGERIES, ...ID_FORGERIES })) {
      it(`finds and names ${what}`, async function () {
        // In every run, a downloaded file shows those that need no private part, of which this shows two.
        if (!HIDDEN.has(what) && !['one changed digit', 'a swapped pair'].includes(what)) longTest(this);
        const { events, check, seq, tells } = damage(audited.events);
        await audited.store(events);
        const { fault } = await verify({ readModelsUrl: undefined });
        expect(fault?.check, fault?.message).to.equal(check);
        expect(fault?.seq, fault?.message).to.equal(seq);
        expect(fault?.message).to.match(tells);
      });
    }

    it('finds that events are missing which the head counts', async () => {
      await audited.db.query('delete from journal.events where seq > 1800');
      const { fault } = await verify({ readModelsUrl: undefined });
      expect(fault).to.include({ check: 'contiguous sequence', seq: 1_801 });
      expect(fault?.message).to.match(/the journal's head says that it ends at/);
    });

    it('finds a cut tail by a head that was signed before, and by the read models', async () => {
      const { hash, seq } = await audited.journal.head();
      const head = signHead(unsignedHead({ hash, seq }, 'main', 0), privateKey);
      const whole = audited.events.findLastIndex(
        (event, index) => index < COMMANDS && /"decisionEvents"/.test(event.publicText),
      );
      await audited.store(audited.events.slice(0, whole));
      expect((await verify({ readModelsUrl: undefined })).fault?.message, 'alone it is a good journal').to.equal(
        undefined,
      );
      const byHead = (await verify({ heads: [head], readModelsUrl: undefined })).fault;
      expect(byHead).to.include({ check: 'signed head', seq: whole + 1 });
      expect(byHead?.message).to.match(/the journal ends at \d+, but was at \d+ at 1970-01-01T00:00:00.000Z/);
      expect((await verify()).fault).to.include({ check: 'contiguous sequence', seq: whole + 1 });
    });

    it('finds a history that was written anew, by a head that was signed before', async () => {
      const head = signHead(unsignedHead({ hash: audited.events[999]?.hash ?? '', seq: 1_000 }, 'main', 0), privateKey);
      // Passes every check of the journal itself, since a command's salt can have any value.
      const salted = (event: StoredEvent): StoredEvent => ({
        ...event,
        privateText: event.privateText?.replace(/"salt":"[0-9a-f]+"/, `"salt":"${'e'.repeat(32)}"`) ?? null,
      });
      const index = audited.events.findIndex((event) => event.type === 'OrderPlaced');
      await audited.store(forged(audited.events, index, salted));
      expect((await verify({ readModelsUrl: undefined })).fault?.message).to.equal(undefined);
      const { fault } = await verify({ heads: [head], readModelsUrl: undefined });
      expect(fault).to.include({ check: 'signed head', seq: 1_000 });
      expect((await verify()).fault, 'its hash is in the checkpoint, too').to.include({ check: 'read models' });
    });

    it('takes no head that was changed after it was signed, or that is of another journal', async () => {
      const head = signHead(unsignedHead(await audited.journal.head(), 'main', 0), privateKey);
      expect((await verify({ heads: [head] })).fault?.message).to.equal(undefined);
      const bent = (await verify({ heads: [{ ...head, seq: head.seq - 1 }] })).fault;
      expect(bent?.message).to.match(/signed head: .* not signed by the key that it names/);
      const other = (await verify({ heads: [{ ...unsignedHead(head, 'other', 0) }] })).fault;
      expect(other?.message).to.match(/the head is of shard other; right would be: main/);
    });
  });

  describe('of tables that were tampered with', () => {
    const damaged = async ({ damage, undo }: TableDamage, judge: () => Promise<void>): Promise<void> => {
      const { db, schema } = audited;
      const statement = damage(schema);
      await db.query(statement);
      try {
        await judge();
      } finally {
        if (undo !== undefined) await db.query(undo(schema));
        await audited.restore(statement);
      }
    };

    for (const [what, damage] of Object.entries(JOURNAL_TABLE_DAMAGES)) {
      it(`finds and names ${what}`, () =>
        damaged(damage, async () => {
          const { fault } = await verify({ readModelsUrl: undefined });
          expect(fault?.check, fault?.message).to.equal(damage.check);
          expect(fault?.message).to.match(damage.tells);
        }));
    }

    for (const [what, damage] of Object.entries({ ...READ_MODEL_DAMAGES, ...NAME_DAMAGES })) {
      it(`finds and names ${what}`, function () {
        if (what in NAME_DAMAGES && !NAMES_IN_CI.has(what)) longTest(this);
        if (!TABLES_IN_EVERY_RUN.has(what)) ciTest(this);
        return damaged(damage, async () => {
          const { fault, proven, end } = await verify();
          expect(fault?.check, fault?.message).to.equal(damage.check);
          expect(fault?.message).to.match(damage.tells);
          expect(proven, 'the journal itself is proven before').to.deep.equal(end);
        });
      });
    }

    it('leaves pending names of no account alone, whose commands may be under way', async () => {
      await audited.db.query(`
        insert into coordination.names values ('01900000-0000-7000-8000-000000000000', 'main', '', 'Soon', true)`);
      try {
        expect((await verify()).fault?.message).to.equal(undefined);
      } finally {
        await audited.restore();
      }
    });

    it('is a fault where the read models were to be compared and their address is unknown', async () => {
      const { fault } = await verify({ readModelsUrl: null });
      expect(fault).to.include({ check: 'read models', seq: audited.events.length });
      expect(fault?.message).to.match(
        /no database is named that has the read models; right would be: .*--no-read-models/,
      );
    });
  });

  describe('of read models that are not what the journal gives', () => {
    /** The only statement of the test that changes tables; undefined where there are more. */
    let damage: string | undefined;
    afterEach(async () => {
      await audited.restore(damage);
      damage = undefined;
    });

    const edits: readonly (readonly [what: string, statement: (schema: string) => string, tells: RegExp])[] = [
      [
        'a unit more of cash',
        (s) => `update ${s}.accounts set cash_units = cash_units + 1 where id = (select min(id) from ${s}.accounts)`,
        /of table accounts has cash_units = \d+; right would be: \d+/,
      ],
      [
        'a fill of another account',
        (s) =>
          `update ${s}.fills set account_id = 'x' where seq = (select max(seq) from ${s}.fills) and role = 'maker'`,
        /of table fills has account_id = "x"/,
      ],
      [
        'an order that ended otherwise',
        (s) =>
          `update ${s}.orders set reason = 'self_trade' where id = (select min(id) from ${s}.orders where reason = 'user')`,
        /of table orders has reason = "self_trade"; right would be: "user"/,
      ],
      [
        'a cancel that is said to be by no key',
        (s) =>
          `update ${s}.orders set cancelled_key_id = null where id = (select min(id) from ${s}.orders where reason = 'user' and cancelled_key_id is not null)`,
        /of table orders has cancelled_key_id = null; right would be: "/,
      ],
      [
        'a position too few',
        (s) =>
          `delete from ${s}.positions where (account_id, market_id) = (select account_id, market_id from ${s}.positions limit 1)`,
        /table positions has no row/,
      ],
      [
        'a level too many',
        (s) => `insert into ${s}.book_levels values ('nowhere', 'bid', 100, 1, 1)`,
        /table book_levels has \d+ rows, 1 too many, among them nowhere bid 100, which the journal does not give; right would be: \d+ rows/,
      ],
      [
        'a market with another probability',
        (s) =>
          `update ${s}.markets set probability_half_units = probability_half_units + 1 where id = (select min(id) from ${s}.markets)`,
        /of table markets has probability_half_units = /,
      ],
      [
        'a key that was never revoked',
        (s) =>
          `update ${s}.api_keys set revoked_at_ms = 1, revoked_seq = 1 where id = (select min(id) from ${s}.api_keys where revoked_at_ms is null)`,
        /of table api_keys has revoked_at_ms = 1; right would be: null/,
      ],
      [
        'another minute',
        (s) =>
          `update ${s}.market_minutes set volume_shares = volume_shares + 1 where (market_id, minute_ms) = (select market_id, minute_ms from ${s}.market_minutes limit 1)`,
        /of table market_minutes has volume_shares/,
      ],
      [
        'another candle',
        (s) =>
          `update ${s}.market_minutes set high_60m_units = high_60m_units + 1 where (market_id, minute_ms) =
            (select market_id, minute_ms from ${s}.market_minutes where high_60m_units is not null limit 1)`,
        /of table market_minutes has high_60m_units = \d+; right would be: \d+/,
      ],
      [
        'a key that has spent a unit less',
        (s) =>
          `update ${s}.api_keys set spent_units = spent_units - 1 where id = (select min(id) from ${s}.api_keys where spent_units > 0)`,
        /of table api_keys has spent_units = \d+; right would be: \d+/,
      ],
      [
        'a key without its mandate',
        (s) =>
          `update ${s}.api_keys set mandate = null where id = (select min(id) from ${s}.api_keys where mandate is not null)`,
        /of table api_keys has mandate = null; right would be: /,
      ],
      [
        'a change of an order that left more',
        (s) =>
          `update ${s}.order_changes set rest_quantity = rest_quantity + 1 where seq = (select min(seq) from ${s}.order_changes)`,
        /of table order_changes has rest_quantity = \d+; right would be: \d+/,
      ],
      [
        'a merge that is missing',
        (s) => `delete from ${s}.merges where seq = (select min(seq) from ${s}.merges)`,
        /table merges has no row/,
      ],
      [
        'a level that an order left',
        (s) =>
          `update ${s}.market_history set left_quantity = left_quantity + 1 where seq =
            (select min(seq) from ${s}.market_history where left_quantity is not null)`,
        /of table market_history has left_quantity = \d+; right would be: \d+/,
      ],
      [
        'a signal recorded later',
        (s) =>
          `update ${s}.signals set prob_after_half_units = 1 where seq = (select max(seq) from ${s}.signals where market_id is not null)`,
        /of table signals has prob_after_half_units = 1/,
      ],
    ];
    it('names the first ten of rows that are too many', async () => {
      const { schema } = audited;
      await audited.db.query(`insert into ${schema}.minutes select 60000 * n, n, n from generate_series(1, 12) n`);
      const { fault } = await verify();
      const named = Array.from({ length: 10 }, (_, n) => String(60_000 * (n + 1))).join('; ');
      expect(fault?.message).to.match(
        new RegExp(`table minutes has \\d+ rows, 12 too many, among them ${named}, which`),
      );
    });

    it('names a row that is there twice, where no key forbids it', async () => {
      const { db, schema } = audited;
      await db.query(`alter table ${schema}.orders drop constraint orders_pkey`);
      await db.query(`insert into ${schema}.orders select * from ${schema}.orders limit 1`);
      const { fault } = await verify();
      expect(fault?.message).to.match(/table orders has row [0-9a-f-]{36} twice; right would be: once/);
    });

    it('says which table or column is not there', async () => {
      const { db, schema } = audited;
      await db.query(`alter table ${schema}.settings rename starting_balance_units to other`);
      expect((await verify()).fault?.message).to.match(
        /table settings has no column starting_balance_units; right would be: /,
      );
      await db.query(`alter table ${schema}.settings rename other to starting_balance_units`);
      await db.query(`alter table ${schema}.settings rename to other`);
      expect((await verify()).fault?.message).to.match(/there is no table settings; right would be: /);
      await db.query(`alter table ${schema}.other rename to settings`);
    });

    for (const [what, statement, tells] of edits) {
      it(`finds and names ${what}`, async function () {
        if (!ROWS_IN_CI.has(what)) longTest(this);
        if (what !== 'a unit more of cash') ciTest(this);
        damage = statement(audited.schema);
        const { rowCount } = await audited.db.query(damage);
        expect(rowCount, 'rows that were damaged').to.equal(1);
        const { fault, proven } = await verify();
        expect(fault?.check, fault?.message).to.equal('read models');
        expect(fault?.message).to.match(tells);
        expect(proven.seq).to.be.at.least(1);
      });
    }
  });
});
