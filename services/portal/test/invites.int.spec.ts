import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { withoutProgress } from '@paper/testkit';
import { builtProgram } from '@paper/testkit/exchange';
import { expect } from 'chai';
import { takeInvite } from '../src/identity/invites.ts';
import { startTestPortal } from './support/test-portal.ts';
import type { TestPortal } from './support/test-portal.ts';

describe('npm run portal', function () {
  this.timeout(60_000);
  let portal: TestPortal;
  before(async () => {
    portal = await startTestPortal();
  });
  after(() => portal.stop());

  async function run(...args: readonly string[]): Promise<{ code: number | null; out: string; err: string }> {
    const program = await builtProgram('services/portal/src/programs/portal');
    const child = spawn(process.execPath, [...program.args, ...args], {
      env: { ...process.env, DATABASE_URL: portal.connectionString, PUBLIC_URL: 'https://paper.example' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { code: child.exitCode, out: out.trim(), err: withoutProgress(err) };
  }

  async function invite(...args: readonly string[]): Promise<string> {
    const { code, err, out } = await run('invite', ...args);
    if (code !== 0) throw new Error(err);
    const url = new URL(out);
    expect(url.origin + url.pathname).to.equal('https://paper.example/sign-up');
    return url.searchParams.get('invite') ?? '';
  }

  const take = (token: string) => portal.db.transaction().execute((transaction) => takeInvite(transaction, token));

  it('makes a link for as many people as it says, however many come at once', async () => {
    const token = await invite('--uses', '2', '--by', 'olga');
    const taken = await Promise.all(Array.from({ length: 5 }, () => take(token)));
    expect(taken.filter((id) => id !== null)).to.have.length(2);
    const { out } = await run('invites');
    expect(out).to.contain('used up').and.contain('2 of 2').and.contain('by olga');
    expect(out).not.to.contain(token);
  });

  it('makes a link that expires', async () => {
    const token = await invite('--days', '1');
    await portal.db.updateTable('invites').set({ expires_at: new Date() }).execute();
    expect(await take(token)).to.equal(null);
  });

  it('ends an invite', async () => {
    const token = await invite('--uses', '5');
    const [{ id }] = JSON.parse((await run('invites', '--json')).out) as [{ id: string }];
    expect((await run('revoke', id)).code).to.equal(0);
    expect(await take(token)).to.equal(null);
    const unknown = await run('revoke', 'no-such-invite');
    expect([unknown.code, unknown.err]).to.deep.equal([
      1,
      'No invite has the id no-such-invite: npm run portal -- invites\n',
    ]);
  });

  it('refuses numbers that are none', async () => {
    for (const args of [
      ['--uses', '0'],
      ['--uses', '1.5'],
      ['--days', '366'],
      ['--days', 'x'],
    ]) {
      expect((await run('invite', ...args)).code, args.join(' ')).not.to.equal(0);
    }
  });
});
