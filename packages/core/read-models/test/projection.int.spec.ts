import { marketView } from '@paper/exchange';
import { decode } from '@paper/journal';
import type { Journal } from '@paper/journal';
import { IS_LONG_RUN, SimulatedJournal } from '@paper/testkit';
import { dump } from '@paper/testkit/dumps';
import type { MarketDump } from '@paper/testkit/dumps';
import { expect } from 'chai';
import type { KyselyPlugin } from 'kysely';
import { checkInvariants } from '../src/rebuild/invariants.ts';
import { ProjectionFault, ProjectionFenced } from '../src/engine/faults.ts';
import { Projection } from '../src/projection/projection.ts';
import { catchUp } from '../src/projection/projector.ts';
import { mandateFromJson } from '../src/models/accounts/keys.ts';
import { answerOf } from './answer-of.ts';
import { marketOf } from '../src/models/markets/queries.ts';
import { caught } from './caught.ts';
import { dumpSchema, useReadDatabase } from './read-database.ts';

const COMMANDS = IS_LONG_RUN ? 4000 : 2500;

describe('projection', () => {
  const database = useReadDatabase();
  let simulated: SimulatedJournal;
  let schema: string;

  before(async function () {
    this.timeout(60_000);
    simulated = new SimulatedJournal({ seed: 1 });
    await simulated.run(COMMANDS);
    schema = await database().filled(simulated);
  });

  it('has the accounts of the exchange, to the unit', async () => {
    const rows = await database().db.withSchema(schema).selectFrom('accounts').selectAll().execute();
    const found = rows.map((row) => [
      row.id,
      {
        approved: row.approved,
        cash: row.cash_units,
        primary: row.primary_account_id,
        startingBalance: row.starting_balance_units,
      },
    ]);
    const expected = dump(simulated.state).accounts.map(([id, { approved, cash, primary, startingBalance }]) => [
      id,
      { approved, cash, primary, startingBalance },
    ]);
    expect(expected.length).to.be.greaterThan(8);
    expect(found).to.have.deep.members(expected);
  });

  it('has the positions of the exchange, shares and cost', async () => {
    const rows = await database().db.withSchema(schema).selectFrom('positions').selectAll().execute();
    const expected = dump(simulated.state).markets.flatMap(([market_id, market]) =>
      market.positions.map(([account_id, { yes, no, yesCost, noCost }]) => ({
        account_id,
        market_id,
        yes_shares: yes,
        no_shares: no,
        yes_cost_units: yesCost,
        no_cost_units: noCost,
      })),
    );
    expect(expected.length).to.be.greaterThan(8);
    expect(rows).to.have.deep.members(expected);
  });

  it('has the resting orders of the exchange, and its books', async () => {
    const db = database().db.withSchema(schema);
    const resting = await db.selectFrom('orders').selectAll().where('ended_seq', 'is', null).execute();
    const markets = dump(simulated.state).markets;
    const expected = markets.flatMap(([, market]) =>
      sides(market).flatMap(([, levels]) => levels.flatMap(([, o]) => o)),
    );
    expect(expected.length).to.be.greaterThan(8);
    expect(
      resting.map((row) => [row.id, row.account_id, row.outcome, row.side, row.quantity - row.filled, row.price_units]),
    ).to.have.deep.members(expected);
    expect(await db.selectFrom('book_levels').selectAll().execute()).to.have.deep.members(
      markets.flatMap(([market_id, market]) =>
        sides(market).flatMap(([side, levels]) =>
          levels.map(([yes_price_units, orders]) => ({
            market_id,
            side,
            yes_price_units,
            quantity: orders.reduce((sum, order) => sum + order[4], 0),
            orders: orders.length,
          })),
        ),
      ),
    );
  });

  it('has the client ids, the expiries and the changes of the orders that rest', async () => {
    const db = database().db.withSchema(schema);
    const resting = await db.selectFrom('orders').selectAll().where('ended_seq', 'is', null).execute();
    const expected = [...simulated.state.orders.values()].map((order) => [
      order.id,
      order.given.clientOrderId,
      order.given.expiresAt,
      order.given.postOnly,
      order.createdAt,
    ]);
    expect(
      resting.map((row) => [row.id, row.client_order_id, row.expires_at_ms, row.post_only, row.created_at_ms]),
    ).to.have.deep.members(expected);
    const stored = (await simulated.journal.read(1, simulated.head.seq)).map(decode);
    const changes = stored.flatMap(({ seq, event }) =>
      event.type === 'OrderAmended' || event.type === 'OrderReplaced' ? [[seq, event.orderId, event.type]] : [],
    );
    const rows = await db.selectFrom('order_changes').selectAll().orderBy('seq').execute();
    expect(rows.map((row) => [row.seq, row.order_id, row.type])).to.deep.equal(changes);
    expect(new Set(rows.map(({ type }) => type)).size).to.equal(2);
  });

  it('has the mandates and the spending of the keys, and the dead-man switches of the accounts', async () => {
    const db = database().db.withSchema(schema);
    const keys = await db.selectFrom('api_keys').selectAll().execute();
    const found = new Map(keys.map((row) => [row.id, [mandateFromJson(row.mandate), row.spent_day, row.spent_units]]));
    const { state } = simulated;
    for (const { id, mandate, spentDay, spentUnits } of state.keys.values()) {
      expect(found.get(id)).to.deep.equal([mandate, spentDay, spentUnits]);
    }
    expect([...state.keys.values()].some(({ mandate }) => mandate !== null)).to.equal(true);
    expect([...state.keys.values()].filter(({ spentUnits }) => spentUnits > 0)).to.have.length.above(3);
    const accounts = await db.selectFrom('accounts').select(['id', 'cancels_at_ms']).execute();
    expect(accounts.map((row) => [row.id, row.cancels_at_ms])).to.have.deep.members(
      [...state.accounts.values()].map(({ id, cancelsAt }) => [id, cancelsAt]),
    );
    const { complianceMode: compliance_mode, startingBalanceUnits: starting_balance_units } = state.settings;
    expect(await db.selectFrom('settings').selectAll().execute()).to.deep.equal([
      { name: 'main', compliance_mode, starting_balance_units },
    ]);
  });

  it('has which accounts were closed and forgotten, and no name of those', async () => {
    const db = database().db.withSchema(schema);
    const { state } = simulated;
    const closed = [...state.accounts.values()].filter(({ owner }) => owner.closure !== null);
    const forgotten = closed.filter(({ owner }) => owner.closure?.forgottenSeq !== null).map(({ id }) => id);
    expect([closed.length, forgotten.length].every((count) => count > 0)).to.equal(true);
    const rows = await db.selectFrom('accounts').select(['id', 'closed_seq', 'forgotten_seq']).execute();
    expect(rows.filter((row) => row.closed_seq !== null).map(({ id }) => id)).to.have.members(
      closed.map(({ id }) => id),
    );
    expect(rows.filter((row) => row.forgotten_seq !== null).map(({ id }) => id)).to.have.members(forgotten);
    const keys = await db.selectFrom('api_keys').select(['account_id', 'name']).execute();
    for (const { account_id, name } of keys) {
      expect(name === 'forgotten', name).to.equal(forgotten.includes(account_id));
    }
  });

  it('reports the last event that may have changed a key', async () => {
    const projection = await Projection.open(database().db, await database().newSchema());
    const events = (await simulated.journal.read(1, simulated.head.seq)).map(decode);
    let changedSeq = 0;
    let tradedSince = 0;
    for (const event of events) {
      projection.fold(event);
      if (event.event.type === 'ApiKeyIssued' || event.event.type === 'ApiKeyRevoked') changedSeq = event.seq;
      if (events[event.seq]?.decisionEvents === null) continue;
      const { keysSeq, seq } = projection.endBatch()?.to ?? { keysSeq: 0, seq: 0 };
      expect(keysSeq, `at ${seq}`).to.be.within(changedSeq, seq);
      if (keysSeq < seq) tradedSince += 1;
    }
    expect(tradedSince).to.be.greaterThan(events.length / 4);
  });

  it('has every market as the exchange sees it', async () => {
    const phases = new Set<string>();
    for (const id of simulated.state.markets.keys()) {
      const seen = marketView(simulated.state, id);
      if (seen === null) throw new Error(`no market ${id}`);
      phases.add(seen.phase);
      // The run under way is known to the exchange only.
      const found = await answerOf(database().db.withSchema(schema), marketOf, id);
      expect({ ...found, run: seen.run }).to.deep.equal(seen);
    }
    expect([...phases]).to.include.members(['active', 'resolved', 'void']);
  });

  it('keeps every invariant', async () => {
    await checkInvariants(database().db, schema);
  });

  it('is the same whatever the size of its batches', async function () {
    this.timeout(60_000);
    const whole = await dumpSchema(database().db, schema);
    const short = new SimulatedJournal({ seed: 7 });
    await short.run(600);
    const expected = await dumpSchema(database().db, await database().filled(short));
    for (const batchSize of [1, 7]) {
      expect(await dumpSchema(database().db, await database().filled(short, { batchSize }))).to.deep.equal(expected);
    }
    expect(await dumpSchema(database().db, await database().filled(simulated, { batchSize: 997 }))).to.deep.equal(
      whole,
    );
  });

  it('is the same where batches are written in parts', async function () {
    this.timeout(60_000);
    const whole = await dumpSchema(database().db, schema);
    const each = { batchSize: 300, partSize: 1 };
    for (const batches of [{ batchSize: 50_000, partSize: 100 }, ...(IS_LONG_RUN ? [each] : [])]) {
      expect(await dumpSchema(database().db, await database().filled(simulated, batches))).to.deep.equal(whole);
    }
  });

  it('is the same where it remembers what accounts have, for all of the journal or a part', async function () {
    this.timeout(60_000);
    const whole = await dumpSchema(database().db, schema);
    const positions = whole['positions']?.length ?? 0;
    for (const positionsMax of [positions * 2, positions / 2]) {
      const found = await database().filled(simulated, { batchSize: 300, partSize: 100, positionsMax });
      expect(await dumpSchema(database().db, found)).to.deep.equal(whole);
    }
  });

  it('writes what some hundred orders change in one round trip', async () => {
    const written: number[] = [];
    const counted: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: ({ result }) => Promise.resolve(result),
    };
    const end = simulated.ends.find((seq) => seq >= 800) ?? 0;
    const { db } = database();
    const projection = await Projection.open(db.withPlugin(counted), await database().newSchema());
    counted.transformResult = ({ result }) => {
      written.push(result.rows.length);
      return Promise.resolve(result);
    };
    await projection.project((await simulated.journal.read(1, end)).map(decode));
    expect(written).to.have.length(1);
    expect(projection.checkpoint.seq).to.equal(end);
  });

  it('has nothing of a batch that fails after some of its parts, and lets its connection go', async () => {
    const { db } = database();
    const half = await database().newSchema();
    const projection = await Projection.open(db, half);
    const { seq } = simulated.head;
    const missing = simulated.journal.read(1, seq).then((events) => events.slice(0, Math.floor(seq / 2)));
    const cutOff: Journal = {
      ...simulated.journal,
      read: async (fromSeq, limit) => (await missing).slice(fromSeq - 1, fromSeq - 1 + limit),
    };
    const told: number[] = [];
    const onPart = (partSeq: number): number => told.push(partSeq);
    const error = await caught(catchUp(projection, cutOff, seq, { batchSize: 50_000, partSize: 10, onPart }));
    expect(error).to.be.instanceOf(ProjectionFault);
    expect(told.length).to.be.greaterThan(1);
    expect((await dumpSchema(db, half))['fills']).to.deep.equal([]);
    await catchUp(await Projection.open(db, half), simulated.journal, seq);
    expect(await dumpSchema(db, half)).to.deep.equal(await dumpSchema(db, schema));
  });

  it('is fenced where the checkpoint has its sequence and another hash: another journal was projected', async () => {
    const { db } = database();
    const other = await database().newSchema();
    const end = simulated.ends[10] ?? 0;
    await catchUp(await Projection.open(db, other), simulated.journal, end);
    const projection = await Projection.open(db, other);
    await db
      .withSchema(other)
      .updateTable('checkpoint')
      .set({ hash: 'f'.repeat(64) })
      .execute();
    const before = await dumpSchema(db, other);
    const error = await caught(catchUp(projection, simulated.journal, simulated.ends[20] ?? 0));
    expect(error).to.be.instanceOf(ProjectionFenced);
    expect(await dumpSchema(db, other)).to.deep.equal(before);
  });

  it('goes on from its tables as if it had never stopped', async function () {
    this.timeout(60_000);
    const { journal, ends } = simulated;
    const db = database().db;
    const inParts = await database().newSchema();
    for (const share of [0.3, 0.55, 0.8, 1]) {
      const to = ends[Math.ceil(share * ends.length) - 1] ?? 0;
      await catchUp(await Projection.open(db, inParts), journal, to);
    }
    const found = await dumpSchema(db, inParts);
    expect(found).to.deep.equal(await dumpSchema(db, schema));
    expect(found['market_history']).to.satisfy((rows: { book: unknown }[]) => rows.some(({ book }) => book !== null));
  });
});

function sides(market: MarketDump): ['bid' | 'ask', MarketDump['bids']][] {
  return [
    ['bid', market.bids],
    ['ask', market.asks],
  ];
}
