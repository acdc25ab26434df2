import { decode, EMPTY_HEAD, checkChain } from '@paper/journal';
import type { WithheldEvent } from '@paper/journal';
import type { Command } from '@paper/exchange/commands';
import { base, listMarket, OPERATOR, createWorkload } from '@paper/testkit';
import { lastAnswer, sendBytes } from '@paper/testkit/http';
import { expect } from 'chai';
import { readHarness } from './read-harness.ts';
import type { ReadHarness } from './read-harness.ts';

const COMMANDS = 400;
/** A closing time after every event: one that has passed is refused. */
const NEVER = Date.parse('9999-12-31T00:00:00Z');

/** Every text in an event's private part, without its field names. */
function secretsOf(text: string): string[] {
  const values = (value: unknown): string[] =>
    typeof value === 'object' && value !== null ? Object.values(value).flatMap(values) : [String(value)];
  return values(JSON.parse(text));
}

describe('the public journal', function () {
  this.timeout(60_000);
  let harness: ReadHarness;
  let failing = false;

  const read = async (query: string) => {
    const { status, headers, body } = await harness.client.request('GET', `/api/journal${query}`);
    return { status, headers, events: status === 200 ? (body as readonly WithheldEvent[]) : [] };
  };
  const next = (headers: Headers): string | null =>
    /^<\/api\/journal(\?.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? null;

  before(async () => {
    harness = await readHarness({
      journal: (inner) =>
        Promise.resolve({
          head: () => inner.head(),
          read: (from, limit) => (failing ? Promise.reject(new Error('gone')) : inner.read(from, limit)),
        }),
    });
    const workload = createWorkload({ seed: 61 });
    for (let n = 0; n < COMMANDS; n += 1) {
      const command = workload.next();
      const before = harness.log.events.length;
      await harness.submit(command);
      const events = harness.log.events.slice(before).map((stored) => decode(stored).event);
      workload.observe(command, events.length === 0 ? { kind: 'unchanged' } : { kind: 'accepted', events });
    }
  });
  after(() => harness.close());

  it('is read page by page, whole, in order, and chains', async () => {
    const events: WithheldEvent[] = [];
    let query: string | null = '?limit=100';
    while (query !== null) {
      const page = await read(query);
      expect(page.headers.get('content-type')).to.equal('application/x-ndjson; charset=utf-8');
      expect(page.events.length).to.be.within(0, 100);
      events.push(...page.events);
      expect(Number(page.headers.get('x-journal-seq'))).to.equal(events.at(-1)?.seq);
      query = next(page.headers);
    }
    expect(events.length)
      .to.equal(harness.log.events.length)
      .and.to.be.greaterThan(COMMANDS / 2);
    expect(checkChain(EMPTY_HEAD, events)).to.deep.equal({
      hash: harness.log.events.at(-1)?.hash,
      seq: harness.log.events.length,
    });
  });

  it('holds nothing of any private part', async () => {
    const secrets = new Set(
      harness.log.events.flatMap(({ privateText }) => (privateText === null ? [] : secretsOf(privateText))),
    );
    // Account ids, and words such as "operator", are in the public texts for other reasons.
    const said = harness.log.events.map(({ publicText }) => publicText).join('\n');
    const withheld = [...secrets].filter((secret) => secret.length >= 8 && !said.includes(secret));
    expect(withheld.length).to.be.greaterThan(50);
    const answer = await (await fetch(`${harness.url}/api/journal`)).text();
    for (const secret of withheld) expect(answer.includes(secret), secret).to.equal(false);
    for (const name of ['keyHash', 'fingerprint', 'salt', 'privateText']) {
      expect(answer.includes(name), name).to.equal(false);
    }
  });

  it('never changes a full page, and says so; the page at the end is asked about each time', async () => {
    const full = await read('?from=5&limit=10');
    expect(full.headers.get('cache-control')).to.equal('public, max-age=86400, immutable');
    expect(next(full.headers)).to.equal('?from=15&limit=10');
    const etag = full.headers.get('etag') ?? '';
    await harness.submit(listMarket('later', { at: Date.now() }));
    const again = await harness.client.request('GET', '/api/journal?from=5&limit=10', {
      headers: { 'if-none-match': etag },
    });
    expect([again.status, again.headers.get('cache-control')]).to.deep.equal([304, full.headers.get('cache-control')]);

    const end = harness.log.events.length;
    const last = await read(`?from=${end}&limit=10`);
    expect(last.events.map(({ seq }) => seq)).to.deep.equal([end]);
    expect([last.headers.get('cache-control'), next(last.headers)]).to.deep.equal(['no-cache', null]);
  });

  it('gives a full page from memory, also while the journal is away', async () => {
    expect((await read('?from=7&limit=10')).status).to.equal(200);
    failing = true;
    expect((await read('?from=7&limit=10')).events.map(({ seq }) => seq)[0]).to.equal(7);
    failing = false;
  });

  it('is compressed for clients that accept it, with its own ETag, and plain for others', async () => {
    const ask = async (headers: Record<string, string>, method = 'GET') => {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      const request = `${method} /api/journal?from=2&limit=50 HTTP/1.0\r\nHost: x\r\n${lines.join('')}\r\n`;
      return lastAnswer(await sendBytes(harness.url, request));
    };
    const plain = await ask({});
    const small = await ask({ 'accept-encoding': 'gzip, deflate' });
    expect(plain.headers).to.include({ vary: 'accept-encoding' }).and.not.to.have.any.keys('content-encoding');
    expect(small.headers).to.include({ vary: 'accept-encoding', 'content-encoding': 'gzip' });
    expect(Number(small.headers['content-length'])).to.be.lessThan(Number(plain.headers['content-length']) / 3);
    expect(small.headers['etag']).to.equal(plain.headers['etag']?.replace(/"$/, '.gzip"'));
    const { headers } = await ask({ 'accept-encoding': 'gzip' }, 'HEAD');
    for (const name of ['content-encoding', 'content-length', 'etag', 'link', 'cache-control']) {
      expect(headers[name], name).to.equal(small.headers[name]);
    }
    for (const tag of [plain.headers['etag'], small.headers['etag']]) {
      const { status } = await ask({ 'accept-encoding': 'gzip', 'if-none-match': tag ?? '' });
      expect(status).to.equal(304);
    }
    const fetched = await (await fetch(`${harness.url}/api/journal?from=2&limit=50`)).text();
    expect(fetched.trimEnd().split('\n')).to.have.length(50);
  });

  it('is empty after its end, which X-Journal-Seq names', async () => {
    for (const from of [harness.log.events.length + 1, 999_999_999_999_999]) {
      const { status, headers, events } = await read(`?from=${from}`);
      expect([status, events, next(headers)]).to.deep.equal([200, [], null]);
      expect(Number(headers.get('x-journal-seq'))).to.equal(harness.log.events.length);
    }
  });

  it('ends a page where its texts reach a mebibyte, always at the same event', async () => {
    const from = harness.log.events.length + 1;
    const long = (n: number): Command =>
      listMarket(`long-${n}`, {
        ...base(OPERATOR, `long-${n}`),
        at: 0,
        closesAt: NEVER,
        description: 'é'.repeat(9_000),
      });
    await harness.submit(...Array.from({ length: 80 }, (_, n) => long(n)));
    const page = await read(`?from=${from}&limit=1000`);
    const bytes = page.events.map(({ publicText }) => Buffer.byteLength(publicText));
    const total = bytes.reduce((sum, one) => sum + one, 0);
    expect(total).to.be.within(1024 * 1024, 1024 * 1024 + (bytes.at(-1) ?? 0));
    expect(total - (bytes.at(-1) ?? 0)).to.be.lessThan(1024 * 1024);
    expect(page.headers.get('cache-control')).to.match(/immutable/);
    expect(next(page.headers)).to.equal(`?from=${from + page.events.length}&limit=1000`);
  });

  it('gives at most 1,000 events, and refuses what is no sequence', async () => {
    expect((await read('?limit=5000')).events.length).to.be.within(1, 1_000);
    for (const query of [
      'from=0',
      'from=-1',
      'from=x',
      'from=1e3',
      'from=',
      'from=1&from=2',
      `from=${'9'.repeat(16)}`,
    ]) {
      const { status, body } = await harness.client.request('GET', `/api/journal?${query}`);
      expect([query, status, (body as { code: string }).code]).to.deep.equal([query, 400, 'validation_failed']);
    }
  });

  it('answers each of many concurrent requests', async () => {
    const pages = await Promise.all(Array.from({ length: 60 }, (_, n) => read(`?from=${n + 1}&limit=7`)));
    pages.forEach(({ events }, n) => expect(events.map(({ seq }) => seq)[0]).to.equal(n + 1));
  });

  it('is unavailable while the journal is, and back after', async () => {
    failing = true;
    const { status, headers } = await read('?from=2');
    expect([status, headers.get('retry-after')]).to.deep.equal([503, '1']);
    failing = false;
    expect((await read('?from=2')).status).to.equal(200);
  });
});
