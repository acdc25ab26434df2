import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineEndpoint } from '@paper/contracts';
import type { SerializedBytes } from '@paper/contracts';
import { lastAnswer, sendBytes } from '@paper/testkit';
import { expect } from 'chai';
import { z } from 'zod';
import { route } from '../src/index.ts';
import { startSampleApp } from './sample-app.ts';
import type { SampleApp } from './sample-app.ts';

const TEXT = JSON.stringify(['é'.repeat(500)]);
const bytes = Buffer.from(TEXT);
const all: SerializedBytes = { bytes, etag: 'seq-7', gzip: gzipSync(bytes), br: brotliCompressSync(bytes) };

const endpoint = (id: string) =>
  defineEndpoint({
    id,
    method: 'get',
    path: `/api/${id}`,
    tag: 'sample',
    summary: '',
    description: '',
    auth: 'public',
    kind: 'read',
    answer: z.array(z.string()),
    errors: [],
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

  for (const tag of ['"seq-7"', 'W/"seq-7.br"', '"old", "seq-7.gzip"', '*']) {
    it(`are not sent again to who has ${tag}`, async () => {
      const asked = { 'accept-encoding': 'gzip', 'if-none-match': tag };
      const { status, headers } = await get('compressed', asked);
      expect(status).to.equal(304);
      expect(headers).to.include({ etag: '"seq-7.gzip"', vary: 'accept-encoding', 'x-journal-seq': '7' });
      expect(headers).not.to.have.any.keys('content-type', 'content-encoding', 'content-length');
    });
  }

  it('are sent to who has others', async () => {
    for (const tag of ['"seq-6"', '"seq-77"', 'seq-7', '""']) {
      expect((await get('compressed', { 'if-none-match': tag })).status).to.equal(200);
    }
  });

  it('are held against their endpoint in tests', async () => {
    expect((await get('misfit')).status).to.equal(500);
  });
});
