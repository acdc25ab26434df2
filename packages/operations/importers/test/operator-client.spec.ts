import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { createOperatorClient, findService } from '../src/operator-client.ts';

type Respond = (response: ServerResponse, url: string) => void;

describe("the operators' client", () => {
  let server: Server;
  let baseUrl: string;
  let script: Respond[] = [];
  let seen: string[] = [];
  /** The Idempotency-Keys that were sent. */
  let keys: unknown[] = [];

  before(async () => {
    server = createServer((request, response) => {
      request.resume();
      keys.push(request.headers['idempotency-key']);
      seen.push(`${request.method ?? ''} ${request.url ?? ''} ${request.headers.authorization ?? ''}`);
      script.shift()?.(response, request.url ?? '');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    seen = [];
  });
  after(() => server.close());

  const json =
    (status: number, body: unknown, headers: Record<string, string> = {}): Respond =>
    (response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    };
  const client = () => createOperatorClient({ baseUrl, token: 'secret' });

  it('follows the pages of the market list', async () => {
    script = [
      json(200, [{ id: 'a' }], { link: '</api/operator/markets?limit=500&cursor=x>; rel="next"' }),
      json(200, [{ id: 'b' }]),
    ];
    expect((await client().markets()).map((market) => market.id)).to.deep.equal(['a', 'b']);
    expect(seen).to.deep.equal([
      'GET /api/operator/markets?limit=500 Bearer secret',
      'GET /api/operator/markets?limit=500&cursor=x Bearer secret',
    ]);
  });

  it('repeats unanswered commands, and no answered one', async () => {
    const done = { results: [{ ok: true, changed: true, result: { id: 's', seq: 1 } }] };
    script = [
      json(503, {}, { 'retry-after': '0' }),
      json(429, {}, { 'retry-after': '0' }),
      (response) => response.destroy(),
      json(200, done),
    ];
    const progress: number[] = [];
    const results = await client().run([{ op: 'pause-market', id: 'm' }], (n) => progress.push(n));
    expect(results).to.deep.equal(done.results);
    expect(progress).to.deep.equal([1]);
    expect(seen).to.have.length(4);
  });

  it('sends what was not decided of a batch again, and that alone: the rest was counted as unchanged', async () => {
    const undecided = { ok: false, status: 503, code: 'unavailable', error: 'the service is stopping' };
    const [one, other] = [1, 2].map((seq) => ({ ok: true, changed: true, result: { id: `s${seq}`, seq } }));
    script = [json(200, { results: [one, undecided] }), json(200, { results: [other] })];
    const commands = ['m', 'n'].map((id) => ({ op: 'pause-market', id }) as const);
    expect(await client().run(commands, () => undefined)).to.deep.equal([one, other]);
    expect(seen).to.have.length(2);
  });

  it('opens an account once, with a key, also where the first answer was lost', async () => {
    const account = { id: 'a', displayName: 'Ann' };
    const apiKey = { id: 'k', permissions: ['view'], rawKey: 'svc_live_k' };
    script = [json(200, { account, apiKey })];
    expect(await client().openAccount({ displayName: 'Ann' })).to.deep.equal({ account, apiKey });

    seen = [];
    keys = [];
    const replayed = { account, apiKey: { id: 'k', permissions: ['view'] } };
    const second = { id: 'k2', permissions: ['view'], rawKey: 'svc_live_k2' };
    script = [
      (response) => response.destroy(),
      json(200, replayed),
      json(200, { ok: true }),
      json(200, { apiKey: second }),
    ];
    expect(await client().openAccount({ displayName: 'Ann' })).to.deep.equal({ account, apiKey: second });
    expect(seen).to.deep.equal([
      'POST /api/operator/accounts Bearer secret',
      'POST /api/operator/accounts Bearer secret',
      'DELETE /api/operator/keys/k Bearer secret',
      'POST /api/operator/accounts/a/keys Bearer secret',
    ]);
    expect(keys[0]).to.be.a('string').and.to.equal(keys[1]);
    expect(keys[3]).not.to.equal(keys[1]);
  });

  it('gives up at once on a refusal, and says it', async () => {
    script = [json(401, { error: 'Not authenticated', code: 'not_authenticated' })];
    const failure = await client()
      .markets()
      .catch((error: unknown) => String(error));
    expect(failure).to.equal('NotAuthenticated: Not authenticated');
    expect(seen).to.have.length(1);
  });
});

describe("the service's address", () => {
  const before = process.env['DATA_DIR'];
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'service-file-'));
    process.env['DATA_DIR'] = folder;
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
    if (before === undefined) delete process.env['DATA_DIR'];
    else process.env['DATA_DIR'] = before;
  });

  it('is read from what the running service left, unless it is given', () => {
    writeFileSync(path.join(folder, 'service.json'), JSON.stringify({ baseUrl: 'http://here', operatorToken: 'left' }));
    expect(findService({})).to.deep.equal({ baseUrl: 'http://here', token: 'left' });
    expect(findService({ url: 'http://there' })).to.deep.equal({ baseUrl: 'http://there', token: 'left' });
  });
  it('says what to do when nothing runs', () => {
    expect(() => findService({})).to.throw('npm start');
    expect(findService({ url: 'http://there', token: 't' })).to.deep.equal({ baseUrl: 'http://there', token: 't' });
  });
});
