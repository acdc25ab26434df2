import { verifyJournal } from '@paper/auditor';
import type { AuditVerdict } from '@paper/auditor';
import { auditedJournal } from '@paper/auditor/test/audited-journal';
import type { AuditedJournal } from '@paper/auditor/test/audited-journal';
import { decode } from '@paper/journal';
import { expect } from 'chai';
import { makeTables } from './prepared-tables.ts';

const NOWHERE = '01900000-0000-7000-8000-000000000000';

const TABLES = [
  'portal.people',
  'portal.sign_up_jobs',
  'portal.account_keys',
  'portal.deletion_jobs',
  'standalone.accounts',
];

/** Faults of the tables of identity, each made by one statement, and a pattern of what the audit says. */
const DAMAGES: Readonly<Record<string, readonly [statement: string, tells: RegExp]>> = {
  'a person whose account does not exist': [
    `update portal.people set account_id = '${NOWHERE}' where id = 'a'`,
    /portal\.people row a names account 01900000-0000-7000-8000-000000000000, which was never opened/,
  ],
  "a person who has a sub-account for the person's own": [
    `update portal.people set account_id = (select account_id from portal.account_keys where purpose = 'view') where id = 'b'`,
    /portal\.people row b names account \S+ of \S+, and its person has/,
  ],
  'two people with one account': [
    `alter table portal.people drop constraint if exists people_account_id_key;
     update portal.people set account_id = (select account_id from portal.people where id = 'a') where id = 'b'`,
    /portal\.people row b names account \S+, which another row has/,
  ],
  'two people whose accounts were exchanged': [
    `alter table portal.people drop constraint if exists people_account_id_key;
     update portal.people p set account_id = o.account_id from portal.people o where o.id <> p.id`,
    /portal\.account_keys row \S+ names account \S+ of \S+, and its person has \S+; .*right would be: in each row/,
  ],
  'a stored key of another account': [
    `update portal.account_keys set account_id = (select account_id from portal.people where id = 'b'), person_id = 'b'
     where purpose = 'everyday'`,
    /portal\.account_keys row \S+ has a key for account \S+ which is of \S+; right would be: .*a key that was issued for it/,
  ],
  'a stored key that was never issued': [
    `update portal.account_keys set key_id = '${NOWHERE}' where purpose = 'everyday'`,
    /portal\.account_keys row \S+ has a key for account \S+ which was never issued/,
  ],
  "a stored key of another person's": [
    `update portal.account_keys set person_id = 'b' where purpose = 'everyday'`,
    /portal\.account_keys row \S+ names account \S+ of \S+, and its person has/,
  ],
  "a view key of the person's own account": [
    `delete from portal.account_keys where purpose = 'view'; update portal.account_keys set purpose = 'view'`,
    /portal\.account_keys row \S+ names account \S+, which is not a sub-account/,
  ],
  'a trading key of a sub-account': [
    `delete from portal.account_keys where purpose = 'everyday'; update portal.account_keys set purpose = 'everyday'`,
    /portal\.account_keys row \S+ names account \S+, which is a sub-account/,
  ],
  'a sign-up that opened another account': [
    `update portal.sign_up_jobs set account_id = (select account_id from portal.people where id = 'b')`,
    /portal\.sign_up_jobs row a names account \S+ of \S+, and its person has/,
  ],
  "a deletion of another person's account": [
    `insert into portal.deletion_jobs (id, person_id, account_id, step)
     select 'd', 'a', account_id, 'closing' from portal.people where id = 'b'`,
    /portal\.deletion_jobs row d names account \S+ of \S+, and its person has/,
  ],
  'two of the own accounts of the standalone that are one': [
    `insert into standalone.accounts select 'taker', account_id from standalone.accounts`,
    /standalone\.accounts row taker names account \S+, which another row has/,
  ],
};

describe('the audit of the accounts that people have', function () {
  this.timeout(60_000);
  let audited: AuditedJournal;
  const run = (statement: string): Promise<unknown> => audited.db.query(statement);
  const verify = (): Promise<AuditVerdict> =>
    verifyJournal({ journal: audited.journal, namesUrl: audited.connectionString, shard: 'main' });

  before(async () => {
    audited = await auditedJournal(5, 400);
    await makeTables(audited.connectionString, true);
    const events = audited.events.map((stored) => decode(stored).event);
    const keys = new Map(
      events.flatMap((event) => (event.type === 'ApiKeyIssued' ? [[event.accountId, event.keyId]] : [])),
    );
    const sub = events.find((event) => event.type === 'SubAccountOpened' && keys.has(event.accountId));
    if (sub?.type !== 'SubAccountOpened') throw new Error('no sub-account has a key');
    const { accountId: subId, primaryAccountId: ownId } = sub;
    const others = events.flatMap((event) =>
      event.type === 'AccountOpened' && event.accountId !== ownId ? event.accountId : [],
    );
    await run(`insert into portal.people (id, sign_in_name, display_name, account_id, state)
      values ('a', 'ann', 'Ann', '${ownId}', 'active'), ('b', 'ben', 'Ben', '${others[0]}', 'active'),
        ('c', 'cem', 'Cem', null, 'pending')`);
    await run(`insert into portal.sign_up_jobs (person_id, request_hash, call_key, step, account_id)
      values ('a', 'a', 'a', 'done', '${ownId}'), ('c', 'c', 'c', 'opening', '${NOWHERE}')`);
    await run(`insert into portal.account_keys (key_id, person_id, account_id, purpose, sealed)
      values ('${keys.get(ownId)}', 'a', '${ownId}', 'everyday', ''), ('${keys.get(subId)}', 'a', '${subId}', 'view', '')`);
    await run(`insert into standalone.accounts values ('maker', '${others[1]}')`);
    await run('create schema copies');
    for (const table of TABLES) await run(`create table copies.${table.replace('.', '_')} as select * from ${table}`);
  });
  after(() => audited.close());
  afterEach(async () => {
    await run(`truncate ${TABLES.join(', ')} cascade`);
    for (const table of TABLES) await run(`insert into ${table} select * from copies.${table.replace('.', '_')}`);
  });

  it('finds no fault where each is as the journal has it, nor in a sign-up whose account is not open yet', async () => {
    const { fault, identity } = await verify();
    expect(fault?.message).to.equal(undefined);
    expect(identity).to.deep.equal({ rows: 6, unread: [] });
  });

  it('leaves accounts of another shard to the audit of that one', async () => {
    await run(`insert into coordination.names values ('${NOWHERE}', 'other', '', 'Far', false)`);
    await run(`update portal.people set account_id = '${NOWHERE}' where id = 'c'`);
    expect((await verify()).fault?.message).to.equal(undefined);
    await run(`delete from coordination.names where shard = 'other'`);
  });

  for (const [what, [statement, tells]] of Object.entries(DAMAGES)) {
    it(`finds and names ${what}`, async () => {
      await run(statement);
      const { fault } = await verify();
      expect(fault?.check, fault?.message).to.equal('identity');
      expect(fault?.message).to.match(tells);
    });
  }
});
