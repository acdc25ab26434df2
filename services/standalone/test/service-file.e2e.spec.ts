import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@paper/runtime';
import { startStandalone, temporaryDataDir } from '@paper/testkit/exchange';
import type { RunningStandalone, ServiceFile } from '@paper/testkit/exchange';
import { expect } from 'chai';

describe('service.json', function () {
  this.timeout(60_000);
  const folder = temporaryDataDir();
  const file = path.join(folder.dataDir, 'service.json');
  let service: RunningStandalone;

  const read = (): ServiceFile | null =>
    existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ServiceFile) : null;

  after(() => folder.remove());

  it('is there before the first answer leaves, names the demo when it is ready, and goes with the service', async () => {
    const port = await freePort();
    const starting = startStandalone({ dataDir: folder.dataDir, env: { DEMO: 'on', PORT: String(port) } });
    const start = { ended: false };
    void starting.catch(() => undefined).then(() => (start.ended = true));
    let answer: Response | null = null;
    while (answer === null && !start.ended) {
      answer = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => null);
    }
    const found = read();
    service = await starting;
    const { baseUrl, operatorToken, pid, publicUrl } = service;
    expect(found).to.deep.include({ baseUrl, operatorToken, pid, publicUrl });
    expect(service.demo).to.have.property('apiKey');
    await service.stop();
    expect(existsSync(file)).to.equal(false);
  });
});
