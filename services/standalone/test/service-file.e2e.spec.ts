import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@paper/runtime';
import { longTest } from '@paper/testkit';
import { startStandalone, temporaryDataDir } from '@paper/testkit/exchange';
import type { RunningStandalone, ServiceFile } from '@paper/testkit/exchange';
import { expect } from 'chai';

describe('service.json', function () {
  this.timeout(60_000);
  const folder = temporaryDataDir();
  const file = path.join(folder.dataDir, 'service.json');
  let service: RunningStandalone | null = null;

  afterEach(async () => {
    await service?.stop();
    service = null;
  });
  after(() => folder.remove());

  /** Starts a service, and asks it from the beginning on; gives service.json as it was when the first answer came. */
  async function fileAtFirstAnswer(DEMO: 'on' | 'off'): Promise<ServiceFile | null> {
    const port = await freePort();
    const starting = startStandalone({ dataDir: folder.dataDir, env: { DEMO, PORT: String(port) } });
    const start = { ended: false };
    void starting.catch(() => undefined).then(() => (start.ended = true));
    let answer: Response | null = null;
    while (answer === null && !start.ended) {
      answer = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => null);
    }
    const found = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ServiceFile) : null;
    service = await starting;
    return found;
  }

  it('is there before the first answer of a first start leaves, with the key of the demo', async () => {
    const found = await fileAtFirstAnswer('on');
    const { baseUrl, demo, operatorToken } = service!;
    expect(demo).to.have.property('apiKey');
    expect(found).to.deep.include({ baseUrl, demo, operatorToken });
  });

  it('is there before the first answer of a later start, and names the demo’s new key where the former was lost', async function () {
    longTest(this);
    expect(await fileAtFirstAnswer('on')).to.deep.include({ baseUrl: service!.baseUrl, demo: service!.demo });
    await service!.stop();
    rmSync(path.join(folder.dataDir, 'keys.json'));
    expect(await fileAtFirstAnswer('on')).to.deep.include({ demo: service!.demo });
  });

  it('is there before the first answer without a demo, and goes with the service', async function () {
    longTest(this);
    expect(await fileAtFirstAnswer('off')).to.deep.include({ baseUrl: service!.baseUrl, demo: null });
    await service!.stop();
    expect(existsSync(file)).to.equal(false);
  });
});
