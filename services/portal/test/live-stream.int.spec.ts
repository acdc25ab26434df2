import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { eventually } from '@paper/testkit';
import { expect } from 'chai';
import { startTestPortal } from './support/test-portal.ts';
import type { TestPortal } from './support/test-portal.ts';

describe('the stream of a page', function () {
  this.timeout(60_000);
  let api: Server;
  let portal: TestPortal;
  /** The paths of the API's open streams. */
  const open: string[] = [];
  let begun = 0;

  before(async () => {
    api = createServer((request, response) => {
      const path = request.url ?? '';
      open.push(path);
      begun += 1;
      response.once('close', () => open.splice(open.indexOf(path), 1));
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-journal-seq': '1' }).write(': began\n\n');
    });
    await once(api.listen(0, '127.0.0.1'), 'listening');
    portal = await startTestPortal({ apiUrl: `http://127.0.0.1:${(api.address() as AddressInfo).port}` });
  });
  after(async () => {
    await portal.stop();
    api.closeAllConnections();
    api.close();
  });

  it('reads nothing of the API behind another stream of its connection, which is never sent', async () => {
    const { host, port } = new URL(portal.url);
    const get = (book: string) => `GET /portal/live/stream?bookIds=${book} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const watcher = connect(Number(port), '127.0.0.1');
    watcher.resume().write(get('first') + get('second') + get('third'));
    await eventually('the first stream alone is open', () => begun > 0 && open.length === 1);
    await eventually('its books are read', () => open.includes('/api/stream/orderbook/first'));
    expect(open).to.deep.equal(['/api/stream/orderbook/first']);
    watcher.destroy();
    await eventually('it has ended with its connection', () => open.length === 0);
  });
});
