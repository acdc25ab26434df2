import { Unavailable } from '@paper/contracts';
import { eventually, testDatabase } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { expect } from 'chai';
import { sql } from 'kysely';
import { Passwords } from '../src/identity/passwords.ts';
import { PasswordSignIn } from '../src/identity/sign-in.ts';
import { Throttle } from '../src/identity/throttle.ts';
import type { TestBrowser } from './support/test-browser.ts';
import { startTestPortal } from './support/test-portal.ts';
import type { TestPerson, TestPortal } from './support/test-portal.ts';

const WRONG = 'not the password';

describe('sign-in', function () {
  this.timeout(60_000);
  let portal: TestPortal;
  let ann: TestPerson;
  let people = 0;

  before(async () => {
    portal = await startTestPortal();
    ann = await portal.person('Ann', { email: 'ann@example.com' });
  });
  after(() => portal.stop());
  beforeEach(() => portal.db.deleteFrom('throttle').execute());

  const signIn = (browser: TestBrowser, name: string, password: string) =>
    browser.call('POST', '/portal/sign-in', { body: { name, password } });
  const someone = () => portal.person(`person-${(people += 1)}`);
  const countedEvents = async (): Promise<number> => {
    const counted = portal.db.selectFrom('throttle').select(({ fn }) => fn.sum<string | null>('events').as('events'));
    return Number((await counted.executeTakeFirstOrThrow()).events);
  };

  it('lets a person in by the name in any case, and by the confirmed e-mail address', async () => {
    for (const name of ['ann', 'ANN', 'Ann@Example.com']) {
      const browser = portal.browser();
      const { body, status } = await signIn(browser, name, ann.password);
      expect(status, name).to.equal(200);
      expect(body).to.have.nested.property('person.signInName', 'ann');
      expect(await browser.expect(200, 'GET', '/portal/session')).to.have.nested.property('person.signInName', 'ann');
    }
  });

  it('says the same of a wrong password and of a name that does not exist', async () => {
    const noPassword = await portal.person('nopass', { password: null });
    expect(noPassword.password).to.equal('');
    const answers = await Promise.all(
      ['ann', 'nobody-here', 'nopass', 'nobody@example.com'].map(async (name) => {
        const { body, headers, status } = await signIn(portal.browser(), name, WRONG);
        return { body, status, headers: Object.keys(headers).sort() };
      }),
    );
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).to.equal(1);
    expect(answers[0]).to.deep.include({
      status: 401,
      body: { error: 'The name or the password is wrong', code: 'wrong_credentials' },
    });
  });

  it('takes as long for a name that does not exist as for one that does', async () => {
    const times = { known: [] as number[], unknown: [] as number[] };
    const time = async (name: string, into: number[]) => {
      const startedAt = performance.now();
      await signIn(portal.browser(), name, WRONG);
      into.push(performance.now() - startedAt);
    };
    for (let round = 0; round < 20; round += 1) {
      await time('ann', times.known);
      await time('nobody-here', times.unknown);
      await portal.db.deleteFrom('throttle').execute();
    }
    const median = (list: number[]): number => list.sort((a, b) => a - b)[list.length / 2] ?? 0;
    // Without the hash for unknown names the ratio is above 5.
    expect(median(times.known) / median(times.unknown)).to.be.within(0.5, 2);
  });

  it('refuses the eleventh wrong password for a name from an address, however many come at once', async () => {
    const { password } = await someone();
    const name = `person-${people}`;
    // No more at once than the queue of passwords holds of one address.
    for (let count = 0; count < 7; count += 1) {
      expect((await signIn(portal.browser(), name, WRONG)).status).to.equal(401);
    }
    const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(portal.browser(), name, WRONG)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).to.have.length(3);
    expect(statuses.filter((status) => status === 429)).to.have.length(5);
    const refused = await signIn(portal.browser(), name, password);
    expect(refused.body).to.have.property('code', 'rate_limited');
    expect(Number(refused.headers['retry-after'])).to.be.within(1, 15 * 60);
    // Another name from the same address is not refused.
    expect((await signIn(portal.browser(), 'ann', ann.password)).status).to.equal(200);
  });

  it('counts no right password, and stores nothing of it', async () => {
    for (let count = 0; count < 12; count += 1) await signIn(portal.browser(), 'ann', ann.password);
    expect(await portal.db.selectFrom('throttle').selectAll().execute()).to.deep.equal([]);
  });

  it('lets the name in again after the fifteen minutes', async () => {
    for (let count = 0; count < 10; count += 1) await signIn(portal.browser(), 'ann', WRONG);
    expect((await signIn(portal.browser(), 'ann', ann.password)).status).to.equal(429);
    await sql`update portal.throttle set minute = minute - 15`.execute(portal.db);
    expect((await signIn(portal.browser(), 'ann', ann.password)).status).to.equal(200);
  });

  it('refuses the fifty-first wrong password from an address in an hour, whatever the names', async () => {
    for (let count = 0; count < 50; count += 1) await signIn(portal.browser(), `guess-${count}`, WRONG);
    expect((await signIn(portal.browser(), 'guess-51', WRONG)).body).to.have.property('code', 'rate_limited');
  });

  /** Signs in from one address, with passwords that are checked as `verify` does. */
  function signInWith(verify: Passwords['verify']) {
    const passwords = new Passwords();
    passwords.verify = verify;
    const signing = new PasswordSignIn(
      portal.db,
      passwords,
      new Throttle(portal.db, { digest: (text) => Buffer.from(text) }),
    );
    return (name: string, { signal } = new AbortController()): Promise<unknown> =>
      signing.find(name, { password: WRONG, address: 'here', signal }).catch((error: unknown) => error);
  }

  it('given 50 tries whose clients left while they waited, refuses the next one from their address', async () => {
    let client = new AbortController();
    const tryFor = signInWith(() => {
      client.abort();
      return Promise.reject(client.signal.reason as Error);
    });
    for (let count = 0; count < 50; count += 1) {
      client = new AbortController();
      expect(await tryFor(`guess-${count}`, client)).to.have.property('name', 'AbortError');
    }
    expect(await tryFor('guess-51')).to.include({ code: 'rate_limited' });
  });

  it('given a try that was not checked, since too many waited, gives back what it counted', async () => {
    const tryFor = signInWith(() => Promise.reject(new Unavailable('too many requests are waiting')));
    expect(await tryFor('ann')).to.be.instanceOf(Unavailable);
    expect(await countedEvents()).to.equal(0);
  });

  it('gives back what it counted for a try that is refused for its address', async () => {
    const { id } = await someone();
    const name = `person-${people}`;
    const counts = async (): Promise<Readonly<Record<string, number>>> => {
      const rows = await portal.db.selectFrom('throttle').select(['kind', 'events']).execute();
      return Object.fromEntries(rows.map(({ events, kind }) => [kind, events]));
    };
    await signIn(portal.browser(), name, WRONG);
    await sql`update portal.throttle set events = 50 where kind = 'wrong passwords of an address'`.execute(portal.db);
    for (let count = 0; count < 12; count += 1) {
      expect((await signIn(portal.browser(), name, WRONG)).status).to.equal(429);
    }
    expect(await counts(), `of person ${id}`).to.deep.equal({
      'wrong passwords of an address': 50,
      'wrong passwords of a name and an address': 1,
      'wrong passwords of a name': 1,
    });
  });

  it('given an address over its limit, stores nothing of the names that it tries', async () => {
    await signIn(portal.browser(), 'guess', WRONG);
    await sql`update portal.throttle set events = 50 where kind = 'wrong passwords of an address'`.execute(portal.db);
    const stored = () => portal.db.selectFrom('throttle').select(['kind', 'events']).orderBy('kind').execute();
    const before = await stored();

    for (let count = 0; count < 5; count += 1) {
      expect((await signIn(portal.browser(), `another-${count}`, WRONG)).status).to.equal(429);
    }

    expect(await stored()).to.deep.equal(before);
  });

  it('given events of two minutes that are given back at once, has none left', async () => {
    const throttle = new Throttle(portal.db, { digest: (text) => Buffer.from(text) });
    const limit = { kind: 'events of a test', minutes: 60 };
    for (const minutesAgo of [1, 0]) {
      for (let count = 0; count < 5; count += 1) await throttle.count(limit, 'one');
      await sql`update portal.throttle set minute = minute - ${minutesAgo}`.execute(portal.db);
    }
    await Promise.all(Array.from({ length: 10 }, () => throttle.giveBack(limit, 'one')));
    expect(await portal.db.selectFrom('throttle').selectAll().execute()).to.deep.equal([]);
  });

  it('shares the counts with another portal on the same database', async () => {
    const other = await startTestPortal({ connectionString: portal.connectionString });
    try {
      for (let count = 0; count < 10; count += 1) {
        await signIn((count % 2 === 0 ? portal : other).browser(), 'ann', WRONG);
      }
      for (const one of [portal, other]) expect((await signIn(one.browser(), 'ann', WRONG)).status).to.equal(429);
    } finally {
      await other.stop();
    }
  });

  it('delays tries for a name beyond a hundred in an hour, and never locks its person out', async () => {
    await signIn(portal.browser(), 'ann', WRONG);
    // A hundred and nineteen from addresses elsewhere.
    await sql`update portal.throttle set events = 120 where kind = 'wrong passwords of a name'`.execute(portal.db);
    const startedAt = performance.now();
    expect((await signIn(portal.browser(), 'ann', ann.password)).status).to.equal(200);
    expect(performance.now() - startedAt).to.be.at.least(2_000);
  });

  it('begins no session by a password that is changed while it is checked', async () => {
    const { id, password } = await someone();
    const change = await portal.db.startTransaction().execute();
    await change.updateTable('people').set({ password_hash: 'another hash' }).where('id', '=', id).execute();
    const asked = signIn(portal.browser(), `person-${people}`, password);
    await eventually('the sign-in waits for the change', async () => {
      const { rows } = await sql`select from pg_locks where not granted`.execute(portal.db);
      return rows.length > 0;
    });
    await change.deleteFrom('sessions').where('person_id', '=', id).execute();
    await change.commit().execute();

    expect((await asked).status).to.equal(401);
    expect(await portal.db.selectFrom('sessions').select('id').where('person_id', '=', id).execute()).to.have.length(0);
  });

  it('begins a session with a new token, whatever the browser presented', async () => {
    const browser = portal.browser();
    browser.cookies.set('session', 'chosen-by-an-attacker');
    await signIn(browser, 'ann', ann.password);
    const first = browser.cookies.get('session') ?? '';
    expect(first).to.match(/^[\w-]{43}$/);
    await signIn(browser, 'ann', ann.password);
    const second = browser.cookies.get('session') ?? '';
    expect(second).not.to.equal(first);
    // The former one has ended.
    browser.cookies.set('session', first);
    expect(await browser.expect(200, 'GET', '/portal/session')).to.have.property('person', null);
  });

  it('asks for the password again where a proof is older than five minutes', async () => {
    const browser = portal.browser();
    const { headers } = await signIn(browser, 'ann', ann.password);
    expect(String(headers['set-cookie']))
      .to.match(/HttpOnly/)
      .and.match(/SameSite=Lax/)
      .and.match(/Path=\//);
    await portal.db
      .updateTable('sessions')
      .set({ proven_until: new Date(Date.now() - 1) })
      .execute();
    const sent = () => browser.call('POST', '/portal/automation-key', { body: { name: 'bot' } });
    expect((await sent()).body).to.have.property('code', 'proof_required');
    expect((await browser.call('POST', '/portal/prove', { body: { password: WRONG } })).status).to.equal(401);
    const { provenUntil } = await browser.expect<{ provenUntil: string }>(200, 'POST', '/portal/prove', {
      body: { password: ann.password },
    });
    expect(Date.parse(provenUntil) - Date.now()).to.be.within(4 * 60_000, 6 * 60_000);
    // The exchange is away here.
    expect((await sent()).body).to.have.property('code', 'unavailable');
  });

  it('ends the session at a sign-out, and all at a sign-out everywhere', async () => {
    const [one, two, three] = [portal.browser(), portal.browser(), portal.browser()];
    for (const browser of [one, two, three]) await signIn(browser, 'ann', ann.password);
    const token = one.cookies.get('session') ?? '';
    await one.expect(204, 'POST', '/portal/sign-out');
    expect(one.cookies.has('session')).to.equal(false);
    one.cookies.set('session', token);
    expect(await one.expect(200, 'GET', '/portal/session')).to.have.property('person', null);
    await two.expect(204, 'POST', '/portal/sign-out-everywhere');
    expect(await three.expect(200, 'GET', '/portal/session')).to.have.property('person', null);
  });

  it('ends a session after 30 days', async () => {
    const browser = portal.browser();
    await signIn(browser, 'ann', ann.password);
    const { left } = await portal.db
      .selectFrom('sessions')
      .select(sql<number>`max(extract(epoch from expires_at - now()))::float8`.as('left'))
      .executeTakeFirstOrThrow();
    expect(left / 86_400).to.be.within(29.9, 30);
    await portal.db
      .updateTable('sessions')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .execute();
    expect(await browser.expect(200, 'GET', '/portal/session')).to.have.property('person', null);
  });

  it('lets no person in who is being deleted, and says the same as of a wrong password', async () => {
    const gone = await portal.person('gone');
    await portal.db.updateTable('people').set({ state: 'leaving' }).where('id', '=', gone.id).execute();
    const [right, wrong] = [
      await signIn(portal.browser(), 'gone', gone.password),
      await signIn(portal.browser(), 'gone', WRONG),
    ];
    expect([right.status, right.body]).to.deep.equal([401, wrong.body]);
    const sessions = await portal.db.selectFrom('sessions').select('id').where('person_id', '=', gone.id).execute();
    expect(sessions).to.deep.equal([]);
  });

  it('ends the session that was used least recently for the fifty-first, and no other', async () => {
    const { id, password } = await someone();
    const made = Array.from({ length: 50 }, (_, nth) => ({
      id: `${id}-${nth}`,
      token_hash: Buffer.from(`${id}-${nth}`),
      person_id: id,
      device: '',
      // The seventh was used before all others.
      last_seen_at: new Date(Date.now() - (nth === 7 ? 100 : 50 - nth) * 60_000),
      expires_at: new Date(Date.now() + 60_000),
      proven_until: null,
    }));
    await portal.db.insertInto('sessions').values(made).execute();
    await signIn(portal.browser(), `person-${people}`, password);
    const left = await portal.db.selectFrom('sessions').select('id').where('person_id', '=', id).execute();
    expect(left).to.have.length(50);
    const ids = new Set(left.map((session) => session.id));
    expect(made.filter((session) => !ids.has(session.id)).map((session) => session.id)).to.deep.equal([`${id}-7`]);
  });
});

describe('a stolen dump of the portal', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  let portal: TestPortal;

  before(async () => {
    database = await testDatabase();
    portal = await startTestPortal({ connectionString: database.connectionString });
  });
  after(async () => {
    await portal.stop();
    await database.close();
  });

  it('has no usable token, password or address in any column', async () => {
    const person = await portal.person('Kay');
    const browser = portal.browser();
    await browser.expect(200, 'POST', '/portal/sign-in', { body: { name: 'kay', password: person.password } });
    await browser.call('POST', '/portal/sign-in', { body: { name: 'kay', password: WRONG } });
    const token = browser.cookies.get('session') ?? '';
    const { rows } = await sql<{ dump: string }>`
      select query_to_xml('select * from portal.' || quote_ident(tablename), true, false, '')::text as dump
      from pg_tables where schemaname = 'portal'`.execute(portal.db);
    const dump = rows.map((row) => row.dump).join('\n');
    expect(dump).to.include('kay');
    for (const secret of [token, person.password, '127.0.0.1']) {
      expect(dump).not.to.include(secret);
      for (const coding of ['hex', 'base64'] as const) {
        expect(dump).not.to.include(Buffer.from(secret).toString(coding));
      }
    }
    // What the dump has of a session, presented as a token, is none.
    const { token_hash: hash } = await portal.db.selectFrom('sessions').select('token_hash').executeTakeFirstOrThrow();
    for (const stolen of [hash.toString('hex'), hash.toString('base64url')]) {
      const thief = portal.browser();
      thief.cookies.set('session', stolen);
      expect(await thief.expect(200, 'GET', '/portal/session')).to.have.property('person', null);
    }
  });
});
