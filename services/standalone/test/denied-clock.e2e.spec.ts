import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { longTest } from '@paper/testkit';
import { startStandalone, temporaryDataDir } from '@paper/testkit/exchange';
import { eventBlocks } from '@paper/testkit/http';
import { freePort } from '@paper/runtime';

const OPERATOR = { authorization: 'Bearer operator-of-the-test' };

/** Repeats the request until it is answered, or until mocha's time limit. */
async function answered(url: string): Promise<Response> {
  for (;;) {
    const answer = await fetch(url).catch(() => null);
    if (answer !== null) return answer;
    await sleep(50);
  }
}

async function tells(url: string, text: string): Promise<void> {
  while (!(await (await answered(url)).text()).includes(text)) await sleep(50);
}

describe('a standalone whose clock its database denies', () => {
  it('serves readers and no commands, says why, and serves both once the clock is right', async function () {
    longTest(this);
    this.timeout(120_000);
    const folder = temporaryDataDir();
    const clockAhead = path.join(folder.dataDir, 'clock-ahead');
    writeFileSync(clockAhead, '');
    const [port, metricsPort] = [await freePort(), await freePort()];
    const baseUrl = `http://127.0.0.1:${port}`;
    const starting = startStandalone({
      dataDir: folder.dataDir,
      env: {
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
        OPERATOR_TOKENS: 'test:operator-of-the-test',
        CLOCK_AHEAD: clockAhead,
        NODE_OPTIONS: `--import=${pathToFileURL(path.join(import.meta.dirname, 'clock-ahead.mjs')).href}`,
      },
    });
    const account = (): Promise<Response> =>
      fetch(`${baseUrl}/api/operator/accounts`, {
        method: 'POST',
        headers: { ...OPERATOR, 'content-type': 'application/json', 'idempotency-key': 'first' },
        body: JSON.stringify({ displayName: 'first' }),
      });

    await tells(`http://127.0.0.1:${metricsPort}/health/ready`, "7,200 s ahead of the database's clock");
    for (const what of ['markets', 'leaderboard', 'activity']) {
      while ((await fetch(`${baseUrl}/api/${what}`)).status !== 200) await sleep(50);
    }
    const pulse = eventBlocks(await fetch(`${baseUrl}/api/stream`));
    expect(await pulse.next()).to.match(/^id: \d+\ndata: \{/m);
    await pulse.leave();
    const refused = await account();
    expect({ status: refused.status, body: await refused.json() }).to.deep.include({ status: 503 });

    rmSync(clockAhead);
    const standalone = await starting;
    expect((await account()).status).to.equal(200);
    expect(await standalone.stop()).to.equal(0);
    folder.remove();
  });
});
