import { endpoints } from '@paper/contracts';
import { expect } from 'chai';
import { withRoutesServedElsewhere, createApp, createOperators, route, startServer } from '../src/index.ts';
import type { RunningServer } from '../src/index.ts';
import { createLogger, createMetrics } from '@paper/runtime';

const TOKEN = 'operator-token-0123456789';

/** A process that answers one endpoint of the API, beside others that answer the rest. */
describe('what is answered elsewhere', () => {
  let server: RunningServer;
  const here = route(
    endpoints.getOpenApi,
    () => ({ body: { openapi: '3.1.0' }, seq: 1 }),
    () => Promise.resolve(null),
  );

  before(async () => {
    const app = createApp({
      routes: withRoutesServedElsewhere([here], endpoints),
      operators: createOperators([{ name: 'olga', token: TOKEN }]),
      logger: createLogger({ name: 'test', level: 'silent' }),
      metrics: createMetrics(),
      rateLimiter: null,
    });
    server = await startServer(app, { host: '127.0.0.1', port: 0 });
  });
  after(() => server.close(0));

  const ask = async (method: string, path: string, key?: string): Promise<unknown[]> => {
    const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const answer = await fetch(`${server.url}${path}`, { method, headers });
    const { code } = (await answer.json()) as { readonly code?: string };
    return [answer.status, code, answer.headers.get('allow')];
  };

  it('counts for the methods of a path, and is not answered here', async () => {
    expect(await ask('GET', '/api/openapi')).to.deep.equal([200, undefined, null]);
    expect(await ask('PUT', '/api/orders')).to.deep.equal([405, 'method_not_allowed', 'DELETE, GET, HEAD, POST']);
    expect(await ask('PUT', '/api/orders/x')).to.deep.equal([405, 'method_not_allowed', 'DELETE, GET, HEAD, PATCH']);
    expect(await ask('POST', '/api/stream')).to.deep.equal([405, 'method_not_allowed', 'GET, HEAD']);
    expect(await ask('GET', '/api/nothing')).to.deep.equal([404, 'not_found', null]);
    expect(await ask('GET', '/api/markets')).to.deep.equal([404, 'not_found', null]);
    expect(await ask('GET', '/api/portfolio')).to.deep.equal([401, 'not_authenticated', null]);
    expect(await ask('GET', '/api/portfolio', 'svc_live_somebody')).to.deep.equal([404, 'not_found', null]);
    expect(await ask('GET', '/api/operator/status', TOKEN)).to.deep.equal([404, 'not_found', null]);
  });
});
