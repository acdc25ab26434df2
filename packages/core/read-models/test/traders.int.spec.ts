import { EQUITY_POINTS, LeaderboardEntry, Trader } from '@paper/contracts/accounts';
import { portfolioBody } from '@paper/contracts/portfolio';
import { decode } from '@paper/journal';
import { IS_LONG_RUN, longTest, SimulatedJournal } from '@paper/testkit';
import { expect } from 'chai';
import { findPortfolioAsOf } from '../src/reads/as-of/portfolio.ts';
import { rankAccounts } from '../src/reads/leaderboard.ts';
import { findTrader } from '../src/reads/trader.ts';
import { portfolioIn } from './answer-of.ts';
import { useReadDatabase } from './read-database.ts';

describe('a trader in the read models', () => {
  const database = useReadDatabase();

  for (const seed of [12, 11, 13]) {
    it(`is worth what the leaderboard and the portfolio say, now and at each moment (seed ${seed})`, async function () {
      if (seed !== 12) longTest(this);
      this.timeout(120_000);
      const simulated = new SimulatedJournal({ seed, changeSettings: false });
      await simulated.run(IS_LONG_RUN ? 1_500 : 600);
      const db = database().db.withSchema(await database().filled(simulated));
      const events = (await simulated.journal.read(1, simulated.head.seq)).map(decode);
      const newestAtMs = events.at(-1)?.event.at ?? 0;
      const portfolioAt = async (id: string, seq: number): Promise<number | undefined> => {
        const portfolio = await findPortfolioAsOf(db, id, seq, simulated.head.seq);
        return portfolio === null ? undefined : portfolioBody(portfolio).summary.portfolioValue;
      };
      const { entries } = await db.transaction().execute((trx) => rankAccounts(trx, 1_000));
      expect(entries).to.have.length.above(2);
      let moments = 0;
      for (const entry of entries) {
        const found = await findTrader(db, newestAtMs, entry.id);
        const portfolio = await portfolioIn(db, entry.id);
        if (found === null || portfolio === null) throw new Error(`${entry.id} is ranked, and no trader`);
        const { equity, since, ...shown } = Trader.body(found);
        const { cash, positionsValue, ...ranked } = LeaderboardEntry.body(entry);
        expect({ ...shown, rank: ranked.rank }).to.deep.equal(ranked);
        const { summary } = portfolioBody(portfolio);
        expect(summary).to.include({ cash, positionsValue, pnl: shown.pnl, portfolioValue: shown.portfolioValue });

        const times = equity.map(({ at }) => Date.parse(at));
        expect(times).to.deep.equal([...new Set(times)].sort((a, b) => a - b));
        expect(equity).to.have.length.within(2, EQUITY_POINTS);
        const opened = events.find(({ event }) => 'accountId' in event && event.accountId === entry.id);
        expect(equity[0]).to.deep.equal({ at: since, value: summary.startingBalance });
        expect(times[0]).to.equal(opened?.event.at);
        expect(equity.at(-1)).to.deep.equal({ at: new Date(newestAtMs).toISOString(), value: shown.portfolioValue });
        for (const { at, value } of equity.slice(1, -1)) {
          const { seq = 0 } =
            events.findLast(({ event }) => event.type === 'OrderFilled' && event.at === Date.parse(at)) ?? {};
          expect(value, `${entry.id} at ${seq}`).to.equal(await portfolioAt(entry.id, seq));
          moments += 1;
        }
        for (const index of [1, Math.floor(times.length / 2)]) {
          const point = equity[index];
          const fromMs = (times[index] ?? 0) + 1;
          if (point === undefined || fromMs >= newestAtMs) continue;
          const later = await findTrader(db, newestAtMs, entry.id, fromMs);
          if (later === null) throw new Error(`${entry.id} is no trader`);
          const [first, ...rest] = Trader.body(later).equity;
          const before = events.findLast(({ event }) => event.type === 'OrderFilled' && event.at <= fromMs);
          expect(first).to.deep.equal({
            at: new Date(fromMs).toISOString(),
            value: await portfolioAt(entry.id, before?.seq ?? 0),
          });
          expect(rest.every(({ at }) => Date.parse(at) > fromMs)).to.equal(true);
          expect(rest.at(-1)).to.deep.equal(equity.at(-1));
        }
      }
      expect(moments).to.be.above(20);
    });
  }
});
