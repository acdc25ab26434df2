import type { KeyCaller } from '@paper/contracts';
import { expect } from 'chai';
import { BODY_BYTES_MAX, bearer, OPERATOR_TOKEN, SIGNALS_TOKEN, startSampleApp } from './sample-app.ts';
import type { SampleApp } from './sample-app.ts';

const GOOD = { name: 'n', amount: 0.5, count: 1 };
const JSON_TYPE = { 'content-type': 'application/json' };
const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };

describe('the order of checks', () => {
  let app: SampleApp;
  const noted: KeyCaller[] = [];
  before(async () => (app = await startSampleApp({ handlerMs: 50, noteKeyUse: (caller) => noted.push(caller) })));
  after(() => app.close(0));

  const call = async (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) => {
    const answer = await fetch(app.url + path, {
      method,
      headers: { ...(body === undefined ? {} : JSON_TYPE), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: (text === '' ? null : JSON.parse(text)) as unknown };
  };

  // Method, path, headers, body → status, code, and how the text begins.
  const NO_ORDER_KEY = 'API key required for orders.create()';
  const refused: [string, string, Record<string, string>, unknown, number, string, string][] = [
    // The route and method are checked first.
    ['GET', '/api/nothing', {}, undefined, 404, 'not_found', 'No such route'],
    ['GET', '/api/things/', {}, undefined, 404, 'not_found', ''],
    ['GET', '/API/things', {}, undefined, 404, 'not_found', ''],
    ['GET', '/', {}, undefined, 404, 'not_found', ''],
    ['PUT', '/api/things', {}, '{', 405, 'method_not_allowed', ''],
    ['OPTIONS', '/api/mine', {}, undefined, 405, 'method_not_allowed', ''],
    ['GET', '/api/things/%E0', {}, undefined, 400, 'validation_failed', 'validation failure: path: '],
    ['GET', '/api/things/a%00b', {}, undefined, 400, 'validation_failed', 'validation failure: id: '],
    // 401 comes before any check of the body.
    ['POST', '/api/things', {}, GOOD, 401, 'not_authenticated', NO_ORDER_KEY],
    ['POST', '/api/things', {}, '{', 401, 'not_authenticated', NO_ORDER_KEY],
    ['POST', '/api/things', { authorization: 'Bearer nobody' }, '{', 401, 'not_authenticated', 'Not authenticated'],
    ['POST', '/api/things', { authorization: 'Basic eA==' }, GOOD, 401, 'not_authenticated', 'Not authenticated'],
    [
      'POST',
      '/api/things',
      { ...bearer('trader'), 'x-api-key': 'svc_live_viewer' },
      GOOD,
      401,
      'not_authenticated',
      '',
    ],
    ['POST', '/api/things', operator, GOOD, 401, 'not_authenticated', 'Not authenticated'],
    ['GET', '/api/mine', {}, undefined, 401, 'not_authenticated', 'Not authenticated'],
    ['GET', '/api/mine?key=svc_live_trader', {}, undefined, 401, 'not_authenticated', 'Not authenticated'],
    ['POST', '/api/operator/batch', {}, { commands: [] }, 401, 'not_authenticated', 'Not authenticated'],
    ['POST', '/api/operator/batch', { authorization: 'Bearer x' }, '{', 401, 'not_authenticated', 'Not authenticated'],
    [
      'POST',
      '/api/operator/batch',
      { 'x-api-key': OPERATOR_TOKEN },
      '{',
      401,
      'not_authenticated',
      'Not authenticated',
    ],
    // 403: a sub-account is refused before its permission is checked. In both cases the body is not read.
    ['POST', '/api/things', bearer('viewer'), '{', 403, 'forbidden', 'Forbidden'],
    ['POST', '/api/things', bearer('master'), GOOD, 403, 'forbidden', 'Forbidden'],
    ['GET', '/api/signals', bearer('nothing'), undefined, 403, 'forbidden', 'Forbidden'],
    ['POST', '/api/subs', bearer('sub'), '{', 403, 'primary_account_required', 'Switch to your primary account'],
    ['POST', '/api/subs', bearer('trader'), '{', 403, 'forbidden', 'Forbidden'],
    ['POST', '/api/operator/batch', bearer('master'), '{', 403, 'forbidden', 'Forbidden'],
    // So is a key with a mandate, where the call grants rights.
    ['POST', '/api/subs', bearer('limited'), '{', 403, 'forbidden', 'Forbidden'],
    // A token's scopes are checked before the body is read.
    [
      'POST',
      '/api/operator/batch',
      { authorization: `Bearer ${SIGNALS_TOKEN}` },
      '{',
      403,
      'forbidden',
      'Forbidden: the scopes of this operator token do not permit this',
    ],
    // An account that is not approved yet is refused before its body is read and after its key's permission is checked.
    ['POST', '/api/things', bearer('unapprovedViewer'), '{', 403, 'forbidden', 'Forbidden'],
    ['POST', '/api/things', bearer('unapproved'), '{', 403, 'kyc_required', 'Permission or KYC: '],
    [
      'POST',
      '/api/things',
      { ...bearer('unapproved'), 'content-type': 'text/plain', 'idempotency-key': '' },
      '{',
      403,
      'kyc_required',
      '',
    ],
    ['GET', '/api/things/%E0', bearer('unapproved'), undefined, 400, 'validation_failed', ''],
    // The form of what is sent.
    ['GET', '/api/things?limit=x', {}, undefined, 400, 'validation_failed', 'validation failure: limit: '],
    ['GET', '/api/things?limit=1&limit=2', {}, undefined, 400, 'validation_failed', 'validation failure: limit: '],
    ['GET', '/api/things?limit=%E0', {}, undefined, 400, 'validation_failed', 'validation failure: query: '],
    ['POST', '/api/things', bearer('trader'), '{', 400, 'validation_failed', 'validation failure: body: '],
    ['POST', '/api/things', bearer('trader'), undefined, 400, 'validation_failed', 'validation failure: body: '],
    [
      'POST',
      '/api/things',
      bearer('trader'),
      { ...GOOD, count: 0 },
      400,
      'validation_failed',
      'validation failure: count: ',
    ],
    [
      'POST',
      '/api/things',
      { ...bearer('trader'), 'idempotency-key': '' },
      GOOD,
      400,
      'validation_failed',
      'validation failure: Idempotency-Key: ',
    ],
    [
      'POST',
      '/api/things',
      { ...bearer('trader'), 'content-type': 'text/plain' },
      GOOD,
      415,
      'unsupported_media_type',
      '',
    ],
    ['POST', '/api/things', bearer('trader'), ' '.repeat(BODY_BYTES_MAX + 1), 413, 'payload_too_large', ''],
    // The handler.
    ['GET', '/api/fail/own', {}, undefined, 400, 'market_not_found', 'No such market'],
    ['GET', '/api/fail/bug', {}, undefined, 500, 'internal', 'Internal error'],
    ['GET', '/api/fail/unavailable', {}, undefined, 503, 'unavailable', 'The projection is behind'],
    ['GET', '/api/fail/rate-limited', {}, undefined, 429, 'rate_limited', 'Too many commands are waiting'],
    ['GET', '/api/fail/refused', {}, undefined, 404, 'account_not_found', 'No account of yours has this id'],
    ['GET', '/api/fail/refused-by-endpoint', {}, undefined, 400, 'market_not_found', 'No such market'],
    ['GET', '/api/fail/internal', {}, undefined, 500, 'internal', 'internal error'],
    ['GET', '/api/fail/timeout', {}, undefined, 503, 'unavailable', ''],
    ['GET', '/api/fail/never', {}, undefined, 503, 'unavailable', ''],
    ['GET', '/api/misfit', {}, undefined, 500, 'internal', 'Internal error'],
  ];

  for (const [method, path, headers, body, status, code, text] of refused) {
    const shown = typeof body === 'string' ? body.slice(0, 10) : JSON.stringify(body);
    it(`${method} ${path} ${JSON.stringify(headers)} ${shown} → ${status} ${code} ${text}`, async () => {
      const before = app.commands();
      const answer = await call(method, path, headers, body);
      expect(answer.status).to.equal(status);
      expect(answer.body).to.have.all.keys('error', 'code');
      const error = answer.body as { error: string; code: string };
      expect(error.code).to.equal(code);
      expect(error.error.startsWith(text), error.error).to.equal(true);
      expect(error.error).not.to.include('secret');
      expect(answer.headers.get('x-journal-seq')).to.equal(null);
      expect(answer.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      expect(answer.headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/);
      expect(answer.headers.get('retry-after')).to.equal(status === 503 || status === 429 ? '1' : null);
      expect(answer.headers.get('www-authenticate')).to.equal(status === 401 ? 'Bearer' : null);
      expect(app.commands()).to.equal(before);
    });
  }

  it('lets a good request through, with the headers of success', async () => {
    const answer = await call('POST', '/api/things', bearer('trader'), GOOD);
    expect(answer.body).to.deep.equal({ caller: 'trader', name: 'n', fingerprint: null });
    expect(answer.status).to.equal(200);
    const shown = Object.fromEntries(answer.headers);
    expect(shown).to.include({
      'x-journal-seq': '7',
      'idempotent-replayed': 'false',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    });
    expect(shown).not.to.have.any.keys('x-powered-by', 'strict-transport-security', 'etag');
  });

  it('takes a key in either header, the scheme in any case, or the same key in both', async () => {
    const both = { 'x-api-key': 'svc_live_trader', ...bearer('trader') };
    for (const headers of [{ 'x-api-key': 'svc_live_trader' }, { authorization: 'bEARER svc_live_trader' }, both]) {
      expect((await call('GET', '/api/mine', headers)).body).to.deep.equal({ account: 'trader' });
    }
  });

  it('ignores a bad key on a public route, but not a good one elsewhere', async () => {
    const bad = { authorization: 'nonsense', 'x-api-key': 'other' };
    expect((await call('GET', '/api/things/1', bad)).status).to.equal(200);
    expect((await call('GET', '/api/things/1', { 'x-api-key': 'other' })).status).to.equal(200);
  });

  it('takes trade as implying view, and an operator by name', async () => {
    expect((await call('GET', '/api/signals', bearer('onlyTrade'))).status).to.equal(200);
    const answer = await call('POST', '/api/operator/batch', operator, { commands: [1, 2] });
    expect(answer.body).to.deep.equal({ by: 'olga', count: 2 });
  });

  it('notes the use of a valid key on every route, also where it may not go on', async () => {
    noted.length = 0;
    await call('GET', '/api/things/1', bearer('viewer'));
    await call('POST', '/api/things', bearer('viewer'), GOOD);
    await call('GET', '/api/things/1', { authorization: 'Bearer svc_live_nobody' });
    await call('GET', '/api/things/1');
    await call('POST', '/api/operator/batch', operator, { commands: [] });
    expect(noted.map(({ keyId }) => keyId)).to.deep.equal(['key-viewer', 'key-viewer']);
  });

  it('prefers a literal path to a parameter, and tells the methods of a path', async () => {
    expect((await call('GET', '/api/things/special')).body).to.deep.equal({ special: true });
    expect((await call('PUT', '/api/things')).headers.get('allow')).to.equal('GET, HEAD, POST');
    expect((await call('POST', '/api/things/x')).headers.get('allow')).to.equal('DELETE, GET, HEAD');
  });

  it('answers HEAD as GET, without a body', async () => {
    const answer = await call('HEAD', '/api/things/abc');
    expect(answer.status).to.equal(200);
    expect(answer.body).to.equal(null);
    expect(answer.headers.get('content-length')).to.equal(String('{"id":"abc"}'.length));
    expect(answer.headers.get('x-journal-seq')).to.equal('1');
  });

  it("keeps a handler's own status and headers of an error, and passes a sane request id on", async () => {
    const answer = await call('GET', '/api/fail/own', { 'x-request-id': 'abc-1' });
    expect(answer.headers.get('x-own')).to.equal('yes');
    expect(answer.headers.get('x-request-id')).to.equal('abc-1');
    expect((await call('GET', '/api/mine', { 'x-request-id': 'a b' })).headers.get('x-request-id')).not.to.equal('a b');
  });

  it('fingerprints method, path and the bytes of the body', async () => {
    const print = async (key: string, body: string, path = '/api/things'): Promise<unknown> => {
      const answer = await call('POST', path, { ...bearer('trader'), 'idempotency-key': key }, body);
      return (answer.body as { fingerprint: string }).fingerprint;
    };
    const first = await print('k', JSON.stringify(GOOD));
    expect(first).to.match(/^[0-9a-f]{64}$/);
    expect(await print('other key', JSON.stringify(GOOD))).to.equal(first);
    expect(await print('k', JSON.stringify(GOOD), '/api/things?ignored=1')).to.equal(first);
    expect(await print('k', `${JSON.stringify(GOOD)} `)).not.to.equal(first);
  });

  it('takes a body of exactly the limit, charset variants, and ignores one where none is taken', async () => {
    const exact = JSON.stringify(GOOD).padEnd(BODY_BYTES_MAX, ' ');
    expect((await call('POST', '/api/things', bearer('trader'), exact)).status).to.equal(200);
    for (const charset of ['; charset=utf-8', ';charset="UTF-8"', '; Charset=UTF8', ';', '; x=y']) {
      const headers = { ...bearer('trader'), 'content-type': `application/JSON${charset}` };
      expect((await call('POST', '/api/things', headers, GOOD)).status, charset).to.equal(200);
    }
    expect((await call('DELETE', '/api/things/1', bearer('trader'), '{nonsense')).body).to.deep.equal({ ok: true });
  });

  it('refuses to mount one method of a path twice', async () => {
    let failure: unknown;
    await startSampleApp({ routes: [app.routes[0]!, app.routes[0]!] }).catch((error: unknown) => (failure = error));
    expect(String(failure)).to.include('get of /api/things/{id} is mounted twice');
  });
});
