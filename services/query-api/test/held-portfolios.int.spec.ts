import type { PortfolioBody } from '@paper/contracts/portfolio';
import { base, OPERATOR, SYSTEM } from '@paper/testkit';
import { expect } from 'chai';
import { rawKey } from './read-harness.ts';
import type { ReadHarness } from './read-harness.ts';
import { cancel, trade, tradingHarness } from './trading-harness.ts';

const WHO = ['ann', 'bob', 'sub'];

/** The projector is in the reader's process, or its checkpoint is polled, as in a separate service. */
for (const polls of [false, true]) {
  describe(`a portfolio whose older items are held (${polls ? 'projector elsewhere' : 'projector here'})`, function () {
    this.timeout(60_000);
    let harness: ReadHarness;

    before(async () => {
      harness = await tradingHarness({ polls });
    });
    after(() => harness.close());

    const textOf = async (who: string, query = ''): Promise<{ readonly seq: number; readonly text: string }> => {
      const headers = { authorization: `Bearer ${rawKey(who)}` };
      const answer = await fetch(`${harness.url}/api/portfolio${query}`, { headers });
      expect(answer.status).to.equal(200);
      return { seq: Number(answer.headers.get('x-journal-seq')), text: await answer.text() };
    };
    /** Compares the portfolio, to the byte, with that as of its sequence, which is read without anything held. */
    const expectWhole = async (who: string): Promise<PortfolioBody> => {
      const now = await textOf(who);
      expect(now.seq).to.equal(harness.log.events.length);
      expect(now.text, who).to.equal((await textOf(who, `?asOfSeq=${now.seq}`)).text);
      return JSON.parse(now.text) as PortfolioBody;
    };

    it('is the whole portfolio after every command, with the new names of its markets in older items', async () => {
      const rename = { citationUrl: null, closesAt: null, companyImpact: null, description: null, drivers: null };
      const steps = [
        'a1 ann buy yes 10 @ 0.55',
        'b1 bob buy no 4 @ 0.45',
        's1 sub buy no 6 @ 0.40',
        'b2 bob buy yes 6 @ 0.60',
        cancel('ann', 'a1'),
        { ...base(OPERATOR, 'rename'), ...rename, type: 'AmendMarket', marketId: 'm', title: 'Größer?' } as const,
        'b3 bob sell yes 2 @ 0.70',
        { ...base(OPERATOR, 'void'), type: 'VoidMarket', marketId: 'm', priceUnits: 2_500, reason: 'test' } as const,
        ...['run-1', 'run-2'].map((id) => ({ ...base(SYSTEM, id), type: 'ContinueRun', marketId: 'm' }) as const),
      ];
      for (const step of steps) {
        await trade(harness, step);
        for (const who of WHO) await expectWhole(who);
      }
      const { orders, settled, trades } = await expectWhole('bob');
      expect([orders, trades, settled].map((list) => list.length)).to.deep.equal([3, 2, 2]);
      expect(new Set([...orders, ...trades, ...settled].map(({ market }) => market.title))).to.deep.equal(
        new Set(['Größer?']),
      );
    });
  });
}

describe('the held lists of a portfolio', function () {
  this.timeout(60_000);

  it('are cut where the answer ends, however many items have come since they were read', async () => {
    const harness = await tradingHarness();
    try {
      const headers = { authorization: `Bearer ${rawKey('ann')}` };
      const read = async (query = ''): Promise<string> =>
        (await fetch(`${harness.url}/api/portfolio${query}`, { headers })).text();
      let pair = 0;
      for (const pairs of [1, 60, 60, 110]) {
        const orders: string[] = [];
        for (const end = pair + pairs; pair < end; pair += 1) {
          orders.push(`a${pair} ann buy yes 1 @ 0.50`, `b${pair} bob buy no 1 @ 0.50`);
        }
        await trade(harness, ...orders);
        expect(await read()).to.equal(await read(`?asOfSeq=${harness.log.events.length}`));
      }
      const { orders, trades } = JSON.parse(await read()) as PortfolioBody;
      expect([orders.length, trades.length, orders[0]?.id, orders.at(-1)?.id]).to.deep.equal([
        100,
        200,
        'a230',
        'a131',
      ]);
    } finally {
      await harness.close();
    }
  });
});
