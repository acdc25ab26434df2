import type { OrderBookView } from '@paper/contracts/markets';
import type { PortfolioView } from '@paper/contracts/portfolio';
import { decode } from '@paper/journal';
import { createRandom, longTest, SimulatedJournal } from '@paper/testkit';
import { expect } from 'chai';
import { findOrderBookAsOf } from '../src/reads/as-of/order-book.ts';
import { findPortfolioAsOf } from '../src/reads/as-of/portfolio.ts';
import { Projection } from '../src/projection/projection.ts';
import { orderBookOf } from '../src/models/markets/queries.ts';
import { answerOf, portfolioIn } from './answer-of.ts';
import { createIndexes } from '../src/engine/create-schema.ts';
import { ALL_TABLES } from '../src/models/tables.ts';
import { useReadDatabase } from './read-database.ts';

/** Every decision of short ones, and of a long one some, in whose books more happens than is read without a whole one. */
const RUNS = [
  { seed: 5, commands: 300, every: 1 },
  { seed: 7, commands: 6_000, every: 75 },
];
/** The number of random markets and of random accounts compared each time; at most as many touched ones are added. */
const LOOKED_AT = 2;

/** The answers when the read models were at `seq`. */
interface Told {
  readonly seq: number;
  readonly books: ReadonlyMap<string, OrderBookView | null>;
  readonly portfolios: ReadonlyMap<string, PortfolioView | null>;
}

describe('an answer as of a sequence', () => {
  const database = useReadDatabase();
  const seen: Told[] = [];

  for (const { seed, commands, every } of RUNS) {
    it(`is what was served at that sequence, whatever came later (seed ${seed})`, async function () {
      if (every === 1) longTest(this);
      this.timeout(180_000);
      const random = createRandom(seed);
      const simulated = new SimulatedJournal({ seed });
      await simulated.run(commands);
      const schema = await database().newSchema();
      await createIndexes(database().db, schema, ALL_TABLES);
      const db = database().db.withSchema(schema);
      const projection = await Projection.open(database().db, schema);

      const told: Told[] = [];
      const marketIds: string[] = [];
      const accountIds: string[] = [];
      for (const seq of simulated.ends.filter((_, index) => index % every === every - 1)) {
        const from = projection.checkpoint.seq + 1;
        const events = (await simulated.journal.read(from, seq - from + 1)).map(decode);
        await projection.project(events);
        const touched = new Set<string>();
        for (const { event } of events) {
          if (event.type === 'MarketListed') marketIds.push(event.marketId);
          if (event.type === 'AccountOpened' || event.type === 'SubAccountOpened') accountIds.push(event.accountId);
          for (const [name, value] of Object.entries(event)) {
            if (/(market|ccount)Id$/.test(name)) touched.add(String(value));
          }
        }
        const chosen = (ids: readonly string[]): Set<string> => {
          const own = ids.filter((id) => touched.has(id)).slice(0, LOOKED_AT);
          return new Set(
            ids.length === 0 ? [] : [...own, ...Array.from({ length: LOOKED_AT }, () => random.pick(ids))],
          );
        };
        const books = new Map<string, OrderBookView | null>();
        const portfolios = new Map<string, PortfolioView | null>();
        for (const id of chosen(marketIds)) books.set(id, await answerOf(db, orderBookOf, id));
        for (const id of chosen(accountIds)) portfolios.set(id, await portfolioIn(db, id));
        told.push({ seq, books, portfolios });
      }

      const end = simulated.head.seq;
      for (const { seq, books, portfolios } of told) {
        for (const [id, book] of books) {
          expect(await findOrderBookAsOf(db, id, seq), `book ${id} at ${seq}`).to.deep.equal(book);
        }
        for (const [id, portfolio] of portfolios) {
          expect(await findPortfolioAsOf(db, id, seq, end), `portfolio ${id} at ${seq}`).to.deep.equal(portfolio);
        }
      }
      seen.push(...told);
      const marked = db.selectFrom('market_history').select('seq').where('book', 'is not', null);
      if (every > 1) expect(await marked.execute()).to.have.length.above(3);
    });
  }

  it('was compared in all that it can have', () => expectVariety(seen));
});

function expectVariety(told: readonly Told[]): void {
  const portfolios = told.flatMap((one) => [...one.portfolios.values()]);
  const has = (what: (portfolio: PortfolioView) => boolean): boolean =>
    portfolios.some((portfolio) => portfolio !== null && what(portfolio));
  expect(has(({ fleet }) => fleet !== null && fleet.subAccounts.positionsHalfUnits > 0)).to.equal(true);
  expect(has(({ settled }) => settled.length > 1)).to.equal(true);
  for (const status of ['open', 'partial', 'filled', 'cancelled']) {
    expect(has(({ orders }) => orders.some((order) => order.status === status))).to.equal(true);
  }
  for (const phase of ['active', 'paused', 'settling', 'resolved', 'void']) {
    expect(has(({ orders }) => orders.some((order) => 'phase' in order && order.phase === phase))).to.equal(true);
  }
  expect(told.some(({ books }) => [...books.values()].some((book) => (book?.bids.length ?? 0) > 3))).to.equal(true);
}
