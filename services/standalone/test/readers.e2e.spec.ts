import { expect } from 'chai';
import { describeExchange } from '@paper/testkit/exchange';
import type { RunningExchange } from '@paper/testkit/exchange';
import { createCheckedClient, operatorClient } from '@paper/testkit/http';
import type { CheckedClient, OperatorClient } from '@paper/testkit/http';
import { setTimeout as sleep } from 'node:timers/promises';

interface Ranked {
  readonly id: string;
  readonly rank: number;
  readonly cash: number;
  readonly portfolioValue: number;
  readonly openPositions: number;
  readonly trades: number;
  readonly volume: number;
}

interface Timeline {
  readonly timeline: readonly Record<string, unknown>[];
  readonly count: number;
}

type Item = Record<string, unknown>;

/**
 * Every read for people and bots, from outside: separate processes, every answer checked against the served document.
 */
describeExchange('readers', function (start) {
  this.timeout(60_000);
  let service: RunningExchange;
  let client: CheckedClient;
  let operator: string;
  let open: OperatorClient['open'];
  let list: OperatorClient['list'];
  let ann: { id: string; key: string };
  let ben: { id: string; key: string };

  before(async () => {
    service = await start();
    operator = service.operatorToken;
    client = await createCheckedClient(service.baseUrl);
    ({ open, list } = operatorClient(client, operator));
    ann = await open('Ann');
    ben = await open('Ben');
    // Boards are computed in the background: wait for the first computation.
    for (const board of ['/api/markets/signals', '/api/leaderboard']) {
      await eventually(
        () => client.request('GET', board, { key: ann.key }),
        ({ status }) => status === 200,
      );
    }
  });

  after(async () => {
    await service.stop();
  });

  const record = (marketId: string | undefined, externalId: string, more: object = {}): Promise<unknown> =>
    client.ok('POST', '/api/operator/signals', {
      key: operator,
      body: {
        marketId,
        source: 'wire',
        externalId,
        headline: `News ${externalId}`,
        citationUrl: `https://example.com/${externalId}`,
        publishedAt: new Date().toISOString(),
        ...more,
      },
    });

  const place = (key: string, body: object): Promise<unknown> => client.ok('POST', '/api/orders', { key, body });

  /** Ann buys YES against Ben's NO: pairs are minted at this YES price. */
  const trade = async (marketId: string, price: number, quantity: number): Promise<void> => {
    await place(ben.key, { marketId, outcome: 'no', price: Number((1 - price).toFixed(2)), quantity });
    await place(ann.key, { marketId, outcome: 'yes', price, quantity });
  };

  /** Repeats the read until the answer is as wanted, or until mocha's time limit. */
  const eventually = async <T>(ask: () => Promise<T>, wanted: (answer: T) => boolean): Promise<T> => {
    for (;;) {
      const answer = await ask();
      if (wanted(answer)) return answer;
      await sleep(20);
    }
  };

  const signals = (): Promise<Item[]> => client.ok('GET', '/api/markets/signals', { key: ann.key });

  it('shows trades and cited signals in the market signals, without being asked to', async () => {
    await list('rain', { sector: 'weather', drivers: ['clouds'], companyImpact: 0.4, prior: 0.3 });
    await list('snow', { sector: 'weather', drivers: ['clouds'], companySlug: 'other-co', prior: 0.2 });
    await list('asleep', { sector: 'weather', status: 'pending' });
    await trade('rain', 0.6, 10);
    for (let n = 1; n <= 6; n += 1) await record('rain', `r${n}`, n === 5 ? { fairProb: 0.8, confidence: 1 } : {});
    const all = await eventually(signals, (items) =>
      items.some(
        (item) => item['marketId'] === 'rain' && (item['recentEvents'] as Item[])[0]?.['headline'] === 'News r6',
      ),
    );

    expect(all.map((item) => item['marketId'])).to.deep.equal(['snow', 'rain']);
    const rain = all[1]!;
    expect(rain).to.deep.include({
      title: 'Will rain happen?',
      sector: 'weather',
      probability: 0.6,
      volume: 10,
      volumeDelta: 10,
      openInterest: 10,
      companyImpact: 0.4,
      snapshotDelta: 0.3,
      sectorAvgProb: 0.4,
      siblingAvgProb: null,
      neighborSignal: 0,
      relatedDrivers: ['clouds'],
      clusterIds: ['rain'],
      graphCentrality: 1,
      bestYesBid: null,
      spread: null,
    });
    // The cluster has all pairs; its mean |delta| is 0.3 / 2, and ten times that is above the cap of 1.
    expect(rain['clusterRiskScore']).to.equal(1);
    expect(rain['oracleScore']).to.be.closeTo(0.8, 0.01);
    const events = rain['recentEvents'] as Item[];
    expect(events.map((event) => event['headline'])).to.deep.equal([6, 5, 4, 3, 2].map((n) => `News r${n}`));
    expect(events[1]).to.include({ source: 'wire', fairProb: 0.8, marketProbBefore: 0.6, marketProbAfter: 0.6 });
  });

  it('shows a change in the market signals, and drops a market that stops', async () => {
    await list('soon');
    await eventually(signals, (items) => items.some((item) => item['marketId'] === 'soon'));
    await trade('soon', 0.7, 3);
    await eventually(signals, (items) => items.some((i) => i['marketId'] === 'soon' && i['volume'] === 3));
    await client.ok('POST', '/api/operator/markets/soon/pause', { key: operator });
    await eventually(signals, (items) => items.every((item) => item['marketId'] !== 'soon'));
  });

  it('keeps market signals for keys that may view, and answers those who have them already with 304', async () => {
    expect((await client.request('GET', '/api/markets/signals')).status).to.equal(401);
    await eventually(signals, (items) => items.length > 0);
    const path = `${service.baseUrl}/api/markets/signals`;
    const headers = { authorization: `Bearer ${ann.key}`, 'accept-encoding': 'gzip' };
    const tagged = async (): Promise<number> => {
      const first = await fetch(path, { headers });
      expect(first.headers.get('content-encoding')).to.equal('gzip');
      expect(Number(first.headers.get('x-journal-seq'))).to.be.above(0);
      await first.arrayBuffer();
      const second = await fetch(path, { headers: { ...headers, 'if-none-match': first.headers.get('etag') ?? '' } });
      await second.arrayBuffer();
      return second.status;
    };
    await eventually(tagged, (status) => status === 304);
  });

  it("shows a market's history from its first signal to its resolution, with citations", async () => {
    await list('told', { prior: 0.4 });
    await record('told', 't1', { fairProb: 0.5, factValue: 12, threshold: 10, event: 'Reading' });
    await trade('told', 0.55, 10);
    await client.ok('POST', '/api/operator/markets/told/resolve', {
      key: operator,
      body: { outcome: 'yes', headline: 'It happened', source: 'the court', citationUrl: 'https://example.com/ruling' },
    });
    // Public reads do not wait for the projection; this read does, so the market is there afterwards.
    await client.ok('GET', '/api/portfolio', { key: ann.key });
    const path = '/api/markets/told/events';
    const { timeline, count } = await eventually(
      () => client.ok<Timeline>('GET', path),
      (answer) => answer.count === 3,
    );
    expect(count).to.equal(3);
    const [signal, fill, end] = timeline;
    expect(signal).to.include({
      kind: 'signal',
      event: 'Reading',
      source: 'wire',
      headline: 'News t1',
      citationUrl: 'https://example.com/t1',
      externalId: 't1',
      fairProb: 0.5,
      factValue: 12,
      threshold: 10,
      marketProbBefore: 0.4,
      interpolated: true,
    });
    expect(fill).to.include({
      kind: 'trade',
      event: 'OrderFilled',
      source: 'exchange',
      headline: '10 YES at 0.55',
      citationUrl: null,
      probability: 0.55,
      marketProbAfter: 0.55,
    });
    expect(fill?.['relatedSignalId']).to.be.a('string');
    expect(end).to.include({
      kind: 'resolution',
      event: 'MarketResolved',
      headline: 'It happened',
      source: 'the court',
      citationUrl: 'https://example.com/ruling',
      probability: 1,
    });

    const newest = await client.request('GET', `${path}?limit=2`);
    expect((newest.body as Timeline).timeline.map((entry) => entry['kind'])).to.deep.equal(['trade', 'resolution']);
    const older = await client.ok<Timeline>('GET', nextOf(newest.headers));
    expect(older.timeline.map((entry) => entry['kind'])).to.deep.equal(['signal']);
    expect((await client.request('GET', '/api/markets/nowhere/events')).status).to.equal(404);
    expect((await client.request('GET', `${path}?limit=0`)).status).to.equal(400);
    expect((await client.request('GET', `${path}?cursor=forged-cursor`)).status).to.equal(400);
  });

  it('ranks who traded by worth, then the older; not those of another starting balance', async () => {
    await list('ranked');
    const rich = await open('Rich', { startingBalance: 50_000 });
    await trade('ranked', 0.4, 20);
    await place(ann.key, { marketId: 'ranked', outcome: 'yes', price: 0.7, quantity: 1 });
    await place(ben.key, { marketId: 'ranked', outcome: 'yes', side: 'buy', price: 0.01, quantity: 1 });
    const [late, later, idle] = [await open('Late'), await open('Later'), await open('Idle')];
    await list('even');
    await place(late.key, { marketId: 'even', outcome: 'yes', price: 0.5, quantity: 1 });
    await place(later.key, { marketId: 'even', outcome: 'no', price: 0.5, quantity: 1 });
    const board = await eventually(
      () => client.ok<Ranked[]>('GET', '/api/leaderboard'),
      (entries) => entries.some((entry) => entry.id === later.id),
    );
    const values = board.map((entry) => entry.portfolioValue);
    expect(board.map((entry) => entry.rank)).to.deep.equal(
      values.map((value) => 1 + values.filter((other) => other > value).length),
    );
    expect(values).to.deep.equal([...values].sort((a, b) => b - a));
    for (const { id } of [rich, idle]) expect(board.map((entry) => entry.id)).not.to.include(id);
    const rankOf = (id: string): number => board.findIndex((entry) => entry.id === id);
    expect(rankOf(later.id)).to.equal(rankOf(late.id) + 1);
    expect(board[rankOf(later.id)]?.rank).to.equal(board[rankOf(late.id)]?.rank);

    const portfolio = await client.ok<{ summary: Item; trades: { notional: number }[]; positions: unknown[] }>(
      'GET',
      '/api/portfolio',
      { key: ann.key },
    );
    const mine = board[rankOf(ann.id)]!;
    expect(mine.portfolioValue).to.equal(portfolio.summary['portfolioValue']);
    expect(mine.cash).to.equal(portfolio.summary['cash']);
    expect(mine.openPositions).to.equal(portfolio.positions.length);
    expect(mine.trades).to.equal(portfolio.trades.length);
    expect(mine.volume).to.be.closeTo(
      portfolio.trades.reduce((sum, { notional }) => sum + notional, 0),
      1e-9,
    );

    const paged: string[] = [];
    let path = '/api/leaderboard?limit=3';
    while (path !== '') {
      const page = await client.request('GET', path);
      paged.push(...(page.body as Ranked[]).map((entry) => entry.id));
      path = page.headers.has('link') ? nextOf(page.headers) : '';
    }
    expect(paged).to.deep.equal(board.map((entry) => entry.id));
    expect((await client.request('GET', '/api/leaderboard?cursor=forged-cursor')).status).to.equal(400);
  });

  it('lists the newest trades as their takers saw them, page by page', async () => {
    await list('tape');
    await place(ben.key, { marketId: 'tape', outcome: 'yes', price: 0.3, quantity: 5 });
    await place(ann.key, { marketId: 'tape', outcome: 'no', price: 0.7, quantity: 5 });
    const newest = await eventually(
      () => client.request('GET', '/api/trades/recent?limit=1'),
      ({ body }) => (body as Item[])[0]?.['marketId'] === 'tape',
    );
    expect((newest.body as Item[])[0]).to.deep.include({
      outcome: 'no',
      side: 'buy',
      price: 0.7,
      yesPrice: 0.3,
      quantity: 5,
      notional: 3.5,
      kind: 'mint',
    });
    const [older] = await client.ok<Item[]>('GET', nextOf(newest.headers));
    expect(older?.['seq']).to.be.below((newest.body as Item[])[0]?.['seq'] as number);
  });

  it('shows the activity on the platform', async () => {
    await list('busy');
    await record(undefined, 'platform');
    await trade('busy', 0.5, 7);
    type Activity = { pulse: Record<string, number>; feed: Item[] };
    const { pulse, feed } = await eventually(
      () => client.ok<Activity>('GET', '/api/activity'),
      (answer) => answer.feed[0]?.['headline'] === '7 YES at 0.5',
    );
    expect(feed[0]).to.include({ kind: 'trade', marketId: 'busy', title: 'Will busy happen?' });
    expect(feed[1]).to.include({ kind: 'signal', marketId: null, title: null, headline: 'News platform' });
    expect(feed[2]).to.include({ kind: 'listing', marketId: 'busy', headline: 'Listed at 0.5' });
    expect(feed.map((item) => item['kind'])).to.include('resolution');
    const active = await client.ok<unknown[]>('GET', '/api/markets?limit=500');
    expect(pulse).to.include({ activeMarkets: active.length, traders24h: 4 });
    const trades = await client.ok<Item[]>('GET', '/api/trades/recent?limit=500');
    expect(pulse['trades24h']).to.equal(trades.length);
    expect(pulse['volume24h']).to.equal(trades.reduce((sum, item) => sum + (item['quantity'] as number), 0));
  });
});

function nextOf(headers: Headers): string {
  return /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? '';
}
