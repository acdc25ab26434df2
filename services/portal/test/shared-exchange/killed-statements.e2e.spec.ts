import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { createClient } from 'paper-trading-client';
import { isLongSuiteLeftOut } from '@paper/testkit';
import { describeSharedClientOfExchange } from '@paper/testkit/exchange';
import type { RunningExchange } from '@paper/testkit/exchange';
import { expect } from 'chai';
import { hashToken } from '../../src/base/tokens.ts';
import { runStep } from '../support/portal-steps.ts';
import type { PortalStep, StepSettings } from '../support/portal-steps.ts';
import { startStatementProxy } from '../support/statement-proxy.ts';
import { startTestPortal, TEST_SECRET } from '../support/test-portal.ts';
import type { TestPortal } from '../support/test-portal.ts';

/** A change that is killed at each of its statements. */
interface Change {
  /** Prepares one, under a name that no other has. */
  readonly prepare: (name: string) => Promise<PortalStep>;
  /** What holds once it was continued. */
  readonly expectWhole: (name: string, step: PortalStep) => Promise<void>;
  /** Statements that it has at least. */
  readonly statementsMin: number;
}

describeSharedClientOfExchange('a portal that is killed between two statements', function (start) {
  if (isLongSuiteLeftOut()) return;
  this.timeout(900_000);
  let exchange: RunningExchange;
  let portal: TestPortal;
  let settings: StepSettings;

  before(async () => {
    exchange = await start();
    // It has the tables and looks at them; its own jobs reach no exchange.
    portal = await startTestPortal();
    settings = {
      databaseUrl: portal.connectionString,
      apiUrl: exchange.baseUrl,
      operatorToken: exchange.operatorToken,
      secret: TEST_SECRET,
    };
  });
  after(async () => {
    await portal.stop();
    await exchange.stop();
  });

  const operator = () => createClient({ baseUrl: exchange.baseUrl, key: exchange.operatorToken });
  const accountsNamed = async (name: string): Promise<readonly string[]> => {
    const { body } = await operator().request('listAccounts', { query: { limit: 200 } });
    return body.filter(({ displayName }) => displayName === name).map(({ id }) => id);
  };
  /** The live keys of a person's account, and which of them the portal has stored. */
  const keysOf = async (personId: string) => {
    const stored = await portal.db
      .selectFrom('account_keys')
      .select(['key_id', 'purpose'])
      .where('person_id', '=', personId)
      .execute();
    return stored;
  };

  const CHANGES: Readonly<Record<string, Change>> = {
    'a sign-up': {
      prepare: (name) => Promise.resolve({ kind: 'sign-up', name }),
      expectWhole: async (name) => {
        const people = await portal.db.selectFrom('people').selectAll().where('sign_in_name', '=', name).execute();
        expect(people.map(({ state }) => state)).to.deep.equal(['active']);
        expect(await accountsNamed(name)).to.deep.equal([people[0]?.account_id]);
        const stored = await keysOf(people[0]?.id ?? '');
        expect(stored.map(({ purpose }) => purpose).sort()).to.deep.equal(['everyday', 'master']);
        await expectNoOtherKey(people[0]?.account_id ?? '', stored);
      },
      statementsMin: 20,
    },
    'the change of an e-mail address': {
      prepare: async (name) => {
        const { id } = await portal.person(name, { email: `${name}@former.example` });
        const token = `token-of-${name}`.padEnd(43, '.');
        await portal.db
          .insertInto('email_tokens')
          .values({
            token_hash: hashToken(token),
            person_id: id,
            purpose: 'confirm-email',
            email: `${name}@latter.example`,
            expires_at: new Date(Date.now() + 3_600_000),
          })
          .execute();
        return { kind: 'confirm-email', token };
      },
      expectWhole: async (name) => {
        const { email, id } = await portal.db
          .selectFrom('people')
          .select(['id', 'email'])
          .where('sign_in_name', '=', name)
          .executeTakeFirstOrThrow();
        expect(email).to.equal(`${name}@latter.example`);
        expect(
          await portal.db.selectFrom('email_tokens').selectAll().where('person_id', '=', id).execute(),
        ).to.have.length(0);
      },
      statementsMin: 6,
    },
    'the making of a key': {
      prepare: async (name) => {
        const opened = await operator().request('openAccount', { body: { displayName: name, permissions: ['view'] } });
        await operator().request('revokeAccountKey', { params: { keyId: opened.body.apiKey.id } });
        const { id } = await portal.person(name, { accountId: opened.body.account.id });
        return { kind: 'issue-key', personId: id };
      },
      expectWhole: async (name, step) => {
        const personId = step.kind === 'issue-key' ? step.personId : '';
        const stored = await keysOf(personId);
        expect(stored.map(({ purpose }) => purpose)).to.deep.equal(['everyday']);
        await expectNoOtherKey((await accountsNamed(name))[0] ?? '', stored);
      },
      statementsMin: 5,
    },
  };

  /** The account has these live keys alone: one whose answer was lost is revoked. */
  const expectNoOtherKey = async (accountId: string, stored: readonly { readonly key_id: string }[]): Promise<void> => {
    const reader = await operator().request('issueAccountKey', {
      params: { id: accountId },
      body: { name: 'a look', permissions: ['master'] },
    });
    const client = createClient({ baseUrl: exchange.baseUrl, key: reader.body.apiKey.rawKey ?? '' });
    const { keys } = (await client.request('listKeys', {})).body;
    const live = keys.filter(({ id, revokedAt }) => revokedAt === null && id !== reader.body.apiKey.id);
    expect(live.map(({ id }) => id).sort()).to.deep.equal(stored.map(({ key_id }) => key_id).sort());
  };

  for (const [what, { expectWhole, prepare, statementsMin }] of Object.entries(CHANGES)) {
    for (const when of ['before', 'after'] as const) {
      it(`completes ${what} that was killed ${when} each statement`, async () => {
        let kills = 0;
        for (let at = 1; ; at += 1) {
          const name = `k${randomUUID().slice(0, 8)}-${at}`;
          const step = await prepare(name);
          const wasKilled = await runAndKill(step, at, when);
          if (!wasKilled) {
            await expectWhole(name, step);
            break;
          }
          kills += 1;
          await runStep(step, settings);
          await expectWhole(name, step);
        }
        expect(kills).to.be.at.least(statementsMin);
      });
    }
  }

  /** Runs the change in a process that is killed at this statement. False: it had fewer, and ended by itself. */
  const runAndKill = async (step: PortalStep, at: number, when: 'before' | 'after'): Promise<boolean> => {
    let statements = 0;
    let child: ChildProcess | null = null;
    const { server, url } = await startStatementProxy(portal.connectionString, () => {
      statements += 1;
      if (statements !== at) return true;
      if (when === 'before') child?.kill('SIGKILL');
      // The statement goes on its way first.
      else setImmediate(() => child?.kill('SIGKILL'));
      return when === 'after';
    });
    const program = path.join(import.meta.dirname, '../support/portal-step-process.ts');
    const options = JSON.stringify({ step, settings: { ...settings, databaseUrl: url } });
    child = spawn(process.execPath, ['--import', 'tsx', program, options], { stdio: 'inherit' });
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    server.close();
    if (signal === null && code !== 0) throw new Error(`the step ended with ${code}`);
    return signal !== null;
  };
});
