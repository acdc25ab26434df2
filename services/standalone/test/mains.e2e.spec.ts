import { SERVICE_NAMES } from '@paper/supervisor';
import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { longTest } from '@paper/testkit';
import { builtProgram } from '@paper/testkit/exchange';

const SECRET = 'hunter2-and-more-of-it';
const URLS = {
  DATABASE_URL: `postgresql://paper:${SECRET}@db/paper`,
  JOURNAL_URL: `esdb://admin:${SECRET}@events:2113?tls=true`,
  REDIS_URL: `redis://:${SECRET}@redis:6379`,
  OPERATOR_TOKENS: `olga:${SECRET}`,
  BACKTESTS_DATABASE_URL: `postgresql://paper:${SECRET}@db/paper`,
  PUBLIC_URL: 'http://localhost:4000',
  PORT: '4000',
  API_URL: 'http://127.0.0.1:4000',
  PORTAL_TOKEN: SECRET,
  PORTAL_SECRET: SECRET,
  MCP_SECRET: SECRET,
  SMTP_URL: `smtp://paper:${SECRET}@mail:587`,
  COMPANY_CLIENT_SECRET: SECRET,
};

async function run(service: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const program = await builtProgram(`services/${service}/src/main`);
  const child = spawn(process.execPath, [...program.args, ...args], {
    cwd: program.cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number]>,
  ]);
  return { stdout, stderr, code };
}

describe('every service that is a process of its own', function () {
  this.timeout(60_000);

  for (const service of [...SERVICE_NAMES, 'standalone']) {
    it(`${service} shows its settings without secrets`, async () => {
      const shown = await run(service, ['--print-config', '--metrics-port=9100'], URLS);
      expect([shown.code, shown.stderr]).to.deep.equal([0, '']);
      expect(shown.stdout).not.to.include(SECRET);
      const settings = JSON.parse(shown.stdout) as Record<string, unknown>;
      expect(settings).to.include({ METRICS_PORT: 9100 });
      // The MCP server has no database.
      if (service !== 'mcp') expect(settings).to.include({ DATABASE_URL: 'postgresql://paper:[secret]@db/paper' });
    });

    it(`${service} refuses what is no setting`, async function () {
      if (service !== 'standalone') longTest(this);
      const [refused, wrong] = await Promise.all([
        run(service, ['--metrics-prot=9100'], URLS),
        run(service, [], { ...URLS, METRICS_PORT: '70000' }),
      ]);
      expect([refused.code, refused.stdout]).to.deep.equal([2, '']);
      expect(refused.stderr).to.match(/^--metrics-prot=9100 is not an option\. There are: --host, .*--print-config\n$/);
      expect([wrong.code, wrong.stdout]).to.deep.equal([2, '']);
      expect(wrong.stderr).to.include('METRICS_PORT: must be a whole number from 0 to 65535');
    });
  }

  for (const service of ['command-api', 'projector', 'query-api', 'stream-gateway', 'backtests']) {
    it(`${service} does not begin to look for an EventStoreDB whose URL cannot be right`, async function () {
      if (service !== 'command-api') longTest(this);
      const JOURNAL_URL = `esdb://admin:${SECRET}@events:2113?tsl=false`;
      const { code, stderr, stdout } = await run(service, [], { ...URLS, JOURNAL_URL });
      expect([code, stdout]).to.deep.equal([2, '']);
      expect(stderr).to.include('JOURNAL_URL: the connection string of EventStoreDB cannot be used: "tsl" is none of');
      expect(stderr).not.to.include(SECRET);
    });
  }
});
