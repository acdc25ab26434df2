import { defineEndpoint } from '@paper/contracts';
import type { Endpoint } from '@paper/contracts';
import { expect } from 'chai';
import { z } from 'zod';
import { createRateLimiter, route } from '../src/index.ts';
import { bearer, startSampleApp } from './sample-app.ts';
import type { SampleApp } from './sample-app.ts';

const endpoint = {
  id: 'getThing',
  ...defineEndpoint({
    path: '/api/thing',
    tag: 'sample',
    summary: '',
    description: '',
    auth: 'public',
    keyedBy: 'asOf',
    conditional: true,
    query: z.object({ asOf: z.string().regex(/^\d+$/).optional() }),
    answer: z.string(),
  }),
};

const TOO_MANY = Array(101).fill('a=1').join('&');
const KEPT = 'private, max-age=60, immutable';

/** The caller of every request with a key. */
const ANN = { kind: 'key', accountId: 'ann', keyId: 'k', permissions: [], primaryAccountId: null } as const;

describe('a public read that a parameter makes one with a key', () => {
  let app: SampleApp;
  /** The endpoints that keys were looked up for. */
  const asked: Pick<Endpoint, 'auth'>[] = [];

  before(async () => {
    app = await startSampleApp({
      routes: [
        route(
          endpoint,
          (_caller, { query }) => ({
            body: query.asOf ?? 'now',
            seq: 1,
            ...(query.asOf === undefined ? {} : { cacheControl: KEPT }),
          }),
          (_hash, { auth }) => {
            asked.push({ auth });
            return Promise.resolve(ANN);
          },
        ),
      ],
    });
  });
  after(() => app.close(0));
  beforeEach(() => asked.splice(0));

  const get = async (query: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${app.url}/api/thing${query}`, { headers });
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  };

  it('needs none without it', async () => {
    for (const query of ['', '?', '?other=1', '?asof=1']) {
      const { status, body, headers } = await get(query);
      expect([status, body]).to.deep.equal([200, 'now']);
      expect([headers.get('cache-control'), headers.get('vary')]).to.deep.equal(['no-cache', null]);
    }
  });

  it('is refused to strangers with it, however its name is written, before its form is looked at', async () => {
    const unread = ['?asOf=%zz', '?asOf=1&%zz', '?%zz&asOf=1', `?${TOO_MANY}&asOf=1`];
    for (const query of ['?asOf=1', '?asOf', '?asOf=x', '?asOf=1&asOf=2', '?a=1&&as%4Ff=1', '?%61sOf=1', ...unread]) {
      const { status, body } = await get(query);
      expect([query, status, (body as { code: string }).code]).to.deep.equal([query, 401, 'not_authenticated']);
    }
  });

  it('is for a key then, as all that needs one, and may be kept for that key alone', async () => {
    const { status, body, headers } = await get('?asOf=5', bearer('trader'));
    expect([status, body]).to.deep.equal([200, '5']);
    expect(asked).to.deep.equal([{ auth: 'key' }]);
    expect(headers.get('cache-control')).to.equal(KEPT);
    expect(headers.get('vary')).to.equal('authorization, x-api-key');
    expect((await get('?asOf=x', bearer('trader'))).status).to.equal(400);
  });

  it('is 400 where its query cannot be read, once it is known who asks', async () => {
    for (const query of ['?%zz', '?a=%ff', `?${TOO_MANY}`]) {
      expect([query, (await get(query)).status]).to.deep.equal([query, 400]);
    }
    for (const query of ['?asOf=%zz', '?asOf=1&%zz', `?${TOO_MANY}&asOf=1`]) {
      expect([query, (await get(query, bearer('trader'))).status]).to.deep.equal([query, 400]);
    }
  });

  it('is counted, whatever its query is like', async () => {
    for (const query of ['', '?%zz', '?asOf=1&%zz', `?${TOO_MANY}`]) {
      for (const [headers, first] of [
        [{}, query.includes('asOf') ? 401 : query === '' ? 200 : 400],
        [bearer('trader'), query === '' ? 200 : 400],
      ] as const) {
        const limited = await startSampleApp({
          routes: [
            route(
              endpoint,
              () => ({ body: 'now', seq: 1 }),
              () => Promise.resolve(ANN),
            ),
          ],
          rateLimiter: createRateLimiter({ readsPerSecond: 1, now: () => 0 }),
        });
        const statuses: number[] = [];
        for (let times = 0; times < 3; times += 1) {
          const answer = await fetch(`${limited.url}/api/thing${query}`, { headers });
          expect(answer.headers.get('ratelimit'), query).to.equal(
            `"reads";r=${Math.max(0, 1 - times)};t=${[1, 2, 2][times]}`,
          );
          statuses.push(answer.status);
        }
        await limited.close(0);
        expect([query, ...statuses]).to.deep.equal([query, first, first, 429]);
      }
    }
  });
});
