import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineEndpoint } from '@paper/contracts';
import type { SerializedBytes } from '@paper/contracts';
import { lastAnswer, sendBytes } from '@paper/testkit/http';
import { expect } from 'chai';
import { z } from 'zod';
import { route } from '../src/index.ts';
import { startSampleApp } from './sample-app.ts';
import type { SampleApp } from './sample-app.ts';

const TEXT = JSON.stringify(['é'.repeat(500)]);
const bytes = Buffer.from(TEXT);
/** Exactly 1 KiB, and a byte more. */
const small = Buffer.from(JSON.stringify(['x'.repeat(1020)]));
const large = Buffer.from(JSON.stringify(['x'.repeat(1021)]));
const all: SerializedBytes = { bytes, etag: 'seq-7', gzip: gzipSync(bytes), br: brotliCompressSync(bytes) };

const endpoint = (id: string) => ({
  id,
  ...defineEndpoint({
    path: `/api/${id}`,
    tag: 'sample',
    summary: '',
    description: '',
    auth: 'public',
    answer: z.array(z.string()),
  }),
});

/** An answer whose bytes were made before the request. */
describe('ready-made answers', () => {
  let app: SampleApp;

  before(async () => {
    const give = (id: string, preSerialized: SerializedBytes) =>
      route(
        endpoint(id),
        async () => ({ preSerialized, seq: 7, headers: { link: '</api/next>; rel="next"' } }),
        async () => null,
      );
    app = await startSampleApp({
      routes: [
        give('compressed', all),
        give('plain', { bytes, etag: 'seq-7' }),
        give('small', { bytes: small, etag: 'seq-8' }),
        give('large', { bytes: large, etag: 'seq-9' }),
        give('zipped', { bytes, etag: 'seq-7', gzip: all.gzip as Buffer }),
        {
          ...give('own', { bytes: large, etag: 'seq-9' }),
          endpoint: { ...endpoint('own'), auth: 'key' },
          authenticate: async () => ({
            ...{ kind: 'key', accountId: 'a', keyId: 'k', permissions: [], primaryAccountId: null },
          }),
        },
        give('misfit', { bytes: Buffer.from('{}'), etag: 'x' }),
      ],
    });
  });
  after(() => app.close(0));

  const get = async (id: string, headers: Record<string, string> = {}, method = 'GET') => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return lastAnswer(await sendBytes(app.url, `${method} /api/${id} HTTP/1.0\r\nHost: x\r\n${lines.join('')}\r\n`));
  };

  for (const [accepted, coding] of [
    ['gzip, deflate, br', 'br'],
    ['GZIP', 'gzip'],
    ['br;q=0, gzip;q=0.1', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['identity', undefined],
    ['deflate', undefined],
  ] as const) {
    it(`go out as ${coding ?? 'they are'} to who takes ${accepted}`, async () => {
      const { headers } = await get('compressed', { 'accept-encoding': accepted });
      expect(headers['content-encoding']).to.equal(coding);
      expect(headers['content-length']).to.equal(
        String((coding === 'br' ? all.br : coding === 'gzip' ? all.gzip : bytes)?.length),
      );
      expect(headers['etag']).to.equal(coding === undefined ? '"seq-7"' : `"seq-7.${coding}"`);
      expect(headers).to.include({ vary: 'accept-encoding', 'x-journal-seq': '7', 'cache-control': 'no-cache' });
    });
  }

  it('arrive as the text that was made, and carry the headers of their handler', async () => {
    for (const id of ['compressed', 'plain']) {
      const answer = await fetch(`${app.url}/api/${id}`);
      expect(await answer.text()).to.equal(TEXT);
      expect(answer.headers.get('link')).to.equal('</api/next>; rel="next"');
      expect(answer.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    }
    expect((await get('plain', { 'accept-encoding': 'br' })).headers).not.to.have.any.keys('vary', 'content-encoding');
  });

  for (const [tag, held] of [
    ['"seq-7"', '"seq-7"'],
    ['W/"seq-7.br"', '"seq-7.br"'],
    ['"old", "seq-7.gzip"', '"seq-7.gzip"'],
    ['"seq-7", "seq-7.gzip"', '"seq-7.gzip"'],
    ['*', '"seq-7.gzip"'],
  ] as const) {
    it(`are not sent again to who has ${tag}: the answer names the form that it has`, async () => {
      const asked = { 'accept-encoding': 'gzip', 'if-none-match': tag };
      const { status, headers } = await get('compressed', asked);
      expect(status).to.equal(304);
      expect(headers).to.include({ etag: held, vary: 'accept-encoding', 'x-journal-seq': '7' });
      expect(headers).not.to.have.any.keys('content-type', 'content-encoding', 'content-length');
    });
  }

  it("are compressed when a client first accepts it, where they are over 1 KiB: an account's own too", async () => {
    for (const [id, key] of [
      ['large', {}],
      ['own', { 'x-api-key': 'svc_live_x' }],
    ] as const) {
      const sizes = new Set<string | undefined>();
      for (const accepted of ['gzip', 'br', 'identity']) {
        const { headers, status } = await get(id, { 'accept-encoding': accepted, ...key });
        const coding = accepted === 'identity' ? undefined : accepted;
        expect([status, headers['content-encoding']]).to.deep.equal([200, coding]);
        expect(headers).to.include({ vary: 'accept-encoding' });
        expect(headers['etag']).to.equal(coding === undefined ? '"seq-9"' : `"seq-9.${coding}"`);
        sizes.add(headers['content-length']);
      }
      expect(sizes).to.have.property('size', 3);
    }
    const { headers } = await get('small', { 'accept-encoding': 'gzip, br' });
    expect(headers).to.include({ 'content-length': '1024', etag: '"seq-8"' });
    expect(headers).not.to.have.any.keys('vary', 'content-encoding');
  });

  it('are the same text in each coding', async () => {
    for (const accepted of ['gzip', 'br', 'identity']) {
      const answer = await fetch(`${app.url}/api/large`, { headers: { 'accept-encoding': accepted } });
      expect(await answer.text()).to.equal(String(large));
    }
  });

  it('go out in the form that is made already, if the client accepts it', async () => {
    expect((await get('zipped', { 'accept-encoding': 'br, gzip' })).headers['content-encoding']).to.equal('gzip');
    expect((await get('zipped', { 'accept-encoding': 'br' })).headers['content-encoding']).to.equal('br');
  });

  it('are sent to who has others', async () => {
    for (const tag of ['"seq-6"', '"seq-77"', 'seq-7', '""']) {
      expect((await get('compressed', { 'if-none-match': tag })).status).to.equal(200);
    }
  });

  it('are held against their endpoint in tests', async () => {
    expect((await get('misfit')).status).to.equal(500);
  });
});
