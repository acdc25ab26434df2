import type { RequestListener } from 'node:http';
import { createRateLimiter, startServer } from '@paper/http';
import type { RateLimiter, RunningServer } from '@paper/http';
import { createLogger, createMetrics } from '@paper/runtime';
import { expect } from 'chai';
import { listingOf } from '../src/tools/tools.ts';

const ME = { accountId: 'a', primaryAccountId: 'a', keyId: 'k', permissions: ['trade'] };
const MODERN = '2026-07-28';
const LISTENERS_MAX = 6;

/** What an exchange answers; null: as to a key that trades. */
type Exchange = { readonly status: number; readonly body: object } | null;

describe('the protocol over HTTP', () => {
  const running: (() => Promise<void>)[] = [];
  let asked: string[] = [];
  let exchange: Exchange;
  let url: string;

  const start = async (rateLimiter: RateLimiter | null, hasStarted = true): Promise<void> => {
    const api: RequestListener = ({ url: path = '' }, response) => {
      asked.push(path);
      const { body, status } = exchange ?? { status: 200, body: ME };
      response.writeHead(status, { 'content-type': 'application/json', 'x-journal-seq': 1 });
      response.end(JSON.stringify(body));
    };
    const served = await startServer(api, { host: '127.0.0.1', port: 0 });
    // It loads the protocol by import(), which would make other classes of errors than mocha's require.
    const { createMcp } = await import('../src/mcp.ts');
    const mcp = createMcp({
      secrets: ['a secret of a test that is long enough'],
      hosts: [],
      logger: createLogger({ name: 'test', level: 'silent' }),
      metrics: createMetrics(),
      rateLimiter,
      trustedProxies: [],
    });
    if (hasStarted) mcp.start({ apiUrl: served.url, publicUrl: null });
    const listener: RequestListener = (request, response) => {
      // The standalone's own listeners leave room for no more than this.
      mcp.listener(request, response.setMaxListeners(LISTENERS_MAX));
    };
    const server: RunningServer = await startServer(listener, { host: '127.0.0.1', port: 0 });
    url = server.url;
    running.push(
      () => server.close(0),
      () => mcp.stop(),
      () => served.close(0),
    );
  };
  beforeEach(() => {
    asked = [];
    exchange = null;
  });
  afterEach(async () => {
    for (const stop of running.splice(0)) await stop();
  });

  const post = async (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer key',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body,
    });
    const text = await response.text();
    const json = text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? 'null');
    return { status: response.status, headers: response.headers, text, body: JSON.parse(json) as Answer };
  };
  interface Answer {
    readonly code?: string;
    readonly id?: unknown;
    readonly error?: { readonly message: string; readonly data?: object };
    readonly result?: { readonly isError?: boolean; readonly content: readonly { readonly text: string }[] };
  }
  const message = (method: string, params: object = {}, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });
  const send = (method: string, params: object = {}, id: unknown = 1) =>
    post(JSON.stringify(message(method, params, id)));
  /** As a client of the newer protocol does. */
  const sendModern = (method: string, id: unknown = 1) => {
    const about = {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const headers = { 'mcp-protocol-version': MODERN, 'mcp-method': method };
    return post(JSON.stringify(message(method, { _meta: about }, id)), headers);
  };

  it('takes one message a request: a batch is refused, whichever bytes precede it', async () => {
    await start(null);
    const batch = JSON.stringify(Array.from({ length: 100 }, (_, id) => message('tools/list', {}, id)));
    for (const before of ['', ' \r\n\t', '\ufeff', '\ufeff\ufeff', '\ufeff ', '\u00a0', '\u2028', '\0']) {
      const { body, status, text } = await post(before + batch);
      expect({ status, code: body.code }, JSON.stringify(before)).to.deep.equal({
        status: 400,
        code: 'validation_failed',
      });
      expect(text.length).to.be.below(300);
    }
    const bytes = new TextEncoder().encode(batch);
    const utf16 = Uint8Array.from([0xff, 0xfe, ...[...bytes].flatMap((byte) => [byte, 0])]);
    expect(await post(utf16)).to.deep.include({ status: 400 });
    expect((await post(batch)).body)
      .to.have.property('error')
      .that.includes('one message a request');
    for (const other of ['5', 'null', '"tools/list"']) expect(await post(other)).to.include({ status: 400 });
    expect((await send('tools/list')).status).to.equal(200);
  });

  it('costs what the answer weighs: a list of tools a unit for each 4 KiB', async () => {
    await start(createRateLimiter({ readsPerSecond: 200, now: () => 0 }));
    const remaining = ({ headers }: { readonly headers: Headers }): number =>
      Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
    expect(remaining(await send('ping'))).to.equal(399);
    const cost = Math.ceil(listingOf(['trade']).bytes / 4_096);
    expect(cost).to.be.within(5, 12);
    expect(remaining(await send('tools/list'))).to.equal(399 - cost);
    expect(remaining(await sendModern('tools/list'))).to.equal(399 - 2 * cost);
    let status = 200;
    for (let n = 0; n < 40 && status === 200; n += 1) ({ status } = await send('tools/list', {}, 1.5));
    expect(status, 'at last, also with an id that no request may have').to.be.oneOf([400, 429]);
  });

  it('lists the tools with the id of each request, the same in both generations of the protocol', async () => {
    await start(null);
    const ids = [1, 2, 'a', '"', 'a\\u0000', 0, -7];
    for (const id of ids) {
      for (const answer of [await send('tools/list', {}, id), await sendModern('tools/list', id)]) {
        expect(answer.body.id).to.equal(id);
        expect(Buffer.byteLength(answer.text), 'the whole answer').to.be.below(48_000);
        expect(answer.body.result)
          .to.have.property('tools')
          .with.length(listingOf(['trade']).tools.length);
      }
    }
    exchange = { status: 200, body: { ...ME, keyId: 'k2', permissions: ['view'] } };
    const { body } = await post(JSON.stringify(message('tools/list')), { authorization: 'Bearer other' });
    expect(body.result)
      .to.have.property('tools')
      .with.length(listingOf(['view']).tools.length);
  });

  it('gives a 503 of the exchange as the result of a tool, with what to do next', async () => {
    exchange = { status: 503, body: { error: 'The projection is behind', code: 'unavailable' } };
    await start(null);
    const { body, status } = await send('tools/call', { name: 'get_me', arguments: {} });
    expect({ status, isError: body.result?.isError }).to.deep.equal({ status: 200, isError: true });
    const failure = JSON.parse(body.result?.content[0]?.text ?? '') as Record<string, unknown>;
    expect(failure).to.include({ code: 'unavailable', retryAfterSeconds: 1 });
    expect(failure['remedy']).to.be.a('string').that.is.not.empty;
    const listed = await send('tools/list');
    expect(listed.status).to.equal(200);
    expect(listed.body.error?.data).to.include({ code: 'unavailable' });
  }).timeout(20_000);

  it('says after how many seconds to try again where the exchange is busy, and only there', async () => {
    await start(null);
    for (const [status, code, retryAfterSeconds] of [
      [429, 'rate_limited', 1],
      [403, 'forbidden', undefined],
    ] as const) {
      exchange = { status, body: { error: 'No', code } };
      const { body } = await send('tools/call', { name: 'get_me', arguments: {} });
      const failure = JSON.parse(body.result?.content[0]?.text ?? '') as Record<string, unknown>;
      expect([failure['code'], failure['retryAfterSeconds']]).to.deep.equal([code, retryAfterSeconds]);
    }
  }).timeout(20_000);

  it('says so as well before the service has started', async () => {
    await start(null, false);
    const { body, status } = await send('tools/call', { name: 'get_health', arguments: {} });
    expect({ status, isError: body.result?.isError }).to.deep.equal({ status: 200, isError: true });
    expect(body.result?.content[0]?.text).to.include('The service is starting').and.to.include('"code":"unavailable"');
  });

  it('adds no more listeners to a response than Node warns of', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    await start(null);
    for (let n = 0; n < 3; n += 1) {
      await send('tools/list');
      await sendModern('tools/list');
      await send('tools/call', { name: 'get_me', arguments: {} });
    }
    await new Promise(setImmediate);
    process.off('warning', note);
    expect(warnings.filter(({ name }) => name === 'MaxListenersExceededWarning')).to.deep.equal([]);
  });

  it('counts against the address what is refused for its Host', async () => {
    await start(createRateLimiter({ readsPerSecond: 1, now: () => 0 }));
    const statuses: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      statuses.push((await post('{}', { origin: 'https://evil.example' })).status);
    }
    expect(statuses).to.deep.equal([403, 403, 429, 429]);
    expect(asked).to.deep.equal([]);
  });

  it('finds no market by the name of a path: get_market("signals") is not the board of signals', async () => {
    await start(null);
    for (const tool of ['get_market', 'get_order_book', 'get_timeline', 'get_candles']) {
      const { body } = await send('tools/call', { name: tool, arguments: { marketId: '..' } });
      expect(body.result?.content[0]?.text, tool).to.include('market_not_found');
    }
    const { body } = await send('tools/call', { name: 'get_market', arguments: { marketId: 'signals' } });
    expect(body.result).to.have.property('isError', true);
    expect(body.result?.content[0]?.text).to.include('market_not_found');
    expect(asked).to.deep.equal(['/api/me']);
  });
});
