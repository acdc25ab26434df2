import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { eventually } from '@paper/testkit';
import { builtProgram, startStandalone } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { createCheckedClient, eventBlocks, operatorClient } from '@paper/testkit/http';
import type { CheckedClient } from '@paper/testkit/http';
import { reopenMarkets } from './reopen-markets.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const data = path.resolve(root, '../shared/data/forecastbench');
const questions = path.join(data, '2026-06-07-llm.json');
const resolutions = path.join(data, '2026-06-07_resolution_set.json');

/** Markets of the set that are traded here: a few that end YES, and as many that end NO. */
const TRADED = 12;
const PERMISSIONS = ['view', 'trade', 'master', 'reconcile'];

interface Market {
  readonly id: string;
  readonly resolvedOutcome: string | null;
}

interface Timeline {
  readonly timeline: readonly {
    readonly kind: string;
    readonly date: string;
    readonly event: string;
    readonly citationUrl: string | null;
    readonly probability: number;
    readonly fairProb: number | null;
    readonly relatedSignalId: string | null;
  }[];
  readonly count: number;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>>;
}

type Responses = Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;

/** All reads over a real set of questions with its signals and outcomes, from outside. */
describe('the real set, with its signals and outcomes', function () {
  this.timeout(120_000);
  let service: RunningStandalone;
  let client: CheckedClient;
  let ann: { id: string; key: string };
  let ben: { id: string; key: string };
  let traded: readonly Market[];
  let resolved: readonly Market[];

  const script = async (name: string, ...options: readonly string[]): Promise<string> => {
    const { args, cwd } = await builtProgram(`packages/operations/operator-cli/src/programs/${name}`);
    const { stdout } = await promisify(execFile)(process.execPath, [...args, '--format', 'forecastbench', ...options], {
      cwd,
      env: { ...process.env, DATA_DIR: service.dataDir },
    });
    return stdout;
  };
  const operator = (): { key: string } => ({ key: service.operatorToken });
  const timelineOf = ({ id }: Market): Promise<Timeline> =>
    client.ok('GET', `/api/markets/${encodeURIComponent(id)}/events`);

  before(async function () {
    if (!existsSync(questions)) this.skip();
    service = await startStandalone();
    client = await createCheckedClient(service.baseUrl);
    expect(await script('import-markets', questions)).to.match(/listed\D+250\b/);
    expect(await script('import-signals', questions)).to.match(/failed\D+0\b/);
    const closed = await client.ok<Market[]>('GET', '/api/operator/markets?phase=closed&limit=500', operator());
    await reopenMarkets(
      client,
      service.operatorToken,
      closed.map(({ id }) => id),
    );
    const { open } = operatorClient(client, service.operatorToken);
    ann = await open('Ann', { permissions: PERMISSIONS });
    ben = await open('Ben', { permissions: PERMISSIONS });
    traded = await client.ok<Market[]>('GET', `/api/operator/markets?phase=active&limit=${TRADED}`, operator());
    for (const { id: marketId } of traded) {
      const order = { marketId, price: 0.5, quantity: 5 };
      await client.ok('POST', '/api/orders', { key: ben.key, body: { ...order, outcome: 'no' } });
      await client.ok('POST', '/api/orders', { key: ann.key, body: { ...order, outcome: 'yes' } });
    }
    expect(await script('resolve-markets', resolutions)).to.match(/resolved\D+105\b/);
    resolved = await client.ok<Market[]>('GET', '/api/operator/markets?phase=resolved&limit=500', operator());
    // A public read shows the operator's command after a moment.
    const shown = async (): Promise<number> =>
      (await client.ok<Market[]>('GET', '/api/markets?status=resolved&limit=500')).length;
    while ((await shown()) < resolved.length) await sleep(20);
  });

  after(async () => {
    if (existsSync(questions)) await service.stop();
  });

  it('shows each resolved market from its first signal to its resolution, with citations', async () => {
    expect(resolved).to.have.length(105);
    const ids = new Set(traded.map(({ id }) => id));
    let trades = 0;
    for (const market of resolved) {
      const { timeline, count } = await timelineOf(market);
      expect(count).to.equal(timeline.length);
      const kinds = timeline.map(({ kind }) => kind);
      const trade = ids.has(market.id) ? ['trade'] : [];
      expect(kinds, market.id).to.deep.equal(['signal', ...trade, 'resolution']);
      const dates = timeline.map(({ date }) => date);
      expect(dates).to.deep.equal([...dates].sort());
      const [signal, end] = [timeline[0], timeline.at(-1)];
      for (const cited of [signal, end]) expect(cited?.citationUrl, market.id).to.match(/^https?:\/\//);
      expect(signal?.fairProb).to.be.within(0, 1);
      expect(end?.event).to.equal('MarketResolved');
      expect(end?.probability).to.equal(market.resolvedOutcome === 'yes' ? 1 : 0);
      for (const one of timeline.filter(({ kind }) => kind === 'trade')) {
        expect(one).to.include({ citationUrl: null, probability: 0.5 });
        expect(one.relatedSignalId).to.be.a('string');
        trades += 1;
      }
    }
    expect(trades).to.be.greaterThan(0);
  });

  it('answers on every public endpoint with what the served document describes', async () => {
    const key = ann.key;
    const [market] = traded as [Market];
    const id = encodeURIComponent(market.id);
    const get = (target: string, as?: string): Promise<unknown> =>
      client.ok('GET', target, as === undefined ? {} : { key: as });
    for (const target of [
      '/api/health',
      '/api/openapi',
      '/api/markets',
      '/api/leaderboard',
      '/api/trades/recent',
      '/api/trades',
      `/api/traders/${ann.id}`,
    ]) {
      expect(await get(target), target).not.to.be.empty;
    }
    // A page is made at a low priority: on a busy machine it may take longer than the service waits.
    while ((await client.request('GET', '/api/journal')).status !== 200) await sleep(20);
    for (const status of ['active', 'resolved', 'pending']) await get(`/api/markets?status=${status}&limit=500`);
    for (const target of [`/api/markets/${id}`, `/api/markets/${id}/events`, `/api/orderbook/${id}`, '/api/activity']) {
      await get(target);
    }
    for (const target of [
      '/api/orders',
      '/api/orders/open',
      '/api/fills',
      '/api/positions',
      '/api/portfolio',
      '/api/signals/recent',
    ]) {
      for (const who of [ann, ben]) expect(await get(target, who.key), target).not.to.be.empty;
    }
    expect(await get('/api/signals/recent?limit=500', key)).to.have.property('count', 500);
    // The ranking is computed in the background: wait for the first one.
    while ((await client.request('GET', '/api/markets/signals', { key })).status !== 200) await sleep(20);
    const marketId = await activeMarket();
    const bid = { marketId, outcome: 'yes', price: 0.01, quantity: 2 };
    const order = await client.ok<{ id: string }>('POST', '/api/orders', { key, body: bid });
    await client.ok('PATCH', `/api/orders/${order.id}`, { key, body: { quantity: 1 } });
    await get(`/api/orders/${order.id}`, key);
    await client.ok('DELETE', `/api/orders/${order.id}`, { key });
    await get(`/api/orders/${order.id}/history`, key);
    await get(`/api/journal/orders/${order.id}`);
    await client.ok('POST', '/api/orders/preview', { key, body: bid });
    const named = { ...bid, clientOrderId: 'named', postOnly: true };
    await client.ok('POST', '/api/orders/batch', { key, body: { orders: [named, { ...bid, quantity: 0 }] } });
    await get('/api/orders/client/named', key);
    await client.ok('DELETE', `/api/orders?marketId=${encodeURIComponent(marketId)}`, { key });
    await client.ok('PUT', '/api/dead-man-switch', { key, body: { seconds: 60 } });
    await get('/api/dead-man-switch', key);
    for (const outcome of ['yes', 'no']) {
      for (const as of [ann.key, ben.key]) {
        const at50 = { ...bid, price: 0.5, outcome: as === ann.key ? outcome : outcome === 'yes' ? 'no' : 'yes' };
        await client.ok('POST', '/api/orders', { key: as, body: at50 });
      }
    }
    await client.ok('POST', '/api/positions/merge', { key, body: { marketId, quantity: 1 } });
    expect(await get('/api/me', key)).not.to.be.empty;
    const from = new Date(Date.now() - 3_600_000).toISOString();
    for (const list of ['candles?period=1&', 'moments?']) {
      const within = `from=${from}&to=${new Date(Date.now() + 60_000).toISOString()}`;
      expect(await get(`/api/markets/${encodeURIComponent(marketId)}/${list}${within}`), list).not.to.be.empty;
    }
    expect(await get('/api/ledger', key)).not.to.be.empty;
    const { subAccount } = await client.ok<{ subAccount: { id: string } }>('POST', '/api/accounts/sub', {
      key,
      body: { displayName: 'Fleet' },
    });
    const { apiKey } = await client.ok<{ apiKey: { id: string } }>('POST', `/api/accounts/sub/${subAccount.id}/keys`, {
      key,
      body: { name: 'second', permissions: ['view'] },
    });
    await client.ok('PUT', `/api/accounts/keys/${apiKey.id}/mandate`, { key, body: { maxOrderCost: 5 } });
    await client.ok('DELETE', `/api/accounts/keys/${apiKey.id}`, { key });
    await get('/api/accounts/sub', key);
    expect(await get('/api/accounts/keys', key))
      .to.have.property('keys')
      .that.is.an('array').that.is.not.empty;

    await eventually('the tapes have been read', async () => {
      return (await client.request('GET', '/api/tapes', { key })).status === 200;
    });
    const played = { tape: 'made-news', to: '2026-01-05T15:00:10Z' };
    const backtest = await client.ok<{ id: string }>('POST', '/api/backtests', { key, body: played });
    for (const about of ['', `/${backtest.id}`, `/${backtest.id}/report?partial=true`, `/${backtest.id}/journal`]) {
      await get(`/api/backtests${about}`, key);
    }
    await client.ok('DELETE', `/api/backtests/${backtest.id}`, { key });

    await client.ok('DELETE', `/api/accounts/sub/${subAccount.id}`, { key });
    await client.ok('PATCH', '/api/me', { key, body: { displayName: 'Ann the Second' } });

    const document = await client.ok<OpenApi>('GET', '/api/openapi');
    const answered = [...client.validated.keys()];
    for (const [template, method, responses] of operations(document)) {
      // A clock is that of a backtest, at its own address.
      if (/^\/api\/(operator|clock)/.test(template) || isStream(responses)) continue;
      expect(answered).to.include(`${method.toUpperCase()} ${template} 200`);
    }
  });

  it('streams what the served document describes', async () => {
    const document = await client.ok<OpenApi>('GET', '/api/openapi');
    const ajv = new Ajv2020({ strict: false, unicodeRegExp: true });
    (addFormats as unknown as (target: Ajv2020) => void)(ajv);
    ajv.addSchema(document, 'openapi');
    const streams = operations(document).filter(([, , responses]) => isStream(responses));
    expect(streams.map(([template]) => template)).to.have.members([
      '/api/stream',
      '/api/stream/account',
      '/api/stream/orderbook/{marketId}',
    ]);
    for (const [template] of streams) {
      const path = template.replace('{marketId}', encodeURIComponent(await activeMarket()));
      const answer = await fetch(service.baseUrl + path, {
        headers: { authorization: `Bearer ${ann.key}`, 'last-event-id': '0' },
      });
      const blocks = eventBlocks(answer);
      const body = /^data: (.*)$/m;
      let message: string | undefined;
      while (message === undefined) message = body.exec((await blocks.next()) ?? 'data: null')?.[1];
      await blocks.leave();
      const schema = `paths/${template.replaceAll('/', '~1')}/get/responses/200/content/text~1event-stream/schema`;
      const validate = ajv.compile({ $ref: `openapi#/${schema}` });
      expect(validate(JSON.parse(message)), ajv.errorsText(validate.errors)).to.equal(true);
    }
  });

  async function activeMarket(): Promise<string> {
    const [market] = await client.ok<Market[]>('GET', '/api/operator/markets?phase=active&limit=1', operator());
    return market?.id ?? expect.fail('no market is active');
  }
});

function operations(document: OpenApi): [template: string, method: string, responses: Responses][] {
  return Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, { responses }]): [string, string, Responses] => [
      template,
      method,
      responses,
    ]),
  );
}

function isStream(responses: Responses): boolean {
  return responses['200']?.content?.['text/event-stream'] !== undefined;
}
