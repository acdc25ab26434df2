import { accountAt, bookAt } from '@paper/auditor';
import { markHalfUnits } from '@paper/contracts/portfolio';
import { connectReadModels, queries } from '@paper/read-models';
import type { ReadDb } from '@paper/read-models';
import { createRandom } from '@paper/testkit';
import { expect } from 'chai';
import { auditedJournal } from '@paper/auditor/test/audited-journal';
import type { AuditedJournal } from '@paper/auditor/test/audited-journal';

const SEED = 33;
const COMMANDS = 2_500;
const POINTS = 40;

/** Compares the API's historical answers with what the auditor folds from the first event by its own rules. */
describe("historical answers of the API, compared with the auditor's fold", function () {
  this.timeout(120_000);
  let audited: AuditedJournal;
  let connection: ReadDb;
  let db: ReadDb;
  const points: { readonly seq: number; readonly marketId: string; readonly accountId: string }[] = [];

  before(async () => {
    audited = await auditedJournal(SEED, COMMANDS);
    connection = connectReadModels({ connectionString: audited.connectionString });
    db = connection.withSchema(audited.schema);
    const random = createRandom(SEED);
    const markets = await db.selectFrom('markets').select(['id', 'created_seq as from']).orderBy('id').execute();
    const accounts = await db.selectFrom('accounts').select(['id', 'created_seq as from']).orderBy('id').execute();
    // Most of them lie within a decision.
    while (points.length < POINTS) {
      const market = random.pick(markets);
      const account = random.pick(accounts);
      const seq = random.int(Math.max(market.from, account.from), audited.events.length);
      points.push({ seq, marketId: market.id, accountId: account.id });
    }
  });
  after(async () => {
    await connection.destroy();
    await audited.close();
  });

  it('is the same book', async () => {
    let levels = 0;
    for (const { seq, marketId } of points) {
      const folded = await bookAt(audited.journal, marketId, { seq });
      const told = await queries.findOrderBookAsOf(db, marketId, seq);
      const side = (name: 'bid' | 'ask', found: typeof folded.levels) =>
        found
          .filter((level) => level.side === name)
          .map(({ priceUnits, quantity, orders }) => ({ priceUnits, quantity, orders }));
      expect(told?.bids, `${marketId} at ${seq}`).to.deep.equal(side('bid', folded.levels));
      expect(told?.asks, `${marketId} at ${seq}`).to.deep.equal(side('ask', folded.levels));
      levels += folded.levels.length;
    }
    expect(levels).to.be.above(POINTS / 2);
  });

  it('is the same account, to the unit', async () => {
    let [positions, orders] = [0, 0];
    for (const { seq, accountId } of points) {
      const folded = await accountAt(audited.journal, accountId, { seq });
      const told = await queries.findPortfolioAsOf(db, accountId, seq, audited.events.length);
      if (told === null) throw new Error(`${accountId} is not there at ${seq}`);
      expect(told.cashUnits).to.equal(folded.cashUnits);
      expect(
        told.positions.map(({ marketId, side, shares, costUnits, probabilityHalfUnits }) => ({
          marketId,
          side,
          shares,
          costUnits,
          // Rounded down to a unit, as the auditor does.
          worth: Math.floor((markHalfUnits(side, probabilityHalfUnits) * shares) / 2),
        })),
        `${accountId} at ${seq}`,
      ).to.have.deep.members(
        folded.positions.map(({ marketId, outcome, shares, costUnits, valueUnits }) => ({
          marketId,
          side: outcome,
          shares,
          costUnits,
          worth: valueUnits,
        })),
      );
      const live = told.orders.slice(0, told.openOrders);
      const remaining = new Map(live.map((order) => [order.orderId, order.quantity - order.filledQty]));
      for (const order of folded.openOrders) expect(remaining.get(order.orderId)).to.equal(order.remaining);
      // The order whose decision was under way was not in the book yet.
      const resting = new Set(folded.openOrders.map(({ orderId }) => orderId));
      const incoming = live.filter(({ orderId }) => !resting.has(orderId));
      expect(incoming.length).to.be.at.most(1);
      expect(live.reduce((sum, { reservedUnits }) => sum + reservedUnits, 0)).to.equal(folded.reservedUnits);
      positions += folded.positions.length;
      orders += folded.openOrders.length;
    }
    expect(Math.min(positions, orders)).to.be.above(POINTS / 4);
  });
});
