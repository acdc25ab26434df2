import { expect } from 'chai';
import type { TapeEvent } from '../src/index.ts';
import { refusalOf, shares, tapeOf } from './written-tape.ts';

const CSV = `Time,market,price,size,side,note
2026-01-05T15:00:00Z,M,0.50,10,yes,"first, of ""three"""
2026-01-05T15:00:01.500Z,M,0.52,20,,
2026-01-05 15:00:02,M,0.51,7.5,,
`;
const NDJSON = [
  { time: '2026-01-05T15:00:00Z', market: 'M', price: 0.5, size: 10, side: 'buy' },
  { time: 1_767_625_201.5, market: 'M', price: '0.52', size: '20' },
  { time: 1_767_625_202_000, market: 'M', price: 0.51, size: 7.5, side: null },
];

const tradesOf = (events: readonly TapeEvent[]) =>
  events.flatMap((event) => (event.kind === 'trade' ? [[event.priceUnits, event.sizeMicros, event.taker]] : []));
const laddersOf = (events: readonly TapeEvent[]) => events.filter((event) => event.kind === 'levels');

describe('a tape of trades alone', () => {
  it('is played against a ladder around the last price: five ticks a side, 100 shares each, and says so', async () => {
    const { played, summary } = await tapeOf({ 'trades.csv': CSV });
    expect(summary).to.include({ format: 'trades', synthetic: true, events: 6 });
    expect(summary.markets).to.deep.include({
      id: 'M',
      title: 'M',
      closesAt: '2099-01-01T00:00:00.000Z',
      tickSize: 0.01,
      prior: 0.5,
    });
    expect(played.map(({ kind }) => kind)).to.deep.equal(['trade', 'levels', 'trade', 'levels', 'trade', 'levels']);
    const rungs = (prices: readonly number[]) => prices.map((priceUnits) => ({ priceUnits, sizeMicros: shares(100) }));
    expect(laddersOf(played)[1]).to.deep.include({
      bids: rungs([5_100, 5_000, 4_900, 4_800, 4_700]),
      asks: rungs([5_300, 5_400, 5_500, 5_600, 5_700]),
    });
  });

  it('infers a missing side from the ladder: above the last price the taker bought YES, below it NO', async () => {
    const { played, trades } = await tapeOf({ 'trades.csv': CSV });
    expect(tradesOf(played)).to.deep.equal([
      [5_000, shares(10), 'yes'],
      [5_200, shares(20), 'yes'],
      [5_100, shares(7.5), 'no'],
    ]);
    expect(trades).to.deep.equal({ joined: 0, alone: 3, inferred: 2, noSide: 0 });
  });

  it('counts a trade without a side at the last price as of unknown side', async () => {
    const row = '2026-01-05T15:00:00Z,M,0.50,10,';
    const { played, trades } = await tapeOf({ 'trades.csv': `time,market,price,size,side\n${row}\n${row}\n` });
    expect(tradesOf(played).map(([, , taker]) => taker)).to.deep.equal([null, null]);
    expect(trades.noSide).to.equal(2);
  });

  it('is the same as NDJSON, with times in seconds or milliseconds', async () => {
    const [csv, lines] = [await tapeOf({ a: CSV }), await tapeOf({ a: NDJSON })];
    expect(lines.played).to.deep.equal(csv.played);
  });

  it('has a ladder of its own tick, cut off at 0.01 and 0.99', async () => {
    const { played, summary } = await tapeOf({
      'a.csv': 'time,market,price,size\n1767625200,M,0.012,1\n1767625201,M,0.988,1\n',
    });
    expect(summary.markets[0]?.tickSize).to.equal(0.001);
    expect(laddersOf(played).map(({ asks, bids }) => [bids.length, asks.length])).to.deep.equal([
      [2, 5],
      [5, 2],
    ]);
  });

  it('takes a header in each file of a folder', async () => {
    const [header, ...rows] = CSV.trimEnd().split('\n');
    const { played } = await tapeOf({
      '1.csv': `${header}\n${rows[0]}\n`,
      '2.csv': `${header}\r\n${rows.slice(1).join('\r\n')}`,
    });
    expect(tradesOf(played)).to.have.length(3);
  });

  it('skips the lines of another format among its files, and is refused where they are many', async () => {
    const kalshi = '{"recv_ms":1,"event":{"type":"trade","msg":{}}}';
    expect(await refusalOf({ '1.csv': CSV, '2.ndjson': kalshi })).to.equal(
      'TAPE is refused: 1 of its 5 lines were skipped, more than one in ten: 1 × no message of the format (first: 2.ndjson, line 1).',
    );
  });

  it('skips a line whose side is no side', async () => {
    const rows = Array.from({ length: 10 }, () => '2026-01-05T15:00:00Z,M,0.50,10,yes\n').join('');
    const { summary } = await tapeOf({ 'a.csv': `time,market,price,size,side\n${rows}1767625200,M,0.5,1,long\n` });
    expect(summary.skipped).to.deep.equal([{ reason: 'no_message', count: 1, firstFile: 'a.csv', firstLine: 12 }]);
  });
});
