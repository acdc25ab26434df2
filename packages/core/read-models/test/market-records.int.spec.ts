import { Market } from '@paper/contracts/markets';
import { createState, evolve, marketView } from '@paper/exchange';
import type { MarketView } from '@paper/exchange';
import type { EventType } from '@paper/exchange/events';
import { decode } from '@paper/journal';
import { SimulatedJournal } from '@paper/testkit';
import { expect } from 'chai';
import { findMarketRecord } from '../src/models/market-records/queries.ts';
import { useReadDatabase } from './read-database.ts';

const ANSWERED: readonly EventType[] = ['MarketListed', 'MarketAmended', 'MarketActivated', 'MarketPaused'];

/** A market after an event, by the exchange's own fold. */
interface Moment {
  readonly seq: number;
  readonly type: EventType;
  readonly view: MarketView;
}

const isStill = ({ view }: Moment): boolean =>
  view.phase !== 'closed' || (view.bestBidUnits === null && view.bestAskUnits === null);

describe('the record of a market', () => {
  const database = useReadDatabase();
  const moments: Moment[] = [];
  let find: (moment: Moment, afterClose: boolean) => Promise<MarketView | null>;

  before(async function () {
    this.timeout(60_000);
    const simulated = new SimulatedJournal({ seed: 27 });
    await simulated.run(2_500);
    const schema = await database().filled(simulated);
    find = ({ seq, view }, afterClose) =>
      findMarketRecord(database().db.withSchema(schema), view.id, seq, afterClose) as Promise<MarketView | null>;
    const state = createState();
    for (const { command, event, seq } of (await simulated.journal.read(1, simulated.head.seq)).map(decode)) {
      evolve(state, event, command);
      const view = 'marketId' in event && event.marketId !== null ? marketView(state, event.marketId) : null;
      if (view !== null) moments.push({ seq, type: event.type, view });
    }
  });

  it('is what the exchange answered to its command, whatever came later', async () => {
    const answered = moments.filter(({ type }) => ANSWERED.includes(type));
    expect(new Set(answered.map(({ type }) => type)).size).to.equal(ANSWERED.length);
    expect(answered.some(({ view }) => view.bestBidUnits !== null && view.volume > 0)).to.equal(true);
    for (const moment of answered) {
      const found = await find(moment, false);
      expect(found && Market.body(found), `${moment.type} ${moment.seq}`).to.deep.equal(Market.body(moment.view));
    }
  });

  it('after a close is that of its end: when no order rested any more, or where a resolution came before', async () => {
    const closes = moments.filter(({ type }) => type === 'MarketClosed');
    expect(closes.filter((moment) => !isStill(moment))).to.have.length.above(3);
    for (const close of closes) {
      const end = moments.find(
        (moment) => moment.seq >= close.seq && moment.view.id === close.view.id && isStill(moment),
      );
      const found = await find(close, true);
      expect(found?.phase, String(close.seq)).to.equal(end?.view.phase);
      if (end?.view.phase !== 'closed') continue;
      expect(found && Market.body(found), String(close.seq)).to.deep.equal(Market.body(end.view));
    }
  });

  it('is null for a market that was never listed', async () => {
    const [first] = moments;
    if (first === undefined) throw new Error('the journal has no market');
    expect(await find({ ...first, view: { ...first.view, id: 'none' } }, false)).to.equal(null);
  });
});
