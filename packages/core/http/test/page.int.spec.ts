import { expect } from 'chai';
import { createRateLimiter } from '../src/index.ts';
import { startSampleApp } from './sample-app.ts';
import type { SampleApp } from './sample-app.ts';

const HTML = `<!doctype html><title>é</title>${'<p>again</p>'.repeat(100)}`;
const PAGE = {
  path: '/api/page',
  contentType: 'text/html; charset=utf-8',
  bytes: Buffer.from(HTML),
  contentSecurityPolicy: "default-src 'self'",
};

const DOCUMENT = {
  ...PAGE,
  path: '/api/document',
  unlessHtml: { contentType: 'text/markdown', bytes: Buffer.from('# é') },
};

let builds = 0;
/** A packed file that is built when it is first wanted; the first attempt fails. */
const PACKAGE = {
  path: '/clients/package.tgz',
  contentType: 'application/gzip',
  contentSecurityPolicy: "default-src 'none'",
  bytes: (): Promise<Buffer> =>
    ++builds === 1 ? Promise.reject(new Error('no compiler')) : Promise.resolve(Buffer.alloc(5_000)),
};

describe('pages beside the API', () => {
  let app: SampleApp;
  const get = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${app.url}${path}`, init);

  before(async () => {
    app = await startSampleApp({
      pages: [PAGE, DOCUMENT],
      rateLimiter: createRateLimiter({ readsPerSecond: 4, now: () => 0 }),
    });
  });
  after(() => app.close(0));

  it('gives the bytes under a policy of their own, compressed, and says when a client has them', async () => {
    const first = await get('/api/page');
    expect(first.status).to.equal(200);
    expect(await first.text()).to.equal(HTML);
    expect(Object.fromEntries(first.headers)).to.include({
      'content-type': 'text/html; charset=utf-8',
      'content-encoding': 'gzip',
      'content-security-policy': "default-src 'self'",
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
      ratelimit: '"reads";r=7;t=1',
    });
    const plain = await get('/api/page', { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).to.equal(null);
    expect(await plain.text()).to.equal(HTML);

    const again = await get('/api/page', { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
    expect([again.status, await again.text()]).to.deep.equal([304, '']);
  });

  it('gives a form of its own to who does not ask for HTML', async () => {
    const asked = async (accept: string) => {
      const answer = await get('/api/document', { headers: { accept } });
      const { headers } = answer;
      return [headers.get('content-type'), headers.get('vary'), await answer.text(), headers.get('etag')];
    };
    const [type, vary, text, etag] = await asked('text/html,application/xhtml+xml;q=0.9,*/*;q=0.8');
    expect([type, vary, text]).to.deep.equal(['text/html; charset=utf-8', 'accept, accept-encoding', HTML]);
    const [otherType, otherVary, otherText, otherEtag] = await asked('*/*');
    expect([otherType, otherVary, otherText]).to.deep.equal(['text/markdown', 'accept', '# é']);
    expect(otherEtag).not.to.equal(etag);
  });

  it('refuses other methods, other paths, and too many, as the API does', async () => {
    const post = await get('/api/page', { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
    expect(await post.json()).to.have.property('code', 'method_not_allowed');
    expect(post.headers.get('content-security-policy')).to.include("default-src 'none'");
    expect((await get('/api/page/')).status).to.equal(404);

    const head = await get('/api/page', { method: 'HEAD' });
    expect([head.status, await head.text()]).to.deep.equal([200, '']);

    await Promise.all(Array.from({ length: 8 }, () => get('/api/page')));
    const refused = await get('/api/page');
    expect(refused.status).to.equal(429);
    expect(await refused.json()).to.have.property('code', 'rate_limited');
  });
});

describe('a page whose file is built', () => {
  let app: SampleApp;
  const get = (init: RequestInit = {}): Promise<Response> => fetch(`${app.url}${PACKAGE.path}`, init);

  before(async () => {
    app = await startSampleApp({ pages: [PACKAGE] });
  });
  after(() => app.close(0));

  it('builds it when it is first wanted, once, and does not compress what is compressed', async () => {
    expect(builds).to.equal(0);
    expect((await get()).status).to.equal(500);
    const answer = await get();
    expect((await answer.arrayBuffer()).byteLength).to.equal(5_000);
    expect(answer.headers.get('content-encoding')).to.equal(null);
    expect((await get({ method: 'HEAD' })).status).to.equal(200);
    expect(builds).to.equal(2);
  });
});
