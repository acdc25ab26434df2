import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@paper/testkit';
import { expect } from 'chai';
import { SteadyOrders } from '../src/rolling/steady-orders.ts';

describe('a load of orders at a fixed rate', () => {
  let server: Server;
  const load = async (listener: RequestListener): Promise<SteadyOrders> => {
    server = createServer((request, response) => {
      request.resume().once('end', () => listener(request, response));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return new SteadyOrders({ baseUrl, apiKeys: ['ann', 'ben'], marketId: 'm', perSecond: 100, rampMs: 100 });
  };
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('offers no fewer while nothing is answered', async () => {
    const waiting: (() => void)[] = [];
    const orders = await load((_request, response) => {
      waiting.push(() => response.writeHead(400, { 'content-length': 2 }).end('{}'));
    });
    await eventually('20 orders are open', () => Promise.resolve(waiting.length >= 20));
    expect(orders.answered.size).to.equal(0);
    const stopped = orders.stop();
    await eventually('all arrived', () => Promise.resolve(waiting.length === orders.sent.size));
    for (const answer of waiting) answer();
    await stopped;
    expect([...orders.answered.keys()]).to.have.members([...orders.sent]);
    expect([...orders.answered.values()].every(({ orderId, status }) => status === 400 && orderId === null)).to.equal(
      true,
    );
  });

  it('repeats a 503 under its Idempotency-Key, and counts the wait from the first sending', async () => {
    const keys: string[] = [];
    const orders = await load((request, response) => {
      const key = String(request.headers['idempotency-key']);
      const isFirst = !keys.includes(key);
      keys.push(key);
      const body = isFirst ? '{}' : JSON.stringify({ id: `id-${key}` });
      const headers = { 'content-length': body.length, 'retry-after': '0' };
      response.writeHead(isFirst ? 503 : 200, headers).end(body);
    });
    await eventually('an order is placed', () => Promise.resolve(orders.answered.size > 0));
    await orders.stop();
    for (const [key, { orderId, status }] of orders.answered) {
      expect({ orderId, status }).to.deep.equal({ orderId: `id-${key}`, status: 200 });
      expect(keys.filter((one) => one === key)).to.have.length(2);
    }
    expect(orders.unanswered.size).to.equal(0);
  });

  it('repeats an order whose connection was lost, under the same key', async () => {
    const keys: string[] = [];
    const orders = await load((request, response) => {
      const key = String(request.headers['idempotency-key']);
      const isFirst = !keys.includes(key);
      keys.push(key);
      if (isFirst) request.socket.destroy();
      else response.writeHead(200, { 'content-length': 10 }).end('{"id":"o"}');
    });
    await eventually('an order is placed', () => Promise.resolve(orders.answered.size > 0));
    await orders.stop();
    expect([...orders.answered.keys()]).to.have.members([...orders.sent]);
    expect(orders.unanswered.size).to.equal(0);
  });
});
