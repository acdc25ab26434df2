import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { describeSharedExchange } from '@paper/testkit/exchange';
import type { RunningExchange } from '@paper/testkit/exchange';
import { createCheckedClient, operatorClient } from '@paper/testkit/http';
import type { CheckedClient } from '@paper/testkit/http';

interface Parameter {
  readonly example?: string | number;
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
}

/** A path, perhaps with a query already, and this query. */
const withQuery = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`;

/** Sends wrong paging parameters to every paged list. */
describeSharedExchange('bad input to lists', function (start) {
  this.timeout(60_000);
  let service: RunningExchange;
  let client: CheckedClient;
  let key: string;
  let benKey: string;

  /** The lists' paths from the served document, with `{id}` and what the query needs filled in. */
  let lists: readonly string[];
  const keyOf = (path: string): string => (path.startsWith('/api/operator') ? service.operatorToken : key);
  const ask = async (path: string) => {
    const answer = await client.request('GET', path, { key: keyOf(path) });
    return { status: answer.status, code: (answer.body as { code?: string }).code, link: answer.headers.get('link') };
  };

  before(async () => {
    service = await start();
    client = await createCheckedClient(service.baseUrl);
    const asOperator = operatorClient(client, service.operatorToken);
    await asOperator.list('one');
    await asOperator.list('two');
    const keys = [(await asOperator.open('Ann')).key, (await asOperator.open('Ben')).key];
    [key = '', benKey = ''] = keys;
    let orderId = '';
    for (let n = 0; n < 3; n += 1) {
      for (const [index, outcome] of ['yes', 'no'].entries()) {
        const body = { marketId: 'one', outcome, price: 0.5, quantity: 2 };
        const order = await client.ok<{ id: string }>('POST', '/api/orders', { key: keys[index] ?? '', body });
        if (index === 0) orderId = order.id;
      }
      await client.ok('POST', '/api/operator/signals', {
        key: service.operatorToken,
        body: {
          externalId: `x${n}`,
          source: 'tests',
          marketId: 'one',
          headline: 'News',
          citationUrl: 'https://example.com/news',
          publishedAt: '2026-11-20T00:00:00.000Z',
        },
      });
    }
    const document = (await (await fetch(`${service.baseUrl}/api/openapi`)).json()) as {
      readonly paths: Record<string, { readonly get?: { readonly parameters?: readonly Parameter[] } }>;
    };
    lists = Object.entries(document.paths)
      .filter(([, { get }]) => get?.parameters?.some(({ name }) => name === 'cursor') === true)
      .map(([path, { get }]) => {
        const needed = (get?.parameters ?? []).filter((one) => one.in === 'query' && one.required === true);
        const filledIn = path.replace('{id}', path.includes('/orders/') ? orderId : 'one');
        return needed.reduce((asked, { name, example }) => withQuery(asked, `${name}=${example ?? ''}`), filledIn);
      });
  });
  after(async () => {
    await service.stop();
  });

  it('names a limit that is none', async () => {
    expect(lists).to.include.members(['/api/fills', '/api/orders', '/api/trades/recent', '/api/markets/one/events']);
    expect(lists).to.include('/api/ledger');
    for (const path of lists) {
      for (const query of ['limit=0', 'limit=-1', 'limit=abc', 'limit=', 'limit=1.5', 'limit=1e9', 'limit=5&limit=5']) {
        expect(await ask(withQuery(path, query)), withQuery(path, query)).to.include({
          status: 400,
          code: 'validation_failed',
        });
      }
    }
  });

  it('takes a limit of more than 500 as 500', async () => {
    for (const path of lists) {
      for (const limit of ['500', '501', '1000000000', '9'.repeat(40)]) {
        const asked = withQuery(path, `limit=${limit}`);
        expect((await ask(asked)).status, asked).to.equal(200);
      }
    }
  });

  it('takes a cursor that the list gave, and no other', async () => {
    const cursors = new Map<string, string>();
    for (const path of lists) {
      const { link } = await ask(withQuery(path, 'limit=1'));
      const next = /^<(.*)>; rel="next"$/.exec(link ?? '')?.[1];
      if (next === undefined) continue;
      expect((await ask(next)).status, next).to.equal(200);
      cursors.set(path, new URL(next, service.baseUrl).searchParams.get('cursor') ?? '');
    }
    expect([...cursors.keys()]).to.include.members(['/api/fills', '/api/orders', '/api/trades/recent', '/api/markets']);
    for (const path of lists) {
      const own = cursors.get(path);
      const others = [...cursors].filter(([other]) => other !== path).map(([, cursor]) => cursor);
      const forged = ['x', '', 'a'.repeat(501), Buffer.from('[1,"fills",1]').toString('base64url')];
      if (own !== undefined) forged.push(own.slice(1), `${own}A`, own.slice(0, -1), own.toLowerCase());
      // A cursor from before cursors were signed: a version, the list, a sequence, and a checksum without a secret.
      const former = Buffer.from(JSON.stringify([1, 'markets', 1])).toString('base64url');
      const checksum = createHash('sha256').update(`paper-cursor ${former}`).digest('base64url').slice(0, 8);
      forged.push(`${former}${checksum}`);
      for (const cursor of [...others, ...forged]) {
        const asked = withQuery(path, `cursor=${encodeURIComponent(cursor)}`);
        expect(await ask(asked), asked).to.include({ status: 400, code: 'validation_failed' });
      }
      if (own !== undefined) expect((await ask(withQuery(path, `cursor=${own}&cursor=${own}`))).status).to.equal(400);
    }
  });

  it("takes no cursor of another account, of another filter, or of another market's list", async () => {
    const cursorIn = async (path: string): Promise<string> => {
      const next = /^<(.*)>; rel="next"$/.exec((await ask(path)).link ?? '')?.[1] ?? '';
      return new URL(next, service.baseUrl).searchParams.get('cursor') ?? 'none';
    };
    const refused = { status: 400, code: 'validation_failed' };
    const fills = await cursorIn('/api/fills?limit=1&marketId=one');
    expect((await ask(`/api/fills?marketId=one&cursor=${fills}`)).status).to.equal(200);
    expect(await ask(`/api/fills?marketId=two&cursor=${fills}`)).to.include(refused);
    expect(await ask(`/api/fills?cursor=${fills}`)).to.include(refused);
    const byBen = await client.request('GET', `/api/fills?marketId=one&cursor=${fills}`, { key: benKey });
    expect(byBen.status).to.equal(400);
    const timeline = await cursorIn('/api/markets/one/events?limit=1');
    expect(await ask(`/api/markets/two/events?cursor=${timeline}`)).to.include(refused);
  });
});
