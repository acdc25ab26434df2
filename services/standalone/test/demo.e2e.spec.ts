import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, readPages } from 'paper-trading-client';
import type { PaperTradingClient } from 'paper-trading-client';
import { eventually, longTest } from '@paper/testkit';
import { startStandalone, temporaryDataDir } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { expect } from 'chai';

const TRADERS = ['Ada', 'Boris', 'Chidi', 'Dana', 'Elif', 'Femi', 'Greta', 'Hugo'].map((name) => `Demo ${name}`);
const SERIES = ['demo-rain', 'demo-launch', 'demo-ferry', 'demo-vote'];
const SLOWLY = { withinMs: 60_000, everyMs: 100 };

describe('the demo of a standalone', function () {
  this.timeout(180_000);
  let folder: ReturnType<typeof temporaryDataDir>;
  let dataDir: string;
  const started: RunningStandalone[] = [];

  const start = async (env: Record<string, string>): Promise<RunningStandalone> => {
    const service = await startStandalone({ dataDir, env: { HOUSE_BOTS: 'on', RATE_LIMITS: 'on', ...env } });
    started.push(service);
    return service;
  };
  const clientOf = ({ baseUrl, demo }: RunningStandalone): PaperTradingClient =>
    createClient({ baseUrl, key: demo?.apiKey ?? '' });
  const operatorOf = ({ baseUrl, operatorToken }: RunningStandalone): PaperTradingClient =>
    createClient({ baseUrl, key: operatorToken });

  beforeEach(() => {
    folder = temporaryDataDir();
    ({ dataDir } = folder);
  });
  afterEach(async () => {
    for (const service of started.splice(0)) await service.stop('SIGKILL');
    folder.remove();
  });

  it('lives: quotes, trades and labelled signals; a kill doubles neither accounts nor markets', async () => {
    const first = await start({ DEMO: 'on' });
    await eventually('the banner', () => first.output().includes('at most 150 MB of journal a day'));
    const client = clientOf(first);
    // Repeated as bots repeat it, where the read models are behind on a busy machine.
    const newest = async () => (await client.fetchSignals())[0];
    await eventually('a signal', async () => (await newest()) !== undefined, SLOWLY);
    const signal = (await newest()) ?? expect.fail('no signal');
    expect(signal).to.include({ source: 'Demo (invented)' });
    expect(signal.headline).to.match(/^Invented for the demo: /);
    expect(signal.citationUrl.startsWith(`${first.baseUrl}/demo-signal?market=`), signal.citationUrl).to.equal(true);
    const page = await fetch(signal.citationUrl, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
    expect(await page.text()).to.include('This news is invented');

    await eventually('a trade', async () => (await client.request('listRecentTrades', {})).body.length > 0, SLOWLY);
    const ranked = async (of: typeof client) =>
      (await of.request('getLeaderboard', {})).body.map(({ displayName, id }) => `${displayName} ${id}`).sort();
    const namesOf = (entries: readonly string[]) => entries.map((entry) => entry.slice(0, entry.lastIndexOf(' ')));
    await eventually('a rank', async () => (await ranked(client)).length > 0);
    const before = await ranked(client);
    expect(TRADERS).to.include.members(namesOf(before));
    const rounds = async (of: typeof client): Promise<readonly string[]> =>
      (await readPages((cursor) => of.request('listMarkets', { query: { limit: 500, cursor } })))
        .filter(({ id }) => SERIES.some((series) => id.startsWith(`${series}-2`)))
        .map(({ id }) => id.replace(/-\d+T\d+$/, ''));
    expect(await rounds(client)).to.have.members(SERIES);

    await first.stop('SIGKILL');
    const second = await start({ DEMO: 'on' });
    const again = clientOf(second);
    await eventually(
      'the world goes on',
      async () => {
        const [trade] = (await again.request('listRecentTrades', {})).body;
        return trade !== undefined && Date.parse(trade.createdAt) > Date.now() - 10_000;
      },
      SLOWLY,
    );
    const after = await ranked(again);
    expect(after).to.include.members(before);
    expect(new Set(namesOf(after)).size).to.equal(after.length);
    expect([...new Set(await rounds(again))]).to.have.length((await rounds(again)).length);
    expect(await second.stop()).to.equal(0);
  });

  it('is not there in an exchange of real markets, and quotes them with HOUSE_MARKETS=all', async function () {
    longTest(this);
    const quiet = await start({ DEMO: 'off' });
    const operator = operatorOf(quiet);
    const listing = {
      title: 'Will it be quoted?',
      ticker: 'REAL',
      companySlug: 'real',
      sector: 'technology',
      category: 'tests',
      settlementSource: 'tests',
      tickSize: 0.01,
      closesAt: '2099-01-01T00:00:00.000Z',
    } as const;
    for (const [id, prior] of [
      ['real-1', 0.3],
      ['real-2', 0.6],
    ] as const) {
      await operator.request('createMarket', { body: { ...listing, id, prior } });
    }
    // No account was opened, and nobody has traded here.
    expect((await operator.request('getLeaderboard', {})).body).to.deep.equal([]);
    expect(existsSync(join(dataDir, 'keys.json'))).to.equal(false);
    expect(quiet.output()).to.not.include('journal a day');
    await quiet.stop();

    const quoted = await start({ DEMO: 'on', HOUSE_MARKETS: 'all' });
    const client = clientOf(quoted);
    for (const [id, prior] of [
      ['real-1', 0.3],
      ['real-2', 0.6],
    ] as const) {
      const market = async () => (await client.request('getMarket', { params: { id } })).body;
      await eventually(`quotes of ${id}`, async () => (await market()).spread !== null, SLOWLY);
      expect((await market()).probability).to.be.closeTo(prior, 0.02);
      expect((await market()).volume).to.equal(0);
    }
    expect(await quoted.stop()).to.equal(0);
  });
});
