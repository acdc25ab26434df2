import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createPages } from '../src/pages/pages.ts';

describe('the pages of the portal', function () {
  this.timeout(60_000);
  let server: Server;

  before(async () => {
    const pages = await createPages({ read: () => Promise.resolve({}) });
    server = createServer((call, response) => {
      Promise.resolve(call)
        .then(() => pages.serve(call, response, 'https://paper.example'))
        .catch((error: unknown) => response.destroy(error as Error));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  after(() => server.close());

  for (const path of ['//', '//evil.example/', 'http://[/markets/x/y', '/no-such-page']) {
    it(`say that there is no page ${path}`, async () => {
      const { port } = server.address() as AddressInfo;
      const [answer] = (await once(request({ port, path }).end(), 'response')) as [IncomingMessage];
      answer.resume();
      expect([answer.statusCode, answer.headers['content-type']]).to.deep.equal([404, 'text/html; charset=utf-8']);
    });
  }
});
