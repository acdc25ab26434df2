import { expect } from 'chai';
import { delta, ndjson, refusalOf, shares, snapshot, T0, tapeOf, trade } from './written-tape.ts';

const market = 'M';
const book = snapshot(
  0,
  [
    ['0.4000', '10.50'],
    ['0.4100', '5.00'],
  ],
  [['0.5500', '8.00']],
);

describe("a tape of Kalshi's messages", () => {
  it('becomes levels, a level and a trade, in YES terms, each at the time it was received', async () => {
    const { played, summary } = await tapeOf({
      'book.ndjson': [book, delta(5, 'no', '0.5500', '-1.25'), trade(90_000, 'yes', '0.4500', '2.00')],
    });
    expect(played).to.deep.equal([
      {
        kind: 'levels',
        atMs: T0,
        market,
        bids: [
          { priceUnits: 4_100, sizeMicros: shares(5) },
          { priceUnits: 4_000, sizeMicros: shares(10.5) },
        ],
        asks: [{ priceUnits: 4_500, sizeMicros: shares(8) }],
      },
      { kind: 'level', atMs: T0 + 5, market, side: 'ask', priceUnits: 4_500, sizeMicros: shares(6.75) },
      {
        kind: 'trade',
        atMs: T0 + 90_000,
        market,
        priceUnits: 4_500,
        sizeMicros: shares(2),
        taker: 'yes',
        levelAfterMicros: null,
      },
    ]);
    expect(summary).to.include({ format: 'kalshi', events: 3, synthetic: false, from: '2026-08-05T12:00:00.000Z' });
    expect(summary.markets).to.deep.equal([
      { id: 'M', title: 'M', closesAt: '2099-01-01T00:00:00.000Z', tickSize: 0.01, prior: 0.43 },
    ]);
  });

  it('leaves an empty side out, and other channels are no event', async () => {
    const ticker = { recv_ms: T0, event: { type: 'ticker', sid: 3, msg: { market_ticker: 'M' } } };
    const empty = { recv_ms: T0, event: { type: 'orderbook_snapshot', msg: { market_ticker: 'M' } } };
    const { lines, played, summary } = await tapeOf({ 'book.ndjson': [ticker, ticker, empty] });
    expect(played).to.deep.equal([{ kind: 'levels', atMs: T0, market, bids: [], asks: [] }]);
    expect(lines).to.deep.equal({ read: 3, other: 2, skipped: 0 });
    expect(summary.skipped).to.deep.equal([]);
  });

  it('is refused where no line is of it', async () => {
    expect(await refusalOf({ 'book.ndjson': ndjson([{ hello: 1 }, 2, null]) })).to.equal(
      "TAPE is refused: none of its lines is of a known format (Kalshi's NDJSON, a journal of this exchange, trades alone): 3 × no message of the format (first: book.ndjson, line 1).",
    );
  });
});
