import { expect } from 'chai';
import { longTest } from '@paper/testkit';
import { describeServices, startServices, startStandalone } from '@paper/testkit/exchange';
import type { RunningServices, RunningStandalone } from '@paper/testkit/exchange';
import { createCheckedClient, lastAnswer, operatorClient, sendBytes } from '@paper/testkit/http';

const KIB = 1024;

const head = (line: string, fields: string): string => `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${fields}`;
const status = async (url: string, bytes: string): Promise<number> => lastAnswer(await sendBytes(url, bytes)).status;

/** The limits that docs/operate/security.md names, at every port. */
describeServices('limits of every port', 'postgres', function () {
  this.timeout(120_000);
  let set: RunningServices;
  let standalone: RunningStandalone;
  let ports: readonly (readonly [name: string, url: string])[];
  before(async () => {
    [set, standalone] = await Promise.all([startServices({ journal: 'postgres' }), startStandalone()]);
    ports = [
      ['the standalone', standalone.baseUrl],
      ["the standalone's metrics", new URL(standalone.metricsUrl).origin],
      ['the front door', set.baseUrl],
      ...set.services.flatMap(({ name, operationUrl, url }) => [
        ...(url === null ? [] : [[name, url] as const]),
        [`the metrics of ${name}`, operationUrl] as const,
      ]),
    ];
    expect(ports).to.have.length(10);
  });
  after(async () => {
    await Promise.all([set.stop(), standalone.stop()]);
  });

  it('headers of 16 KiB, and no more', async () => {
    for (const [name, url] of ports) {
      const withHeaders = (bytes: number): string => {
        const rest = head('GET /nowhere', 'X: \r\n\r\n');
        return head('GET /nowhere', `X: ${'a'.repeat(bytes - rest.length)}\r\n\r\n`);
      };
      expect(await status(url, withHeaders(16 * KIB - 100)), name).to.equal(404);
      expect(await status(url, withHeaders(16 * KIB + 200)), name).to.equal(431);
    }
  });

  it('a body of 64 KiB, and no more; 4 MiB of a batch', async () => {
    for (const { baseUrl, operatorToken } of [set, standalone]) {
      const client = await createCheckedClient(baseUrl);
      const { key } = await operatorClient(client, operatorToken).open('Ann');
      const post = (path: string, shown: string, bytes: number): Promise<number> => {
        const fields = `Authorization: Bearer ${shown}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;
        return status(baseUrl, head(`POST ${path}`, fields) + ' '.repeat(bytes));
      };
      expect(await post('/api/orders', key, 64 * KIB)).to.equal(400);
      expect(await post('/api/orders', key, 64 * KIB + 1)).to.equal(413);
      expect(await post('/api/operator/markets', operatorToken, 64 * KIB + 1)).to.equal(413);
      expect(await post('/api/operator/batch', operatorToken, 4 * KIB ** 2)).to.equal(400);
      expect(await post('/api/operator/batch', operatorToken, 4 * KIB ** 2 + 1)).to.equal(413);
    }
  });

  it('ten seconds for headers that do not end', async function () {
    longTest(this);
    const unended = head('GET /health/live', 'X: a\r\n');
    const statuses = ports.map(async ([name, url]) => {
      const said = await sendBytes(url, unended, { waitMs: 30_000 });
      expect(lastAnswer(said).status, name).to.equal(408);
    });
    await Promise.all(statuses);
  });
});
