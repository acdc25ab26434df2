import { DAY_MS, HOUR_MS, MINUTE_MS } from '@paper/contracts/units';
import { CANDLE_PERIODS } from '@paper/contracts/markets';
import type { CandlePeriod, CandleView } from '@paper/contracts/markets';
import type { JournalEvent } from '@paper/journal';
import { IS_LONG_RUN, SimulatedJournal } from '@paper/testkit';
import { expect } from 'chai';
import { Projection } from '../src/projection/projection.ts';
import { probabilitiesAt } from '../src/models/minutes/at-end-of.ts';
import { findCandles } from '../src/models/minutes/queries.ts';
import type { CandleFilter } from '../src/models/minutes/queries.ts';
import { PlainCandles } from './plain-candles.ts';
import { useReadDatabase } from './read-database.ts';
import { stretchedEvents } from './stretched-journal.ts';

const COMMANDS = 800;
const DAYS = 2;
const SEEDS = [23, 406, 1771];
const PAGE = 5_000;

describe('candles', () => {
  const database = useReadDatabase();
  let journals: readonly (readonly JournalEvent[])[];

  before(async function () {
    this.timeout(60_000);
    journals = await Promise.all(
      SEEDS.map(async (seed) => {
        const simulated = new SimulatedJournal({ seed, markets: 6, changeSettings: false });
        await simulated.run(COMMANDS);
        const span = (simulated.state.lastAt - 1_750_000_000_000) / DAY_MS;
        return stretchedEvents(simulated, Math.ceil(DAYS / span));
      }),
    );
  });

  const plain = (events: readonly JournalEvent[]): PlainCandles => new PlainCandles(events.map(({ event }) => event));

  /** Adds these events to a schema in batches of whole decisions; each batch begins with what the tables hold. */
  async function project(schema: string, events: readonly JournalEvent[], batchSize: number): Promise<void> {
    for (let first = 0; first < events.length;) {
      let end = Math.min(events.length, first + batchSize);
      while (end < events.length && events[end]?.decisionEvents === null) end += 1;
      await (await Projection.open(database().db, schema)).project(events.slice(first, end));
      first = end;
    }
  }

  /** All pages of a market's candles. */
  async function found(schema: string, marketId: string, filter: CandleFilter): Promise<CandleView[]> {
    const db = database().db.withSchema(schema);
    const { at_ms: newestAtMs } = await db.selectFrom('checkpoint').select('at_ms').executeTakeFirstOrThrow();
    const all: CandleView[] = [];
    for (let after: number | undefined; ;) {
      const page = await findCandles(db, newestAtMs, marketId, { ...filter, after });
      if (page === null) throw new Error(`no market ${marketId}`);
      expect(page.items.length).to.be.at.most(filter.limit);
      if (page.next !== null) expect(page.items.length).to.equal(filter.limit);
      all.push(...page.items);
      if (page.next === null) return all;
      after = page.next;
    }
  }

  async function expectPlain(schema: string, candles: PlainCandles): Promise<void> {
    for (const marketId of candles.marketIds) {
      for (const period of CANDLE_PERIODS) {
        const all = await found(schema, marketId, { period, limit: PAGE });
        expect(all, `${marketId}, ${period} minutes`).to.deep.equal(candles.of(marketId, period));
      }
    }
  }

  it('equal a fold of the journal, whatever the size of the batches', async function () {
    this.timeout(120_000);
    for (const [index, events] of journals.entries()) {
      const sizes = [7, 400, 100_000];
      // One size for each journal, and with LONG_TESTS=1 all of them.
      for (const batchSize of IS_LONG_RUN ? sizes : sizes.slice(index, index + 1)) {
        const schema = await database().newSchema();
        await project(schema, events, batchSize + index);
        await expectPlain(schema, plain(events));
      }
    }
  });

  it('are made of markets that trade, pause, settle and end void, with quotes and without', () => {
    const types = new Set(journals.flat().map(({ event }) => event.type));
    expect([...types]).to.include.members(['MarketPaused', 'MarketSettled', 'MarketVoided', 'MarketResolved']);
    const minutes = journals.flatMap((events) => {
      const candles = plain(events);
      return candles.marketIds.map((id) => ({ isSettled: candles.isSettled(id), candles: candles.of(id, 1) }));
    });
    expect(minutes.some(({ isSettled, candles }) => isSettled && candles.length > 0)).to.equal(true);
    expect(minutes.some(({ isSettled, candles }) => !isSettled && candles.length > PAGE / 2)).to.equal(true);
    const all = minutes.flatMap(({ candles }) => candles);
    const has = (test: (candle: CandleView) => boolean): void => {
      expect(all.some(test), String(test)).to.equal(true);
    };
    has(({ trades }) => trades > 1);
    has(({ openUnits, closeUnits }) => openUnits !== closeUnits);
    has(({ highUnits, lowUnits }) => highUnits !== lowUnits);
    has(({ trades, bestBidUnits }) => trades === 0 && bestBidUnits === null);
    has(({ bestBidUnits, bestAskUnits }) => bestBidUnits !== null && bestAskUnits !== null);
  });

  it('equal it while the journal goes on, with the newest of them still under way', async function () {
    this.timeout(60_000);
    const [events = []] = journals;
    const schema = await database().newSchema();
    let done = 0;
    for (const share of IS_LONG_RUN ? [0.1, 0.2, 0.35, 0.5, 0.51, 0.75, 1] : [0.2, 0.5, 0.51, 1]) {
      let end = Math.floor(events.length * share);
      while (end < events.length && events[end]?.decisionEvents === null) end += 1;
      await project(schema, events.slice(done, end), 1000);
      done = end;
      await expectPlain(schema, plain(events.slice(0, end)));
    }
  });

  it('come by pages and between times, the first time included and the second not', async function () {
    this.timeout(60_000);
    const [events = []] = journals;
    const schema = await database().newSchema();
    await project(schema, events, 100_000);
    const candles = plain(events);
    const marketId = candles.marketIds.find((id) => candles.of(id, 1).length > PAGE / 2) ?? '';
    for (const period of CANDLE_PERIODS) {
      const all = candles.of(marketId, period);
      expect(await found(schema, marketId, { period, limit: 1 + Math.ceil(all.length / 4) })).to.deep.equal(all);
      const middle = all[Math.floor(all.length / 2)]?.start ?? 0;
      const ms = period * 60_000;
      for (const [fromMs, toMs] of [
        [middle, middle + ms],
        [middle - 1, middle + 1],
        [middle + 1, middle + 3 * ms + 1],
        [0, middle],
        [middle, 4_000_000_000_000],
        [middle, middle],
        [middle + ms, middle],
        [middle, undefined],
        [undefined, middle],
        [0, 1],
        [4_000_000_000_000, undefined],
      ]) {
        const expected = all.filter(({ start }) => start >= (fromMs ?? 0) && start < (toMs ?? Infinity));
        const filter = { period, fromMs, toMs, limit: 1 + Math.ceil(expected.length / 3) };
        expect(await found(schema, marketId, filter), `${period}: ${fromMs} to ${toMs}`).to.deep.equal(expected);
      }
    }
  });

  it('have the probability at the end of each hour, as trends show it', async function () {
    this.timeout(60_000);
    const [events = []] = journals;
    const schema = await database().newSchema();
    await project(schema, events, 100_000);
    const db = database().db.withSchema(schema);
    const candles = plain(events);
    for (const { id, resolved_at_ms } of await db.selectFrom('markets').select(['id', 'resolved_at_ms']).execute()) {
      const hours = candles.of(id, 60).filter(({ start }) => start + HOUR_MS <= (resolved_at_ms ?? Infinity));
      const ends = hours.map(({ start }) => start + HOUR_MS - MINUTE_MS);
      const found = new Map((await probabilitiesAt(db, [id], ends)).map((one) => [one.minuteMs, one.halfUnits]));
      expect(
        ends.map((end) => found.get(end)),
        id,
      ).to.deep.equal(
        hours.map(({ bestAskUnits: ask, bestBidUnits: bid, closeUnits }) =>
          bid !== null && ask !== null && ask - bid <= 1_000 ? bid + ask : 2 * closeUnits,
        ),
      );
    }
  });

  it('are none of a market without a trade, and null of one that is not there', async () => {
    const [events = []] = journals;
    const firstTrade = events.findIndex(({ event }) => event.type === 'OrderFilled');
    const decision = events.findLastIndex(
      ({ decisionEvents }, index) => index <= firstTrade && decisionEvents !== null,
    );
    const schema = await database().newSchema();
    await project(schema, events.slice(0, decision), 1000);
    const db = database().db.withSchema(schema);
    const marketId = plain(events.slice(0, decision)).marketIds[0] ?? '';
    const find = (id: string, period: CandlePeriod) => findCandles(db, 1e13, id, { period, limit: 5 });
    for (const period of CANDLE_PERIODS) {
      expect(await find(marketId, period)).to.deep.equal({ items: [], next: null });
      expect(await find('no such market', period)).to.equal(null);
    }
  });
});
