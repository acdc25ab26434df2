import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { freePort, isInstalled, killAtExit } from '@paper/runtime';
import { TestAuthority } from '@paper/testkit/servers';
import { expect } from 'chai';
import { reachRedis } from '../src/index.ts';

const run = promisify(execFile);

/** Publishes and receives one pulse, and prints its sequence. */
const PROGRAM = `
  import { createRedisPulse } from '@paper/pulse';
  const channel = createRedisPulse({ url: process.env.REDIS_URL, onError: (error) => { console.error(error.message); process.exit(1); } });
  channel.subscribe(({ seq }) => { console.log(seq); process.exit(0); });
  setInterval(() => channel.publish({ seq: 7, pulse: { ts: new Date().toISOString(), markets: [] } }).catch(() => undefined), 50);
`;

(isInstalled('redis-server') && isInstalled('openssl') ? describe : describe.skip)('a Redis with TLS', function () {
  this.timeout(60_000);
  let folder: string;
  let authority: TestAuthority;
  let redis: ChildProcess;
  let url: string;

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'paper-redis-tls-'));
    authority = new TestAuthority(folder);
    const { certificate, key } = authority.issue({ name: 'redis' });
    const port = await freePort();
    redis = spawn(
      'redis-server',
      [
        ...['--port', '0', '--bind', '127.0.0.1', '--tls-port', String(port), '--requirepass', 'secret'],
        ...['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', authority.caFile],
        ...['--tls-auth-clients', 'no', '--save', '', '--dir', folder],
      ],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    killAtExit(redis);
    for await (const line of createInterface({ input: redis.stdout! })) if (line.includes('Ready to accept')) break;
    url = `rediss://:secret@localhost:${port}`;
  });
  after(async () => {
    const ended = once(redis, 'exit');
    redis.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true });
  });

  it('carries pulses by rediss://, where Node knows the authority of its certificate', async () => {
    const env = { ...process.env, REDIS_URL: url, NODE_EXTRA_CA_CERTS: authority.caFile };
    const args = ['--import', 'tsx', '--input-type=module', '-e', PROGRAM];
    expect((await run(process.execPath, args, { env })).stdout).to.equal('7\n');
  });

  it('is refused where the authority is not known, and not talked to without TLS', async () => {
    expect(await reachRedis(url).catch(String)).to.match(/Redis \(REDIS_URL\): (self-signed certificate|unable to)/);
    expect(await reachRedis(url.replace('rediss:', 'redis:')).catch(String)).to.match(/^Error: Redis \(REDIS_URL\): /);
  });
});
