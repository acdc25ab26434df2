import { expect } from 'chai';
import { createRateLimiter } from '../src/index.ts';
import { bearer, OPERATOR_TOKEN, startSampleApp } from './sample-app.ts';
import type { SampleApp } from './sample-app.ts';

const ORIGIN = { origin: 'https://bots.example' };
const asks = (method: string, headers: string) => ({
  ...ORIGIN,
  'access-control-request-method': method,
  'access-control-request-headers': headers,
});
const words = (list: string | null): readonly string[] => (list ?? '').toLowerCase().split(', ');

describe('pages of other origins', () => {
  let app: SampleApp;
  const send = (method: string, path: string, headers: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(`${app.url}${path}`, { method, headers });

  before(async () => (app = await startSampleApp()));
  after(() => app.close(0));

  it('may read every answer of the API, errors too, and its headers', async () => {
    for (const [path, status] of [
      ['/api/things/1', 200],
      ['/api/mine', 401],
      ['/api/nowhere', 404],
    ] as const) {
      const { headers, status: answered } = await send('GET', path, ORIGIN);
      expect(answered, path).to.equal(status);
      expect(headers.get('access-control-allow-origin'), path).to.equal('*');
      expect(headers.get('access-control-allow-credentials'), path).to.equal(null);
      expect(words(headers.get('access-control-expose-headers'))).to.include.members([
        ...['x-journal-seq', 'x-journal-hash', 'ratelimit', 'retry-after', 'link', 'etag', 'allow'],
        ...['idempotent-replayed', 'x-time', 'x-feed-time'],
      ]);
    }
  });

  it('may ask without a key what they may send', async () => {
    const answer = await send('OPTIONS', '/api/things', asks('POST', 'authorization,content-type,idempotency-key'));
    expect([answer.status, await answer.text()]).to.deep.equal([204, '']);
    expect(answer.headers.get('access-control-allow-origin')).to.equal('*');
    expect(words(answer.headers.get('access-control-allow-methods'))).to.have.members([
      ...['get', 'post', 'patch', 'put', 'delete'],
    ]);
    expect(words(answer.headers.get('access-control-allow-headers'))).to.include.members([
      ...['authorization', 'x-api-key', 'content-type', 'idempotency-key', 'if-none-match', 'last-event-id'],
    ]);
  });

  it('may not call operators, nor ask to', async () => {
    const preflight = await send('OPTIONS', '/api/operator/batch', asks('POST', 'authorization'));
    expect(preflight.status).to.equal(405);
    expect(preflight.headers.get('access-control-allow-origin')).to.equal(null);
    const call = await send('POST', '/api/operator/batch', { ...ORIGIN, authorization: `Bearer ${OPERATOR_TOKEN}` });
    expect(call.headers.get('access-control-allow-origin')).to.equal(null);
  });

  it('get a 405 for OPTIONS that is no preflight', async () => {
    const answer = await send('OPTIONS', '/api/things', bearer('trader'));
    expect([answer.status, answer.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD, POST']);
  });

  it('are counted by their address when they ask', async () => {
    const limited = await startSampleApp({ rateLimiter: createRateLimiter({ readsPerSecond: 1, now: () => 0 }) });
    const statuses: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      const { status } = await fetch(`${limited.url}/api/things`, { method: 'OPTIONS', headers: asks('GET', '') });
      statuses.push(status);
    }
    await limited.close(0);
    expect(statuses).to.include.members([204, 429]);
  });
});
