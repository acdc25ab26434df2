import { execFile } from 'node:child_process';
import { longTest } from '@paper/testkit';
import { builtProgram, describeSharedExchange } from '@paper/testkit/exchange';
import type { RunningExchange } from '@paper/testkit/exchange';
import { createCheckedClient } from '@paper/testkit/http';
import type { CheckedClient } from '@paper/testkit/http';
import { expect } from 'chai';

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describeSharedExchange("the operator's command that opens an account", function (start) {
  this.timeout(120_000);
  let service: RunningExchange;
  let client: CheckedClient;

  before(async () => {
    service = await start();
    client = await createCheckedClient(service.baseUrl);
  });
  after(() => service.stop());

  const run = async (...options: readonly string[]): Promise<Ran> => {
    const { args, cwd } = await builtProgram('packages/operations/operator-cli/src/programs/open-account');
    const env = { ...process.env, DATA_DIR: service.dataDir };
    return new Promise((resolve) => {
      const child = execFile(process.execPath, [...args, ...options], { cwd, env }, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      );
    });
  };
  const portfolio = (key: string) =>
    client.ok<{ summary: { displayName: string; cash: number } }>('GET', '/api/portfolio', { key });

  it('prints a key that works, and what to do next', async () => {
    const { code, stdout } = await run('Ann of Cleves');
    expect(code).to.equal(0);
    const [key = ''] = /svc_live_[\w-]{43}/.exec(stdout) ?? [];
    expect((await portfolio(key)).summary).to.include({ displayName: 'Ann of Cleves', cash: 10_000 });
    const next = /curl -s (\S+) -H '([^:]+): ([^']+)'/.exec(stdout);
    const answer = await fetch(next?.[1] ?? '', { headers: { [next?.[2] ?? '']: next?.[3] ?? '' } });
    expect(answer.status).to.equal(200);
  });

  it('takes a starting balance and permissions, and prints the key alone where a script asks for it', async () => {
    const { stdout } = await run('Bo', '--starting-balance', '250.5', '--permissions', 'view', '--key-only');
    const key = stdout.trimEnd();
    expect(key).to.match(/^svc_live_[\w-]{43}$/);
    expect((await portfolio(key)).summary).to.include({ displayName: 'Bo', cash: 250.5 });
    expect((await client.request('GET', '/api/accounts/sub', { key })).status).to.equal(403);
  });

  for (const [what, options, said] of [
    ['a name that is too short', ['x'], /displayName: must be 2 to 24 characters long/],
    ['a balance that is no number', ['Ann', '--starting-balance', 'much'], /--starting-balance must be a number/],
    ['a permission that there is not', ['Ann', '--permissions', 'view,fly'], /permissions\.1: must be view or trade/],
    ['a token that is wrong', ['Ann', '--token', 'wrong'], /^Not authenticated$/m],
  ] as const) {
    it(`says what is wrong with ${what}, and opens nothing`, async function () {
      if (what !== 'a name that is too short') longTest(this);
      const { code, stdout, stderr } = await run(...options);
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
      expect(stderr).to.match(said);
    });
  }
});
