import { ACTIVITY_FEED } from '@paper/contracts/markets';
import { DAY_MS } from '@paper/contracts/units';
import { marketView } from '@paper/exchange';
import type { State } from '@paper/exchange';
import type { OrderFilled } from '@paper/exchange/events';
import type { JournalEvent } from '@paper/journal';
import { SimulatedJournal } from '@paper/testkit';
import { expect } from 'chai';
import type { ReadDb } from '../src/models/tables.ts';
import { wholeMinute } from '../src/models/minute.ts';
import { Projection } from '../src/projection/projection.ts';
import { findActivity } from '../src/reads/activity.ts';
import { rankAccounts } from '../src/reads/leaderboard.ts';
import { positionsOf } from '../src/models/positions/queries.ts';
import { mostActiveMarkets } from '../src/reads/pulse.ts';
import { signalInputs } from '../src/reads/signal-inputs.ts';
import { findTimeline } from '../src/reads/timeline.ts';
import { listRecentTrades } from '../src/models/fills/queries.ts';
import { answerOf } from './answer-of.ts';
import { dumpSchema, useReadDatabase } from './read-database.ts';
import { stretchedEvents, watch } from './stretched-journal.ts';
import type { Watched } from './stretched-journal.ts';

const COMMANDS = 3000;
const MINUTE = 60_000;

/** Days of trading, read by those who watch, beside a naive fold of the same events. */
describe('what watchers read', () => {
  const database = useReadDatabase();
  let events: readonly JournalEvent[];
  let watched: readonly Watched[];
  let state: State;
  let db: ReadDb;
  let schema: string;
  let now: number;

  /** Events with `at` in the minutes after `from`, up to `to`. */
  const within = (from: number, to: number) =>
    watched.filter(({ event }) => wholeMinute(event.at) > from && wholeMinute(event.at) <= to);
  const fills = (of: readonly Watched[], marketId?: string): OrderFilled[] =>
    of.flatMap(({ event }) =>
      event.type === 'OrderFilled' && (marketId === undefined || event.marketId === marketId) ? [event] : [],
    );
  const shares = (of: readonly OrderFilled[]): number => of.reduce((sum, { quantity }) => sum + quantity, 0);
  const ofMarket = (marketId: string) =>
    watched.filter(({ event }) => 'marketId' in event && event.marketId === marketId);

  async function project(batchSize: number): Promise<string> {
    const filled = await database().newSchema();
    for (const batch of decisions(events, batchSize)) {
      // Opened anew now and then: what it needs from before comes from the tables.
      await (await Projection.open(database().db, filled)).project(batch);
    }
    return filled;
  }

  before(async function () {
    this.timeout(60_000);
    const simulated = new SimulatedJournal({ seed: 48, markets: 8, changeSettings: false });
    await simulated.run(COMMANDS);
    const span = (simulated.state.lastAt - 1_750_000_000_000) / DAY_MS;
    events = await stretchedEvents(simulated, Math.ceil(4 / span));
    ({ watched, state } = watch(events));
    schema = await project(5000);
    db = database().db.withSchema(schema);
    now = wholeMinute(state.lastAt);
  });

  it('is the same whatever the size of its batches', async function () {
    this.timeout(60_000);
    const expected = await dumpSchema(database().db, schema);
    expect(expected['market_minutes']?.length).to.be.greaterThan(100);
    expect(await dumpSchema(database().db, await project(61))).to.deep.equal(expected);
  });

  it('has the probability just before and just after each trade', async () => {
    const rows = await db.selectFrom('fills').selectAll().where('role', '=', 'taker').orderBy('seq').execute();
    const trades = watched.filter(({ event }) => event.type === 'OrderFilled');
    expect(trades.length).to.be.greaterThan(200);
    expect(trades.some(({ before, after }) => before !== after)).to.equal(true);
    expect(rows.map((row) => [row.seq, row.prob_before_half_units, row.prob_after_half_units])).to.deep.equal(
      trades.map(({ seq, before, after }) => [seq, before, after]),
    );
  });

  it('tells every market with its windows as a fold of the journal does', async () => {
    const inputs = await signalInputs(db, now);
    const active = [...state.markets.keys()].filter((id) => marketView(state, id)?.phase === 'active').sort();
    expect(inputs.map(({ marketId }) => marketId)).to.deep.equal(active);
    expect(inputs.length).to.be.greaterThan(2);
    const ages = new Set<string>();
    for (const input of inputs) {
      const market = marketView(state, input.marketId);
      if (market === null) throw new Error('a market that the exchange does not have');
      const then = ofMarket(input.marketId).filter(({ event }) => wholeMinute(event.at) <= now - DAY_MS);
      ages.add(then.length === 0 ? 'younger' : 'older');
      expect(input).to.deep.include({
        probabilityHalfUnits: market.probabilityHalfUnits,
        volume: market.volume,
        openInterest: market.openInterest,
        bestBidUnits: market.bestBidUnits,
        bestAskUnits: market.bestAskUnits,
        drivers: market.drivers,
        companyImpact: market.companyImpact,
        priorUnits: market.priorUnits,
        seq: market.seq,
        probabilityDayAgoHalfUnits: then.at(-1)?.after ?? 2 * market.priorUnits,
        volume24h: shares(fills(within(now - DAY_MS, now), input.marketId)),
        volumeDayBefore: shares(fills(within(now - 2 * DAY_MS, now - DAY_MS), input.marketId)),
      });
      const signals = ofMarket(input.marketId).filter(({ event }) => event.type === 'SignalRecorded');
      expect(input.recentEvents.map(({ seq }) => seq)).to.deep.equal(
        signals
          .map(({ seq }) => seq)
          .reverse()
          .slice(0, 5),
      );
      const cited = signals.flatMap(({ event }) =>
        event.type === 'SignalRecorded' && event.fairProb !== null ? [event] : [],
      );
      const fair = cited.at(-1);
      expect(input.fairValue).to.deep.equal(
        fair === undefined
          ? null
          : { fairProb: fair.fairProb, confidence: fair.confidence, publishedAt: fair.publishedAt, at: fair.at },
      );
    }
    expect(inputs.some(({ volume24h }) => volume24h > 0)).to.equal(true);
    expect(inputs.some(({ volumeDayBefore }) => volumeDayBefore > 0)).to.equal(true);
    expect(inputs.some(({ fairValue }) => fairValue !== null)).to.equal(true);
  });

  it('evaluates windows at any minute', async () => {
    for (const minute of [now - DAY_MS - 7 * MINUTE, now + DAY_MS, now + 5 * DAY_MS]) {
      for (const input of await signalInputs(db, minute)) {
        const traded = (from: number, to: number): number => shares(fills(within(from, to), input.marketId));
        expect([input.volume24h, input.volumeDayBefore]).to.deep.equal([
          traded(minute - DAY_MS, minute),
          traded(minute - 2 * DAY_MS, minute - DAY_MS),
        ]);
      }
    }
  });

  it('names the most active markets, as a fold of the journal does', async () => {
    const volume = (id: string): number => shares(fills(within(now - DAY_MS, now), id));
    const ids = await mostActiveMarkets(db, now - DAY_MS, 5);
    expect(ids).to.have.length(5);
    expect(ids.map(volume)).to.deep.equal(
      [...state.markets.keys()]
        .map(volume)
        .sort((a, b) => b - a)
        .slice(0, 5),
    );
    expect(volume(ids[0] ?? '')).to.be.greaterThan(0);
  });

  it('fills up the most active markets with those that take orders, then with the others, the newest listing first', async () => {
    const listed = watched.flatMap(({ event }) => (event.type === 'MarketListed' ? [event.marketId] : [])).reverse();
    const isActive = (id: string): boolean => marketView(state, id)?.phase === 'active';
    const quiet = [...listed.filter(isActive), ...listed.filter((id) => !isActive(id))];
    expect(quiet.findIndex((id) => !isActive(id))).to.be.within(1, quiet.length - 1);
    expect(await mostActiveMarkets(db, now, 1_000)).to.deep.equal(quiet);
    const traded = (await mostActiveMarkets(db, now - DAY_MS, 1_000)).filter(
      (id) => shares(fills(within(now - DAY_MS, now), id)) > 0,
    );
    expect(traded.length).to.be.within(1, listed.length - 1);
    expect(await mostActiveMarkets(db, now - DAY_MS, 1_000)).to.deep.equal([
      ...traded,
      ...quiet.filter((id) => !traded.includes(id)),
    ]);
  });

  it('gives activity as a fold of the journal does', async () => {
    const recent = fills(within(now - DAY_MS, now));
    const { feed, ...pulse } = await findActivity(db, now);
    expect(recent.length).to.be.greaterThan(10);
    expect(pulse).to.deep.equal({
      activeMarkets: [...state.markets.keys()].filter((id) => marketView(state, id)?.phase === 'active').length,
      volume24h: shares(recent),
      trades24h: recent.length,
      traders24h: new Set(recent.flatMap((fill) => [fill.makerAccountId, fill.takerAccountId])).size,
    });
    const told = watched.flatMap(({ seq, id, event }) => {
      const kind = KINDS.get(event.type);
      return kind === undefined || !('marketId' in event) ? [] : [{ seq, id, kind, marketId: event.marketId }];
    });
    expect(feed.map(({ seq, id, kind, marketId }) => ({ seq, id, kind, marketId }))).to.deep.equal(
      told.reverse().slice(0, ACTIVITY_FEED),
    );
  });

  it('gives the timeline of every market, page by page, oldest first', async () => {
    const kinds = new Set<string>();
    for (const marketId of state.markets.keys()) {
      const expected = ofMarket(marketId).filter(({ event }) => KINDS.has(event.type) && event.type !== 'MarketListed');
      const whole = await findTimeline(db, marketId, { limit: 10_000 });
      expect(whole?.next).to.equal(null);
      expect(
        whole?.items.map(({ externalId, beforeHalfUnits, probabilityHalfUnits }) => [
          externalId,
          beforeHalfUnits,
          probabilityHalfUnits,
        ]),
      ).to.deep.equal(
        expected.map(({ id, event, before, after }) => [
          event.type === 'SignalRecorded' ? event.externalId : id,
          before,
          after,
        ]),
      );
      for (const { kind } of whole?.items ?? []) kinds.add(kind);
      const pages: unknown[][] = [];
      for (let after: number | undefined, more = true; more;) {
        const page = await findTimeline(db, marketId, { limit: 40, after });
        if (page === null) throw new Error('a market without a timeline');
        pages.unshift([...page.items]);
        more = page.next !== null;
        after = page.next ?? undefined;
      }
      expect(pages.flat()).to.deep.equal(whole?.items);
    }
    expect([...kinds]).to.have.members(['signal', 'trade', 'resolution']);
    expect(await findTimeline(db, 'no such market', { limit: 5 })).to.equal(null);
  });

  it("relates a trade to the market's newest signal of the 24 h before it", async () => {
    const related = new Set<boolean>();
    for (const marketId of state.markets.keys()) {
      const own = ofMarket(marketId);
      const timeline = await findTimeline(db, marketId, { limit: 10_000 });
      for (const entry of timeline?.items ?? []) {
        if (entry.kind !== 'trade') continue;
        const at = own.findIndex(({ id }) => id === entry.externalId);
        const signal = own.slice(0, at).findLast(({ event }) => event.type === 'SignalRecorded');
        const isRecent = signal !== undefined && signal.event.at >= entry.date - DAY_MS;
        related.add(isRecent);
        expect(entry.relatedSignalId).to.equal(isRecent ? signal.id : null);
      }
    }
    expect([...related]).to.have.members([true, false]);
  });

  it('lists recent trades as their takers saw them', async () => {
    const trades = watched.filter(({ event }) => event.type === 'OrderFilled').reverse();
    const first = await listRecentTrades(db, { limit: 30 });
    const second = await listRecentTrades(db, { limit: 30, after: first.next ?? undefined });
    expect([...first.items, ...second.items].map(({ seq }) => seq)).to.deep.equal(
      trades.slice(0, 60).map(({ seq }) => seq),
    );
    const [newest] = trades;
    if (newest?.event.type !== 'OrderFilled') throw new Error('no trades');
    const { takerOutcome, takerSide, yesPriceUnits, quantity, kind, marketId, at } = newest.event;
    const { title, ticker, companySlug, resolvedOutcome } = marketView(state, marketId) ?? expect.fail('no market');
    expect(first.items[0]).to.deep.equal({
      title,
      ticker,
      companySlug,
      resolvedOutcome,
      id: newest.id,
      marketId,
      seq: newest.seq,
      outcome: takerOutcome,
      side: takerSide,
      priceUnits: takerOutcome === 'yes' ? yesPriceUnits : 10_000 - yesPriceUnits,
      quantity,
      kind,
      createdAt: at,
    });
  });

  it('ranks who traded and has the usual starting balance, by worth, then the older one', async () => {
    const { entries, total } = await rankAccounts(db, 1000);
    const usual = state.settings.startingBalanceUnits;
    const closed = new Set(watched.flatMap(({ event }) => (event.type === 'AccountClosed' ? [event.accountId] : [])));
    expect(closed.size).to.be.greaterThan(0);
    const traded = new Set(
      fills(watched).flatMap(({ makerAccountId, takerAccountId }) => [makerAccountId, takerAccountId]),
    );
    const openings = watched.flatMap(({ event }) => {
      if (event.type !== 'AccountOpened' && event.type !== 'SubAccountOpened') return [];
      const { accountId, startingBalanceUnits } = event;
      const isRanked = startingBalanceUnits === usual && !closed.has(accountId) && traded.has(accountId);
      return isRanked ? [accountId] : [];
    });
    expect(total).to.equal(openings.length);
    const worth = (entry: (typeof entries)[number]): number => 2 * entry.cashUnits + entry.positionsHalfUnits;
    const ids = entries.map(({ id }) => id);
    expect(ids).to.have.members(openings);
    expect(ids).to.deep.equal(
      [...entries]
        .sort((a, b) => worth(b) - worth(a) || openings.indexOf(a.id) - openings.indexOf(b.id))
        .map(({ id }) => id),
    );
    for (const entry of entries) {
      const sides = fills(watched).flatMap((fill) => [
        { id: fill.makerAccountId, outcome: fill.makerOutcome, fill },
        { id: fill.takerAccountId, outcome: fill.takerOutcome, fill },
      ]);
      const own = sides.filter(({ id }) => id === entry.id);
      const positions = await answerOf(db, positionsOf, entry.id);
      const marks = positions.map(({ side, shares: held, probabilityHalfUnits }) =>
        side === 'yes' ? held * probabilityHalfUnits : held * (20_000 - probabilityHalfUnits),
      );
      expect(entry).to.deep.include({
        rank: 1 + entries.filter((other) => worth(other) > worth(entry)).length,
        positionsHalfUnits: marks.reduce((sum, value) => sum + value, 0),
        openPositions: positions.length,
        trades: own.length,
        volumeUnits: own.reduce(
          (sum, { outcome, fill }) =>
            sum + fill.quantity * (outcome === 'yes' ? fill.yesPriceUnits : 10_000 - fill.yesPriceUnits),
          0,
        ),
      });
    }
    expect(await rankAccounts(db, 2)).to.deep.equal({ entries: entries.slice(0, 2), total });
  });
});

const KINDS = new Map<string, string>([
  ['MarketListed', 'listing'],
  ['OrderFilled', 'trade'],
  ['SignalRecorded', 'signal'],
  ['MarketResolved', 'resolution'],
  ['MarketVoided', 'resolution'],
]);

/** Whole decisions, at least `size` events together. */
function* decisions(events: readonly JournalEvent[], size: number): Generator<JournalEvent[]> {
  let batch: JournalEvent[] = [];
  for (const event of events) {
    if (event.decisionEvents !== null && batch.length >= size) {
      yield batch;
      batch = [];
    }
    batch.push(event);
  }
  if (batch.length > 0) yield batch;
}
