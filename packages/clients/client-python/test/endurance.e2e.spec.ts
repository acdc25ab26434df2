import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, killAtExit } from '@paper/runtime';
import { createRandom, longTest } from '@paper/testkit';
import { startStandalone, temporaryDataDir } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { createCuttableProxy } from '@paper/testkit/servers';
import { expect } from 'chai';
import { pythonWith, skipWithout } from './python.ts';

const folder = path.resolve(import.meta.dirname, '..');

/** ENDURANCE_SECONDS=3600: the hour of the issue, with a cut every five seconds and a kill every minute. */
const SECONDS = Number(process.env['ENDURANCE_SECONDS'] ?? 40);
const [CUT_EVERY_MS, KILL_EVERY_MS] = SECONDS >= 300 ? [5_000, 60_000] : [2_000, 12_000];
const CUT_MS_MAX = 400;

interface Verdict {
  readonly orders: number;
  readonly events: number;
  readonly resumes: number;
  readonly bookEvents: number;
  readonly problems: readonly string[];
}

describe('bots that use the Python client', function () {
  this.timeout((SECONDS + 300) * 1000);
  const data = temporaryDataDir();
  let service: RunningStandalone | null = null;

  after(async () => {
    await service?.stop('SIGKILL');
    data.remove();
  });

  it('through cuts and kills: every order placed once, no event lost or doubled', async function () {
    longTest(this);
    const python = pythonWith('asyncio');
    skipWithout(this, python, 'a Python');
    const env = { PORT: String(await freePort()) };
    service = await startStandalone({ dataDir: data.dataDir, env });
    const proxy = await createCuttableProxy(service.baseUrl);
    const bots = spawn(python, ['test/endurance.py', service.baseUrl, proxy.url, service.operatorToken], {
      cwd: folder,
      env: { ...process.env, PYTHONPATH: 'src', PYTHONDONTWRITEBYTECODE: '1' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    killAtExit(bots);
    const lines = createInterface({ input: bots.stdout })[Symbol.asyncIterator]();
    expect((await lines.next()).value).to.equal('ready');

    const ending = AbortSignal.timeout(SECONDS * 1000);
    const random = createRandom(1);
    const counts = { cuts: 0, kills: 0 };
    const every = async (ms: number, work: () => Promise<void>): Promise<void> => {
      for (;;) {
        await sleep(ms, undefined, { signal: ending }).catch(() => undefined);
        if (ending.aborted) return;
        await work();
      }
    };
    await Promise.all([
      every(CUT_EVERY_MS, async () => {
        proxy.cut();
        counts.cuts += 1;
        await sleep(random.int(0, CUT_MS_MAX));
        proxy.mend();
      }),
      every(KILL_EVERY_MS, async () => {
        await service?.stop('SIGKILL');
        counts.kills += 1;
        service = await startStandalone({ dataDir: data.dataDir, env });
      }),
    ]);
    bots.stdin.end('stop\n');
    const verdict = JSON.parse(String((await lines.next()).value)) as Verdict;
    if (bots.exitCode === null) await once(bots, 'exit');
    await proxy.close();
    process.stdout.write(`    ${JSON.stringify({ seconds: SECONDS, ...counts, ...verdict })}\n`);
    expect(verdict.problems).to.deep.equal([]);
    expect(verdict.orders).to.be.above(100);
    expect(verdict.resumes).to.be.at.least(3);
    expect(counts.kills).to.be.at.least(1);
  });
});
