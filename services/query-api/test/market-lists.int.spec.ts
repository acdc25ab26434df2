import { DAY_MS, MINUTE_MS } from '@paper/contracts/units';
import type { Command } from '@paper/exchange/commands';
import { withClient } from '@paper/runtime';
import { base, listMarket, OPERATOR, orderFrom, SYSTEM } from '@paper/testkit';
import { expect } from 'chai';
import type { ReadHarness } from './read-harness.ts';
import { get, trade, tradingHarness } from './trading-harness.ts';

const TODAY = 10 * DAY_MS;

const at = (ms: number, order: string): Command => ({ ...orderFrom(order), at: ms });

/** Two orders that trade at this price in YES terms. */
const traded = (ms: number, id: string, quantity: number, price: number, marketId: string): readonly Command[] => [
  at(ms, `${id}y ann buy yes ${quantity} @ ${price} in ${marketId}`),
  at(ms, `${id}n bob buy no ${quantity} @ ${(1 - price).toFixed(2)} in ${marketId}`),
];

const nothing = { citationUrl: null, closesAt: null, companyImpact: null, description: null, drivers: null };
const rename = (marketId: string, title: string): Command => ({
  ...base(OPERATOR, `rename-${marketId}`),
  ...nothing,
  type: 'AmendMarket',
  marketId,
  title,
});
const resolve = (marketId: string): Command => ({
  ...base(OPERATOR, `resolve-${marketId}`),
  type: 'ResolveMarket',
  marketId,
  outcome: 'yes',
  headline: null,
  source: null,
  citationUrl: null,
});

describe('lists of markets', function () {
  this.timeout(60_000);
  let harness: ReadHarness;
  let nowMs = TODAY + 10 * MINUTE_MS;

  before(async () => {
    harness = await tradingHarness({ now: () => nowMs });
    const closesAt = 100 * DAY_MS;
    // In the harness the market m closes first; its title is `title of m`, its company `company`.
    await harness.submit(
      listMarket('b', { closesAt, companySlug: 'acme', ticker: 'ABC', title: 'Is 100%_sure of Große Straße?' }),
      listMarket('a', { closesAt, companySlug: 'beta-works', ticker: 'Xyz', title: 'Will Élan rise?' }),
      listMarket('c', { closesAt, companySlug: 'acme', ticker: 'CCC', title: 'Quiet' }),
      listMarket('d', { closesAt: closesAt - 1, companySlug: 'ΟΔΟΣ', ticker: 'DDD', title: 'First name' }),
      listMarket('e', { closesAt, companySlug: 'e', ticker: 'EEE', title: 'Ended' }),
      ...traded(TODAY - 2 * DAY_MS, 'old', 9, 0.9, 'c'),
      ...traded(TODAY, 't1', 3, 0.55, 'a'),
      ...traded(TODAY, 't2', 3, 0.2, 'b'),
      rename('d', 'Second name'),
      resolve('e'),
      { ...base(SYSTEM, 'run-e'), type: 'ContinueRun', marketId: 'e' },
    );
    await harness.projected();
  });
  after(() => harness.close());

  const read = async (path: string) => {
    const { status, body, next } = await get(harness, 'ann', path);
    expect(status, JSON.stringify(body)).to.equal(200);
    return { ids: (body as readonly { readonly id: string }[]).map(({ id }) => id), next };
  };
  const ids = async (query: string) => (await read(`/api/markets${query}`)).ids;
  const pages = async (query: string) => {
    const all: string[] = [];
    for (let next: string | null = `/api/markets?limit=2&${query}`; next !== null;) {
      const page = await read(next);
      expect(page.ids.length).to.be.within(1, 2);
      all.push(...page.ids);
      ({ next } = page);
    }
    return all;
  };
  const refusal = async (path: string) => {
    const { status, body } = await get(harness, 'ann', path);
    const { code, error } = body as { readonly code: string; readonly error: string };
    return [status, code, error.split(':').slice(0, 2).join(':')];
  };

  it('are in the order that is asked for, also over pages; equal ones by id', async () => {
    const orders = {
      newest: ['d', 'c', 'a', 'b', 'm'],
      activity: ['a', 'b', 'c', 'd', 'm'],
      movement: ['b', 'a', 'c', 'd', 'm'],
      closing: ['m', 'd', 'a', 'b', 'c'],
    };
    expect(await ids('')).to.deep.equal(orders.newest);
    for (const [sort, order] of Object.entries(orders)) {
      expect(await ids(`?sort=${sort}`), sort).to.deep.equal(order);
      expect(await pages(`sort=${sort}`), sort).to.deep.equal(order);
      expect(await ids(`?sort=${sort}&status=resolved`), sort).to.deep.equal(['e']);
    }
    expect(await refusal('/api/markets?sort=oldest')).to.deep.equal([
      400,
      'validation_failed',
      'validation failure: sort',
    ]);
  });

  it('have one company, a text in any case, or both', async () => {
    expect(await ids('?companySlug=acme')).to.deep.equal(['c', 'b']);
    expect(await pages('companySlug=acme&sort=activity')).to.deep.equal(['b', 'c']);
    expect(await ids('?companySlug=ACME')).to.deep.equal([]);
    expect(await ids('?q=will')).to.deep.equal(['a']);
    expect(await ids('?q=xYZ')).to.deep.equal(['a']);
    expect(await ids('?q=BETA-w')).to.deep.equal(['a']);
    expect(await ids('?q=acme&companySlug=acme&sort=closing')).to.deep.equal(['b', 'c']);
    expect(await ids('?q=acme&sector=other')).to.deep.equal([]);
    expect(await ids('?q=nowhere')).to.deep.equal([]);
    expect(await ids('?q=ended')).to.deep.equal([]);
    expect(await ids('?q=ended&status=resolved')).to.deep.equal(['e']);
    expect(await ids('?q=')).to.deep.equal(await ids(''));
  });

  it('know no wildcards, and every spelling of a character', async () => {
    const found = (q: string) => ids(`?q=${encodeURIComponent(q)}`);
    for (const q of ['%', '_', '100%_sure']) expect(await found(q), q).to.deep.equal(['b']);
    for (const q of ['\\%', '*', "'"]) expect(await found(q), q).to.deep.equal([]);
    for (const q of ['STRASSE', 'straße', 'große STRA']) expect(await found(q), q).to.deep.equal(['b']);
    for (const q of ['élan', 'ÉLAN', 'E\u0301lan', 'ｗｉｌｌ']) expect(await found(q), q).to.deep.equal(['a']);
    for (const q of ['οδος', 'Οδοσ', 'ΔΟΣ']) expect(await found(q), q).to.deep.equal(['d']);
  });

  it('find a market by the title that it has now', async () => {
    expect(await ids('?q=first')).to.deep.equal([]);
    expect(await ids('?q=SECOND')).to.deep.equal(['d']);
    expect(await ids('?q=ddd')).to.deep.equal(['d']);
  });

  it('refuse a text that is longer than any that is searched', async () => {
    expect(await ids(`?q=${encodeURIComponent('🚀'.repeat(100))}`)).to.deep.equal([]);
    for (const query of [`q=${'x'.repeat(101)}`, 'q=a&q=b', 'q=%00']) {
      expect(await refusal(`/api/markets?${query}`)).to.deep.equal([400, 'validation_failed', 'validation failure: q']);
    }
  });

  it('keep a ranking over its pages, whatever is traded meanwhile', async () => {
    const first = await read('/api/markets?sort=activity&limit=2');
    await trade(harness, ...traded(TODAY + 11 * MINUTE_MS, 't3', 50, 0.6, 'd'));
    nowMs = TODAY + 12 * MINUTE_MS;
    expect(await ids('?sort=activity')).to.deep.equal(['d', 'a', 'b', 'c', 'm']);
    const second = await read(first.next ?? '');
    expect([...first.ids, ...second.ids]).to.deep.equal(['a', 'b', 'c', 'd']);
    expect((await read(second.next ?? '')).ids).to.deep.equal(['m']);
    // A day later only the last trade is of the last 24 h.
    nowMs = TODAY + DAY_MS + 5 * MINUTE_MS;
    expect(await ids('?sort=activity')).to.deep.equal(['d', 'a', 'b', 'c', 'm']);
    expect((await read(first.next ?? '')).ids).to.deep.equal(['c', 'd']);
    expect(await ids('?sort=movement')).to.deep.equal(['d', 'a', 'b', 'c', 'm']);
  });

  it('find a text with a typo, where nothing contains it', async () => {
    expect(await ids('?q=qiet')).to.deep.equal(['c']);
    expect(await ids('?q=queit')).to.deep.equal(['c']);
    expect(await ids('?q=SEOCND')).to.deep.equal(['d']);
    expect(await ids('?q=secnd%20naem')).to.deep.equal(['d']);
    for (const sort of ['closing', 'activity', 'movement']) {
      expect(await ids(`?q=qiet&sort=${sort}`), sort).to.deep.equal(['c']);
    }
    expect(await ids('?q=qiet&status=resolved')).to.deep.equal([]);
    expect(await ids('?q=ennded&status=resolved')).to.deep.equal(['e']);
    // What contains it comes alone.
    expect(await ids('?q=will')).to.deep.equal(['a']);
    expect(await pages('q=acmee')).to.deep.equal(['c', 'b']);
  });

  it('find what contains the text alone in a database without pg_trgm', async () => {
    await withClient({ connectionString: harness.connectionString }, (client) =>
      client.query('drop extension pg_trgm cascade'),
    );
    expect(await ids('?q=qiett')).to.deep.equal([]);
    expect(await ids('?q=quiet')).to.deep.equal(['c']);
    for (const q of ['%will%', 'w_ll', 'w.ll']) expect(await ids(`?q=${encodeURIComponent(q)}`), q).to.deep.equal([]);
  });

  it('refuse a cursor of another order, text or company', async () => {
    const { next } = await read('/api/markets?sort=closing&q=e&limit=1');
    const cursor = new URLSearchParams(next?.split('?')[1]).get('cursor') ?? '';
    expect((await read(`/api/markets?cursor=${cursor}&q=e&sort=closing`)).ids).to.have.length.above(0);
    for (const query of [
      '',
      'sort=closing',
      'q=e',
      'sort=closing&q=E',
      'sort=closing&q=e&companySlug=acme',
      'sort=newest&q=e',
    ]) {
      expect(await refusal(`/api/markets?cursor=${cursor}&${query}`), query).to.deep.equal([
        400,
        'validation_failed',
        'validation failure: cursor',
      ]);
    }
  });
});
