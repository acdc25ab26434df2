import { createState, evolve } from '@paper/exchange';
import type { ExchangeEvent } from '@paper/exchange/events';
import { createMemoryJournal, decode } from '@paper/journal';
import type { Journal } from '@paper/journal';
import { dump } from '@paper/testkit/dumps';
import type { StateDump } from '@paper/testkit/dumps';
import { expect } from 'chai';
import { accountAt, bookAt, marketTimeline, NoSuchPoint, NotFoundAtSequence } from '../src/index.ts';
import { appendAll, makeEvents } from './audited-journal.ts';

/** The exchange's own state after an event. */
function stateAt(events: ReturnType<typeof makeEvents>, seq: number): StateDump {
  const state = createState();
  for (const stored of events.slice(0, seq)) {
    const { command, event } = decode(stored);
    evolve(state, event, command);
  }
  return dump(state);
}

describe('the state at any point of the past', function () {
  this.timeout(30_000);
  const events = makeEvents(21, 1_200);
  const decoded: readonly ExchangeEvent[] = events.map((stored) => decode(stored).event);
  let journal: Journal;
  before(async () => {
    journal = createMemoryJournal();
    await appendAll(journal, events);
  });

  it('is what the exchange was: every account and every book', async () => {
    for (const seq of [40, 333, 777, events.length]) {
      const state = stateAt(events, seq);
      for (const [accountId, account] of state.accounts) {
        const historical = await accountAt(journal, accountId, { seq });
        expect(historical).to.include({ seq, cashUnits: account.cash, reservedUnits: account.reserved });
        expect(historical.openOrders).to.have.length(account.openOrders);
        const held = state.markets.flatMap(([marketId, { positions }]) =>
          positions
            .filter(([id]) => id === accountId)
            .map(([, at]) => [marketId, at.yes, at.no, at.yesCost + at.noCost]),
        );
        const sum = (marketId: unknown, of: (position: (typeof historical.positions)[number]) => number): number =>
          historical.positions.filter((at) => at.marketId === marketId).reduce((total, at) => total + of(at), 0);
        for (const [marketId, yes, no, cost] of held) {
          expect(sum(marketId, ({ outcome, shares }) => (outcome === 'yes' ? shares : 0))).to.equal(yes);
          expect(sum(marketId, ({ outcome, shares }) => (outcome === 'no' ? shares : 0))).to.equal(no);
          expect(sum(marketId, ({ costUnits }) => costUnits)).to.equal(cost);
        }
      }
      for (const [marketId, market] of state.markets) {
        const historical = await bookAt(journal, marketId, { seq });
        expect(historical).to.include({ pairs: market.pairs, probabilityHalf: market.probabilityHalf });
        const levels = [...market.bids, ...market.asks].map(([price, orders]) => [price, orders.length]);
        expect(historical.levels.map(({ priceUnits, orders }) => [priceUnits, orders])).to.deep.equal(levels);
      }
    }
  });

  it('is asked for by time too: after the last event until then', async () => {
    const seq = 500;
    const { at } = decoded[seq - 1] ?? { at: 0 };
    const last = decoded.findLastIndex((event) => event.at <= at) + 1;
    const [accountId] = stateAt(events, seq).accounts[0] ?? [''];
    expect(await accountAt(journal, accountId, { time: at })).to.include({ seq: last, at });
    expect(await accountAt(journal, accountId, { time: at + 0.5 })).to.include({ seq: last });
    const failure = await accountAt(journal, accountId, { time: 1 }).catch((error: unknown) => error);
    expect(failure)
      .to.be.instanceOf(NotFoundAtSequence)
      .with.property('message', `There is no account ${accountId} at sequence 0.`);
  });

  it('lists every event of a market, each with the book after it', async () => {
    const seq = 900;
    const state = stateAt(events, seq);
    for (const [marketId, market] of state.markets) {
      const steps = await marketTimeline(journal, marketId, { seq });
      const own = decoded
        .slice(0, seq)
        .flatMap((event, index) => ('marketId' in event && event.marketId === marketId ? [index + 1] : []));
      expect(steps.map((step) => step.seq)).to.deep.equal(own);
      expect(steps.at(-1)).to.include({
        bestBid: market.bids[0]?.[0] ?? null,
        bestAsk: market.asks[0]?.[0] ?? null,
        probabilityHalf: market.probabilityHalf,
      });
    }
  });

  it('says what is not there', async () => {
    const beyond = await bookAt(journal, 'market-1', { seq: 10_000_000 }).catch((error: unknown) => error);
    expect(beyond)
      .to.be.instanceOf(NoSuchPoint)
      .with.property('message')
      .that.matches(/The journal ends at sequence \d+; there is no 10000000\./);
    const unknown = await marketTimeline(journal, 'nowhere', null).catch((error: unknown) => error);
    expect(unknown)
      .to.be.instanceOf(NotFoundAtSequence)
      .with.property('message')
      .that.matches(/There is no market nowhere at sequence/);
  });
});
