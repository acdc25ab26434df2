import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { createRandom } from '@paper/testkit';
import { builtProgram, describeClientOfExchange } from '@paper/testkit/exchange';
import type { RunningExchange } from '@paper/testkit/exchange';
import { createCheckedClient } from '@paper/testkit/http';
import type { CheckedClient } from '@paper/testkit/http';
import { reopenMarkets } from './reopen-markets.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const data = path.resolve(root, '../shared/data/forecastbench');
const questions = path.join(data, '2026-06-07-llm.json');
const resolutions = path.join(data, '2026-06-07_resolution_set.json');

interface Market {
  readonly id: string;
  readonly probability: number;
  readonly phase: string;
  readonly closesAt: string;
  readonly resolvedOutcome: string | null;
}

interface Bot {
  readonly id: string;
  readonly key: string;
}

interface Portfolio {
  readonly summary: { readonly cash: number; readonly portfolioValue: number };
  readonly positions: readonly { readonly marketId: string; readonly side: string; readonly shares: number }[];
  readonly settled: readonly {
    readonly marketId: string;
    readonly payout: number;
    readonly outcome: string;
    readonly shares: number;
  }[];
}

/** Real markets of several venues, imported, traded by bots and resolved with their real outcomes. */
describeClientOfExchange('real markets are imported, traded and resolved', function (start) {
  this.timeout(120_000);
  let service: RunningExchange;
  let client: CheckedClient;
  const bots: Bot[] = [];

  before(async function () {
    if (!existsSync(questions)) this.skip();
    service = await start();
    client = await createCheckedClient(service.baseUrl);
    for (let i = 0; i < 6; i += 1) {
      const { account, apiKey } = await client.ok<{ account: { id: string }; apiKey: { rawKey: string } }>(
        'POST',
        '/api/operator/accounts',
        { key: service.operatorToken, body: { displayName: `Bot ${i}` } },
      );
      bots.push({ id: account.id, key: apiKey.rawKey });
    }
  });

  after(async () => {
    if (bots.length > 0) await service.stop();
  });

  const script = async (name: string, ...options: readonly string[]): Promise<string> => {
    const { args, cwd } = await builtProgram(`packages/operations/operator-cli/src/programs/${name}`);
    const { stdout } = await promisify(execFile)(process.execPath, [...args, '--format', 'forecastbench', ...options], {
      cwd,
      env: { ...process.env, DATA_DIR: service.dataDir },
    });
    return stdout;
  };

  /** The operator's list, which, unlike the public one, includes every acknowledged command. */
  const markets = async (phase: string): Promise<Market[]> => {
    const found: Market[] = [];
    let next: string | null = `/api/operator/markets?limit=500&phase=${phase}`;
    while (next !== null) {
      const answer = await client.request('GET', next, { key: service.operatorToken });
      expect(answer.status).to.equal(200);
      found.push(...(answer.body as Market[]));
      next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null;
      if (next?.startsWith('http')) next = next.slice(service.baseUrl.length);
    }
    return found;
  };

  it('lists all 250, counts the adjusted, and changes nothing a second time', async () => {
    const first = await script('import-markets', questions);
    expect(first)
      .to.match(/listed\D+250\b/i)
      .and.match(/adjusted\D+89\b/i)
      .and.match(/failed\D+0\b/i);
    const before = await client.ok<{ journalSeq: number }>('GET', '/api/operator/status', {
      key: service.operatorToken,
    });
    const second = await script('import-markets', questions);
    // Listed markets stay as they are, without a conflict.
    expect(second)
      .to.match(/listed\D+0\b/i)
      .and.match(/unchanged\D+250\b/i)
      .and.match(/kept\D+0\b/i);
    const after = await client.ok<{ journalSeq: number }>('GET', '/api/operator/status', {
      key: service.operatorToken,
    });
    expect(after.journalSeq).to.equal(before.journalSeq);
    const [active, closed] = [await markets('active'), await markets('closed')];
    expect(active.length + closed.length).to.equal(250);
    // The set closes some of its markets on each day of the year: how many are closed depends on today's date.
    const now = new Date().toISOString();
    expect(active.filter(({ closesAt }) => closesAt <= now)).to.deep.equal([]);
    expect(closed.filter(({ closesAt }) => closesAt > now)).to.deep.equal([]);
  });

  it('bots trade 1,000 orders on them', async () => {
    const closed = await markets('closed');
    await reopenMarkets(
      client,
      service.operatorToken,
      closed.map(({ id }) => id),
    );
    const random = createRandom(20261121);
    const active = await markets('active');
    const statuses = new Map<string, number>();
    const trade = async (bot: Bot, index: number): Promise<void> => {
      const market = active[(index * 7 + random.int(0, 3)) % 60] as Market;
      const yes = random.int(0, 1) === 0;
      const fair = Math.min(90, Math.max(10, Math.round((yes ? market.probability : 1 - market.probability) * 100)));
      const order = await client.ok<{ status: string }>('POST', '/api/orders', {
        key: bot.key,
        body: {
          marketId: market.id,
          outcome: yes ? 'yes' : 'no',
          price: (fair + random.int(-4, 5)) / 100,
          quantity: random.int(1, 20),
          timeInForce: random.int(0, 3) === 0 ? 'IOC' : 'GTC',
        },
      });
      statuses.set(order.status, (statuses.get(order.status) ?? 0) + 1);
    };
    for (let round = 0; round < 1000; round += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, i) => trade(bots[(round + i) % bots.length] as Bot, round + i)));
    }
    expect([...statuses.values()].reduce((sum, n) => sum + n, 0)).to.equal(1000);
    expect(statuses.get('filled') ?? 0).to.be.greaterThan(50);
  });

  it('resolves them as they were, and pays exactly', async () => {
    const before = await Promise.all(
      bots.map((bot) => client.ok<Portfolio>('GET', '/api/portfolio', { key: bot.key })),
    );
    const printed = await script('resolve-markets', resolutions);
    expect(printed)
      .to.match(/resolved\D+105\b/i)
      .and.match(/107\b/)
      .and.match(/38\b/)
      .and.match(/failed\D+0\b/i);
    const outcomes = new Map((await markets('resolved')).map((m) => [m.id, m.resolvedOutcome]));
    expect(outcomes.size).to.equal(105);

    let paidSomething = 0;
    for (const [i, bot] of bots.entries()) {
      const after = await client.ok<Portfolio>('GET', '/api/portfolio', { key: bot.key });
      const held = before[i]?.positions.filter((p) => outcomes.has(p.marketId)) ?? [];
      const payout = held.reduce((sum, p) => sum + (outcomes.get(p.marketId) === p.side ? p.shares : 0), 0);
      const gained = Math.round((after.summary.cash - (before[i]?.summary.cash ?? 0)) * 10_000);
      expect(gained, bot.id).to.equal(payout * 10_000);
      expect(after.positions.some((p) => outcomes.has(p.marketId))).to.equal(false);
      paidSomething += payout;
    }
    expect(paidSomething).to.be.greaterThan(0);
    expect(await script('resolve-markets', resolutions)).to.match(/failed\D+0\b/i);
  });
});
