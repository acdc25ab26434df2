import type { ExchangeEvent } from '@paper/exchange/events';
import { expect } from 'chai';
import type { ReadDb } from '../src/models/tables.ts';
import { Projection } from '../src/projection/projection.ts';
import { findTimeline } from '../src/reads/timeline.ts';
import { journalEvents, listed, marketBuyMeetsNoBid, opened, resting, signal, T0 } from './events.ts';
import { useReadDatabase } from './read-database.ts';

/** A limit buy of 5 YES at 6000 that fills 2 at 5600 and rests with 3: the last ask, so that the rest is the bid. */
function partlyFilled(at: number): ExchangeEvent[] {
  const [placed, filled] = marketBuyMeetsNoBid({
    marketId: 'm',
    taker: 'a',
    takerOrder: 'take',
    maker: 'b',
    makerOrder: 'ask',
    yesPriceUnits: 5600,
    quantity: 2,
    makerRemaining: 0,
    at,
  });
  if (placed?.type !== 'OrderPlaced' || filled?.type !== 'OrderFilled') throw new Error('not what was built');
  return [
    { ...placed, orderType: 'limit', timeInForce: 'GTC', priceUnits: 6000, quantity: 5, restQuantity: 3 },
    { ...filled, takerRemaining: 3 },
  ];
}

const resolved: ExchangeEvent = {
  at: T0 + 9000,
  citationUrl: 'https://example.com/result',
  headline: 'It happened',
  marketId: 'm',
  outcome: 'yes',
  poolUnits: 20_000,
  source: 'registry',
  type: 'MarketResolved',
};

const decisions: ExchangeEvent[][] = [
  [opened('a')],
  [opened('b')],
  [listed('m')],
  [listed('void')],
  [signal('m', T0 + 1000)],
  [resting('b', 'ask', 'm', { side: 'buy', outcome: 'no', priceUnits: 4400, quantity: 2, at: T0 + 2000 })],
  [resting('b', 'ask2', 'm', { side: 'buy', outcome: 'no', priceUnits: 3900, quantity: 9, at: T0 + 2000 })],
  partlyFilled(T0 + 3000),
  [signal('m', T0 + 4000)],
  [resolved],
  [{ at: T0 + 9500, marketId: 'void', poolUnits: 0, priceUnits: 4000, reason: 'Called off', type: 'MarketVoided' }],
];

const NO_SIGNAL = { fairProb: null, factValue: null, threshold: null, confidence: null, freshnessMs: null };

describe('a timeline', () => {
  const database = useReadDatabase();
  let db: ReadDb;

  before(async () => {
    const schema = await database().newSchema();
    await (await Projection.open(database().db, schema)).project(journalEvents(decisions));
    db = database().db.withSchema(schema);
  });

  it('tells a market from its first signal to its resolution', async () => {
    const cited = {
      kind: 'signal',
      headline: 'news',
      source: 'wire',
      event: 'SignalRecorded',
      citationUrl: 'https://example.com/a',
      factValue: null,
      threshold: null,
      confidence: null,
      fairProb: 0.6,
      freshnessMs: 5000,
      relatedSignalId: null,
    };
    expect(await findTimeline(db, 'm', { limit: 10 })).to.deep.equal({
      items: [
        {
          ...cited,
          date: T0 - 4000,
          // The prior alone stood behind it; a minute later the market had traded and been quoted.
          beforeHalfUnits: 10_000,
          afterHalfUnits: 20_000,
          probabilityHalfUnits: 10_000,
          externalId: `x-${T0 + 1000}`,
          interpolated: true,
        },
        {
          kind: 'trade',
          date: T0 + 3000,
          headline: '2 YES at 0.56',
          source: 'exchange',
          event: 'OrderFilled',
          citationUrl: null,
          ...NO_SIGNAL,
          beforeHalfUnits: 10_000,
          // The rest of the order stands in the book after its last fill: 0.60 to 0.61.
          afterHalfUnits: 12_100,
          probabilityHalfUnits: 12_100,
          externalId: 'id-9',
          relatedSignalId: 'id-5',
          interpolated: false,
        },
        {
          ...cited,
          date: T0 - 1000,
          beforeHalfUnits: 12_100,
          afterHalfUnits: 20_000,
          probabilityHalfUnits: 12_100,
          externalId: `x-${T0 + 4000}`,
          interpolated: false,
        },
        {
          kind: 'resolution',
          date: T0 + 9000,
          headline: 'It happened',
          source: 'registry',
          event: 'MarketResolved',
          citationUrl: 'https://example.com/result',
          ...NO_SIGNAL,
          beforeHalfUnits: 12_100,
          afterHalfUnits: 20_000,
          probabilityHalfUnits: 20_000,
          externalId: 'id-11',
          relatedSignalId: null,
          interpolated: false,
        },
      ],
      next: null,
    });
  });

  it('tells a void as a resolution', async () => {
    const timeline = await findTimeline(db, 'void', { limit: 10 });
    expect(timeline?.items).to.deep.equal([
      {
        kind: 'resolution',
        date: T0 + 9500,
        headline: 'Called off',
        source: 'exchange',
        event: 'MarketVoided',
        citationUrl: null,
        ...NO_SIGNAL,
        beforeHalfUnits: 10_000,
        afterHalfUnits: 8000,
        probabilityHalfUnits: 8000,
        externalId: 'id-12',
        relatedSignalId: null,
        interpolated: false,
      },
    ]);
  });

  it('goes on with what was before the last page', async () => {
    const page = await findTimeline(db, 'm', { limit: 1 });
    const after = page?.next ?? undefined;
    expect((await findTimeline(db, 'm', { limit: 1, after }))?.items[0]).to.have.property('kind', 'signal');
  });
});
