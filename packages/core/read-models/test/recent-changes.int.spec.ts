import { portfolioBody } from '@paper/contracts/portfolio';
import { SimulatedJournal } from '@paper/testkit';
import { expect } from 'chai';
import { Projection } from '../src/projection/projection.ts';
import { catchUp } from '../src/projection/projector.ts';
import { RecentChanges } from '../src/projection/recent-changes.ts';
import type { ShownSubjects } from '../src/projection/recent-changes.ts';
import { portfolioOf, toPortfolioView } from '../src/reads/portfolio.ts';
import { answerOf } from './answer-of.ts';
import { useReadDatabase } from './read-database.ts';

const COMMANDS = 200;
/** Portfolios are read after each so many decisions. */
const EVERY = 4;

interface ReadPortfolio {
  readonly seq: number;
  readonly text: string;
  readonly shown: ShownSubjects;
}

describe('recorded changes of a whole exchange', function () {
  this.timeout(120_000);
  const database = useReadDatabase();

  it('leave out no event that changes a portfolio, and let most portfolios be sent again', async () => {
    const simulated = new SimulatedJournal({ seed: 21 });
    await simulated.run(COMMANDS);
    const { db } = database();
    const schema = await database().newSchema();
    const changes = new RecentChanges();
    const projection = await Projection.open(db, schema, { changes });
    const tables = db.withSchema(schema);
    const known = new Map<string, ReadPortfolio>();
    const counts = { certain: 0, changed: 0, same: 0 };
    for (const seq of simulated.ends.filter((_end, index) => index % EVERY === 0)) {
      await catchUp(projection, simulated.journal, seq);
      for (const accountId of simulated.state.accounts.keys()) {
        const found = await answerOf(tables, portfolioOf, accountId);
        if (found === null || found.fleet !== null) continue;
        const { ended, live, ...rest } = found;
        const view = toPortfolioView({ ...rest, openOrders: live.length, orders: [...live, ...ended] });
        const text = JSON.stringify(portfolioBody(view));
        const before = known.get(accountId);
        if (before !== undefined) {
          const isCertain = changes.isUnchanged(schema, before.seq, seq, before.shown);
          if (isCertain) expect(text, `${accountId} at ${seq}`).to.equal(before.text);
          counts[isCertain ? 'certain' : text === before.text ? 'same' : 'changed'] += 1;
        }
        const marketIds = found.markets.map(({ id }) => id);
        const valuedMarketIds = found.positions.map(({ marketId }) => marketId);
        known.set(accountId, { seq, text, shown: { accountId, marketIds, valuedMarketIds } });
      }
    }
    expect(counts.changed).to.be.greaterThan(25);
    expect(counts.certain).to.be.greaterThan(3 * counts.same);
  });
});
