import { endpoints, Refused, Unavailable } from '@paper/contracts';
import type { Endpoint, KeyCaller } from '@paper/contracts';
import { expect } from 'chai';
import type { z } from 'zod';
import { cursorScope, sealCursor } from '../src/paging/cursor.ts';
import type { CursorScope } from '../src/paging/cursor.ts';
import { orderHistoryPosition, orderPosition, Paging, sequencePosition } from '../src/paging/paging.ts';
import type { PagedInput, PageRequest } from '../src/paging/paging.ts';

const SECRET = Buffer.alloc(32, 'a secret');
const key = (accountId: string): KeyCaller => ({
  kind: 'key',
  accountId,
  keyId: `key of ${accountId}`,
  permissions: ['view'],
  primaryAccountId: null,
});
const ANN = key('ann');

const paging = async (secret = SECRET): Promise<Paging> => {
  const given = Promise.resolve(secret);
  const made = new Paging(given);
  await given;
  return made;
};

const input = (query: Partial<PagedInput['query']> = {}, params: PagedInput['params'] = null): PagedInput => ({
  params,
  query: { limit: 50, ...query },
});

/** The cursor in a `Link` header. */
const cursorOf = ({ headers }: ReturnType<PageRequest<unknown>['linkTo']>): string =>
  new URLSearchParams(/\?(.*)>/.exec(headers?.['link'] ?? '')?.[1]).get('cursor') ?? 'none';

describe('cursors of paged lists', () => {
  const refuse = (work: () => unknown, name: string): void => {
    expect(work, name)
      .to.throw(Refused, /^validation failure: cursor: /)
      .that.includes({ code: 'validation_failed' });
  };

  it('lead on from the position of the last item, with the same parameters and the limit as it counts', async () => {
    const { listOrders, getOrderHistory } = endpoints;
    const pages = await paging();
    const first = pages.request(listOrders, ANN, input({ marketId: 'a b', limit: 7 }), orderPosition);
    expect(first).to.include({ limit: 7, after: undefined });
    expect(first.linkTo(null)).to.deep.equal({});
    const link = first.linkTo(['live', 12]);
    expect(link.headers?.['link']).to.match(/^<\/api\/orders\?marketId=a\+b&limit=7&cursor=[\w-]+>; rel="next"$/);
    const asked = input({ marketId: 'a b', limit: 9, cursor: cursorOf(link) });
    expect(pages.request(listOrders, ANN, asked, orderPosition).after).to.deep.equal(['live', 12]);

    const history = pages.request(getOrderHistory, ANN, input({}, { id: 'a/b' }), orderHistoryPosition);
    expect(history.linkTo([3, 0]).headers?.['link']).to.match(/^<\/api\/orders\/a%2Fb\/history\?limit=50&cursor=/);
  });

  it('are good in every process that has the same secret, and in none that has another', async () => {
    const made = cursorOf((await paging()).request(endpoints.listFills, ANN, input(), sequencePosition).linkTo(5));
    const again = (await paging()).request(endpoints.listFills, ANN, input({ cursor: made }), sequencePosition);
    expect(again.after).to.equal(5);
    const other = await paging(Buffer.alloc(32, 'another secret'));
    refuse(() => other.request(endpoints.listFills, ANN, input({ cursor: made }), sequencePosition), 'another secret');
  });

  it('are refused where they are of another list, account or filter', async () => {
    const pages = await paging();
    const made = cursorOf(
      pages.request(endpoints.listFills, ANN, input({ marketId: 'm' }), sequencePosition).linkTo(5),
    );
    const open = (endpoint: Endpoint, caller: KeyCaller, query: Partial<PagedInput['query']>) =>
      pages.request(endpoint, caller, input({ ...query, cursor: made }), sequencePosition).after;
    expect(open(endpoints.listFills, ANN, { marketId: 'm', limit: 3 })).to.equal(5);
    refuse(() => open(endpoints.listRecentTrades, ANN, { marketId: 'm' }), 'another list');
    refuse(() => open(endpoints.listFills, key('ben'), { marketId: 'm' }), 'another account');
    refuse(() => open(endpoints.listFills, ANN, { marketId: 'n' }), 'another filter');
    refuse(() => open(endpoints.listFills, ANN, {}), 'no filter');
    const timeline = (id: string, query = {}) =>
      pages.request(endpoints.getMarketEvents, { kind: 'public' }, input(query, { id }), sequencePosition);
    const ofOne = cursorOf(timeline('one').linkTo(5));
    expect(timeline('one', { cursor: ofOne }).after).to.equal(5);
    refuse(() => timeline('two', { cursor: ofOne }), 'another market');
  });

  it('are the same for all callers where the list is the same', () => {
    expect(cursorScope(endpoints.listMarkets, ANN, { status: 'active', limit: 5, cursor: 'x' })).to.deep.equal({
      list: 'listMarkets',
      account: null,
      filters: { status: 'active' },
    });
  });

  it('are refused where anything of them was changed, and those of before the upgrade too', async () => {
    const pages = await paging();
    const good = cursorOf(pages.request(endpoints.listMarkets, ANN, input(), sequencePosition).linkTo(12));
    const body = Buffer.from(JSON.stringify([1, 'markets', 12])).toString('base64url');
    for (const [name, cursor] of [
      [
        'one with another position and the old signature',
        `${Buffer.from('13').toString('base64url')}${good.slice(-22)}`,
      ],
      ['one cut short', good.slice(0, -1)],
      ['one with more', `${good}A`],
      ['an empty one', ''],
      ['a signature alone', good.slice(-22)],
      ['a body alone', good.slice(0, -22)],
      ['one in lower case', good.toLowerCase()],
      ['one of any characters', '💥'.repeat(20)],
      ['one with a checksum that needs no secret', `${body}7yHqkS0g`],
    ] as const) {
      refuse(() => pages.request(endpoints.listMarkets, ANN, input({ cursor }), sequencePosition), name);
    }
  });

  it('are refused where they are signed rightly and hold anything but a position of their list', async () => {
    const pages = await paging();
    const contents = [
      ...['', 'x', 'null', '[]', '{}', '"5"', 'true', '0', '-1', '1.5', '1e999', '1000000000000000', '9'.repeat(200)],
      ...['[5]', '[5,5,5]', '["live"]', '["live","5"]', '["other",5]', '["live",0]', '["ended",-1]', '["live",5,6]'],
      ...['[0,0]', '[5,-1]', '[5,0.5]', '[5,null]', '{"0":5,"1":5,"length":2}', '{"__proto__":5}', '\u0000', '5\u0000'],
    ];
    const lists: readonly (readonly [Endpoint, z.ZodType])[] = [
      [endpoints.listMarkets, sequencePosition],
      [endpoints.listOrders, orderPosition],
      [endpoints.getOrderHistory, orderHistoryPosition],
    ];
    for (const [endpoint, position] of lists) {
      const scope: CursorScope = cursorScope(endpoint, ANN, {});
      for (const content of contents) {
        const cursor = sealCursor(SECRET, scope, content);
        refuse(() => pages.request(endpoint, ANN, input({ cursor }), position), `${endpoint.id}: ${content}`);
      }
    }
  });

  it('are unavailable until their secret is read, while all else is available', () => {
    const pages = new Paging(new Promise(() => undefined));
    const first = pages.request(endpoints.listMarkets, ANN, input(), sequencePosition);
    expect(first.linkTo(null)).to.deep.equal({});
    for (const work of [
      () => first.linkTo(5),
      () => pages.request(endpoints.listMarkets, ANN, input({ cursor: 'x' }), sequencePosition),
    ]) {
      expect(work).to.throw(Unavailable);
    }
  });
});
