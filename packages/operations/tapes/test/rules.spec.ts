import { expect } from 'chai';
import { sharesMoved, TapeBook, wholeShares } from '../src/index.ts';
import type { TapeEvent, TradeEvent } from '../src/index.ts';
import { delta, refusalOf, shares, snapshot, T0, tapeOf, trade } from './written-tape.ts';

const book = snapshot(0, [['0.4000', '10.00']], [['0.5000', '10.00']]);
/** Lines that do nothing wrong, so that one that does is less than one in ten. */
const quiet = (ms: number, count = 20) => Array.from({ length: count }, () => delta(ms, 'yes', '0.2000', '1.00'));

const ofKind = <K extends TapeEvent['kind']>(events: readonly TapeEvent[], kind: K) =>
  events.filter((event): event is Extract<TapeEvent, { readonly kind: K }> => event.kind === kind);

describe('the clock of a tape', () => {
  it('never goes back: a line received earlier than the one before happens at the same time', async () => {
    const { played } = await tapeOf({ a: [snapshot(100, [], []), delta(40, 'yes', '0.4000', '1.00')] });
    expect(played.map(({ atMs }) => atMs - T0)).to.deep.equal([100, 100]);
  });

  it("is the venue's where the line has no time of receipt, else that of the line before", async () => {
    const [first, second] = [snapshot(100, [], []), delta(300, 'yes', '0.4000', '1.00')];
    const { played } = await tapeOf({ a: [{ event: first.event }, { event: second.event }] });
    expect(played.map(({ atMs }) => atMs - T0)).to.deep.equal([90, 290]);
  });

  it('skips a line before which there is no time', async () => {
    const timeless = { event: { type: 'orderbook_snapshot', msg: { market_ticker: 'M' } } };
    const { summary } = await tapeOf({ a: [timeless, book, ...quiet(5)] });
    expect(summary.skipped).to.deep.equal([{ reason: 'no_time', count: 1, firstFile: 'a', firstLine: 1 }]);
  });
});

describe('a trade and the decrease of its level', () => {
  const decrease = delta(10, 'no', '0.5000', '-4.00');
  const sold = trade(10, 'yes', '0.5000', '4.00');
  const joined = (atMs: number) => ({
    kind: 'trade',
    atMs: T0 + atMs,
    market: 'M',
    priceUnits: 5_000,
    sizeMicros: shares(4),
    taker: 'yes',
    levelAfterMicros: shares(6),
  });

  it('become one trade with the level after it, whichever is first, at the place of the first', async () => {
    const between = delta(12, 'yes', '0.3000', '1.00');
    for (const [first, second] of [
      [decrease, sold],
      [sold, decrease],
    ]) {
      const { played, trades } = await tapeOf({ a: [book, first, between, second] });
      expect(played[1]).to.deep.equal(joined(10));
      expect(played.map(({ kind }) => kind)).to.deep.equal(['levels', 'trade', 'level']);
      expect(trades).to.deep.equal({ joined: 1, alone: 0, inferred: 0, noSide: 0 });
    }
  });

  it('are not joined where price, size, side or the venue’s time differ: the trade changes the level by itself', async () => {
    const others = [
      trade(10, 'yes', '0.5000', '3.00'),
      trade(10, 'yes', '0.4900', '4.00'),
      trade(10, 'no', '0.5000', '4.00'),
      trade(11, 'yes', '0.5000', '4.00'),
    ];
    for (const other of others) {
      const { trades } = await tapeOf({ a: [book, decrease, other] });
      expect(trades).to.include({ joined: 0, alone: 1 });
    }
    const { played } = await tapeOf({ a: [book, decrease, trade(11, 'yes', '0.5000', '4.00')] });
    const after = new TapeBook();
    for (const event of played) after.apply(event);
    expect(after.sizeAt('ask', 5_000)).to.equal(shares(2));
  });

  it('are looked for within 1,000 messages and 2 s', async () => {
    const ts = { ts_ms: T0 };
    const [down, up] = [delta(10, 'no', '0.5000', '-4.00', ts), (ms: number) => trade(ms, 'yes', '0.5000', '4.00', ts)];
    const joinedOf = async (lines: readonly unknown[]) => (await tapeOf({ a: [book, down, ...lines] })).trades.joined;
    expect(await joinedOf([up(2_010)])).to.equal(1);
    expect(await joinedOf([up(2_011)])).to.equal(0);
    expect(await joinedOf([...quiet(10, 999), up(10)])).to.equal(1);
    expect(await joinedOf([...quiet(10, 1_000), up(10)])).to.equal(0);
  });

  it('are not joined across a snapshot, which says the level anew', async () => {
    const { played, trades } = await tapeOf({ a: [book, sold, snapshot(11, [], [['0.5000', '6.00']]), decrease] });
    expect(trades).to.include({ joined: 0, alone: 1 });
    expect(ofKind(played, 'level')).to.deep.equal([
      { kind: 'level', atMs: T0 + 11, market: 'M', side: 'ask', priceUnits: 5_000, sizeMicros: shares(2) },
    ]);
  });

  it('are joined each with its own, where two are alike', async () => {
    const { played, trades } = await tapeOf({ a: [book, decrease, decrease, sold, sold] });
    expect(trades.joined).to.equal(2);
    expect(ofKind(played, 'trade').map(({ levelAfterMicros }) => levelAfterMicros)).to.deep.equal([
      shares(6),
      shares(2),
    ]);
  });
});

describe('a trade without a side', () => {
  it('has the side of the best price that it touches', async () => {
    const { played, trades } = await tapeOf({
      a: [book, trade(10, null, '0.5000', '1.00'), trade(20, null, '0.3900', '1.00')],
    });
    expect(ofKind(played, 'trade').map(({ taker }) => taker)).to.deep.equal(['yes', 'no']);
    expect(trades).to.deep.equal({ joined: 0, alone: 2, inferred: 2, noSide: 0 });
  });

  it('that touches neither is counted, and only the level moves that went with it', async () => {
    const deep = snapshot(
      0,
      [
        ['0.4000', '10.00'],
        ['0.3000', '9.00'],
      ],
      [['0.5000', '10.00']],
    );
    const { played, trades } = await tapeOf({
      a: [
        deep,
        delta(10, 'yes', '0.3000', '-2.00'),
        trade(10, null, '0.3000', '2.00'),
        trade(20, null, '0.4500', '1.00'),
      ],
    });
    expect(trades).to.deep.equal({ joined: 1, alone: 1, inferred: 0, noSide: 2 });
    expect(played.slice(1)).to.deep.equal([
      { kind: 'level', atMs: T0 + 10, market: 'M', side: 'bid', priceUnits: 3_000, sizeMicros: shares(7) },
      {
        kind: 'trade',
        atMs: T0 + 20,
        market: 'M',
        priceUnits: 4_500,
        sizeMicros: shares(1),
        taker: null,
        levelAfterMicros: null,
      },
    ]);
  });
});

describe('what is skipped of a tape', () => {
  it('is counted by reason with its first line, and does nothing', async () => {
    const clean = await tapeOf({ a: [book, ...quiet(5, 60)] });
    const { played, summary } = await tapeOf({
      a: [
        book,
        ...quiet(5, 60),
        delta(5, 'yes', '0.0050', '1.00'),
        delta(5, 'no', '0.0050', '1.00'),
        delta(5, 'yes', '0.30005', '1.00'),
        delta(5, 'yes', '0.4000', '-10.01'),
        trade(5, 'yes', '0.5000', '0.00'),
        delta(5, 'yes', '0.4000', '1.00', {}, 'no id'),
      ],
    });
    expect(played).to.deep.equal(clean.played);
    expect(summary.skipped).to.deep.equal([
      { reason: 'price', count: 3, firstFile: 'a', firstLine: 62 },
      { reason: 'below_zero', count: 1, firstFile: 'a', firstLine: 65 },
      { reason: 'size', count: 1, firstFile: 'a', firstLine: 66 },
      { reason: 'market', count: 1, firstFile: 'a', firstLine: 67 },
    ]);
  });

  it('is a level of a snapshot alone, and the rest of it holds', async () => {
    const wide = snapshot(
      0,
      [
        ['0.0010', '7.00'],
        ['0.4000', '1.00'],
      ],
      [],
    );
    const { lines, played } = await tapeOf({ a: [wide] });
    expect(ofKind(played, 'levels')[0]?.bids).to.deep.equal([{ priceUnits: 4_000, sizeMicros: shares(1) }]);
    expect(lines.skipped).to.equal(0);
  });

  it('refuses the tape where it is more than one line in ten, or all', async () => {
    const wrong = delta(5, 'yes', '0.0050', '1.00');
    const { summary } = await tapeOf({ a: [book, ...quiet(5, 8), wrong] });
    expect(summary.events).to.equal(9);
    expect(await refusalOf({ a: [book, ...quiet(5, 8), wrong, wrong] })).to.equal(
      'TAPE is refused: 2 of its 11 lines were skipped, more than one in ten: 2 × a price below 0.01, above 0.99 or finer than 0.0001 (first: a, line 10).',
    );
    expect(await refusalOf({ a: [wrong] })).to.match(/^TAPE is refused: it has no event: 1 × a price/);
    expect(await refusalOf({ a: '' })).to.equal('TAPE is refused: it has no event.');
    expect(await refusalOf({})).to.equal('TAPE is refused: the folder has no files.');
  });
});

describe('the markets of a tape', () => {
  const market = (index: number) => delta(5, 'yes', '0.2000', '1.00', {}, `M${index}`);

  it('are those of which something was taken', async () => {
    const wrong = delta(5, 'yes', '0.0010', '1.00', {}, 'N');
    const { summary } = await tapeOf({ a: [book, ...quiet(5), wrong] });
    expect(summary.markets.map(({ id }) => id)).to.deep.equal(['M']);
  });

  it('are at most 1,000, since each has a book in memory', async () => {
    const { summary } = await tapeOf({ a: Array.from({ length: 1_000 }, (_, index) => market(index)) });
    expect(summary.markets).to.have.length(1_000);
    expect(await refusalOf({ a: Array.from({ length: 1_001 }, (_, index) => market(index)) })).to.equal(
      'TAPE is refused: it has more than 1000 markets.',
    );
  });
});

describe('a level that crosses', () => {
  it('is kept back until the other side goes, with the size that it has then', async () => {
    const { played, summary } = await tapeOf({
      a: [
        book,
        delta(10, 'no', '0.6000', '3.00'),
        delta(20, 'no', '0.6000', '1.00'),
        delta(30, 'yes', '0.4000', '-10.00'),
        ...quiet(40),
      ],
    });
    expect(ofKind(played, 'level').slice(0, 2)).to.deep.equal([
      { kind: 'level', atMs: T0 + 30, market: 'M', side: 'bid', priceUnits: 4_000, sizeMicros: 0 },
      { kind: 'level', atMs: T0 + 30, market: 'M', side: 'ask', priceUnits: 4_000, sizeMicros: shares(4) },
    ]);
    expect(summary.skipped).to.deep.equal([{ reason: 'crossed', count: 1, firstFile: 'a', firstLine: 2 }]);
  });

  it('that goes before is never shown', async () => {
    const { played } = await tapeOf({
      a: [book, delta(10, 'no', '0.6500', '3.00'), delta(20, 'no', '0.6500', '-3.00')],
    });
    expect(played.map(({ kind }) => kind)).to.deep.equal(['levels']);
  });

  it('of a snapshot is an ask that reaches the best bid', async () => {
    const { played } = await tapeOf({
      a: [
        snapshot(
          0,
          [['0.4000', '1.00']],
          [
            ['0.6000', '2.00'],
            ['0.5000', '3.00'],
          ],
        ),
      ],
    });
    expect(ofKind(played, 'levels')[0]?.asks).to.deep.equal([{ priceUnits: 5_000, sizeMicros: shares(3) }]);
  });
});

describe('the levels of one event', () => {
  it('are set vanished first, then decreases, then increases, bids before asks, the best first', () => {
    const level = (priceUnits: number, count: number) => ({ priceUnits, sizeMicros: shares(count) });
    const before = new TapeBook();
    const levels = { kind: 'levels', atMs: 0, market: 'M' } as const;
    before.apply({
      ...levels,
      bids: [level(40, 5), level(39, 5), level(38, 5), level(37, 5)],
      asks: [level(50, 5), level(51, 5), level(52, 5)],
    });
    const changes = before.apply({
      ...levels,
      bids: [level(41, 1), level(39, 4), level(37, 9)],
      asks: [level(51, 7), level(52, 2), level(53, 1)],
    });
    expect(changes.map((one) => [one.side, one.priceUnits, one.sizeMicros / shares(1)])).to.deep.equal([
      ['bid', 40, 0],
      ['bid', 38, 0],
      ['ask', 50, 0],
      ['bid', 39, 4],
      ['ask', 52, 2],
      ['bid', 41, 1],
      ['bid', 37, 9],
      ['ask', 51, 7],
      ['ask', 53, 1],
    ]);
  });
});

describe('sizes', () => {
  const sold = (size: number, after: number | null): TradeEvent => ({
    kind: 'trade',
    atMs: 0,
    market: 'M',
    priceUnits: 5_000,
    sizeMicros: shares(size),
    taker: 'yes',
    levelAfterMicros: after === null ? null : shares(after),
  });

  it('are floored when whole shares are wanted', () => {
    expect([0, 0.99, 1, 46.02].map((count) => wholeShares(shares(count)))).to.deep.equal([0, 0, 1, 46]);
  });

  it('of a trade move ⌊before⌋ − ⌊after⌋ shares, and alone ⌊size⌋', () => {
    expect(sharesMoved(sold(1.5, 8.75), shares(10.25))).to.equal(2);
    expect(sharesMoved(sold(0.5, 9.6), shares(10.1))).to.equal(1);
    expect(sharesMoved(sold(0.4, 9.2), shares(9.6))).to.equal(0);
    expect(sharesMoved(sold(2.9, null), shares(10))).to.equal(2);
  });
});

describe('a tape.json', () => {
  const described = (fields: object) => JSON.stringify({ markets: [{ id: 'M', ...fields }] });
  const lines = [book, delta(10, 'yes', '0.3000', '1.00'), delta(20, 'yes', '0.3000', '1.00')];
  const at = (ms: number) => new Date(T0 + ms).toISOString();

  it('says title, closing time, tick and prior, and no outcome is in the summary', async () => {
    const json = { title: 'Gold', closesAt: at(60_000), tickSize: 0.001, prior: 0.25, outcome: 'yes' };
    const { summary } = await tapeOf({ a: lines, 'tape.json': described(json) });
    expect(summary.markets).to.deep.equal([
      { id: 'M', title: 'Gold', closesAt: at(60_000), tickSize: 0.001, prior: 0.25 },
    ]);
    expect(JSON.stringify(summary)).to.not.include('outcome');
  });

  it('gives the outcome at settlesAt, after the events of that time; later ones are skipped', async () => {
    const { played, summary } = await tapeOf({
      a: lines,
      'tape.json': described({ outcome: 'no', settlesAt: at(10) }),
    });
    expect(played.slice(1)).to.deep.equal([
      { kind: 'level', atMs: T0 + 10, market: 'M', side: 'bid', priceUnits: 3_000, sizeMicros: shares(1) },
      { kind: 'outcome', atMs: T0 + 10, market: 'M', outcome: 'no', priceUnits: null },
    ]);
    expect(summary.skipped).to.deep.equal([{ reason: 'after_settlement', count: 1, firstFile: 'a', firstLine: 3 }]);
  });

  it('settles at closesAt, else at the end of the tape, and voids at a price', async () => {
    const later = await tapeOf({ a: lines, 'tape.json': described({ outcome: 'yes', closesAt: at(5_000) }) });
    expect(later.played.at(-1)).to.include({ kind: 'outcome', atMs: T0 + 5_000 });
    const end = await tapeOf({ a: lines, 'tape.json': described({ voidPrice: 0.25 }) });
    expect(end.played.at(-1)).to.deep.equal({
      kind: 'outcome',
      atMs: T0 + 20,
      market: 'M',
      outcome: 'void',
      priceUnits: 2_500,
    });
  });

  it('settles a market without a time after the last news', async () => {
    const publishedAt = at(90);
    const signal = { externalId: 'a', source: 'S', headline: 'H', citationUrl: 'https://example.com/', publishedAt };
    const { played, summary } = await tapeOf({
      a: lines,
      'news.jsonl': [signal],
      'tape.json': described({ outcome: 'yes' }),
    });
    expect(played.slice(-2).map(({ atMs, kind }) => [kind, atMs])).to.deep.equal([
      ['news', T0 + 90],
      ['outcome', T0 + 90],
    ]);
    expect(summary.to).to.equal(at(90));
  });

  it('refuses prices that are not on its tick, one by one', async () => {
    const { summary } = await tapeOf({
      a: [book, ...quiet(5), delta(5, 'yes', '0.3050', '1.00')],
      'tape.json': described({ tickSize: 0.01 }),
    });
    expect(summary.skipped).to.deep.equal([{ reason: 'off_tick', count: 1, firstFile: 'a', firstLine: 22 }]);
  });

  it('is refused with the field that is wrong', async () => {
    expect(await refusalOf({ a: lines, 'tape.json': described({ tick: 1 }) })).to.equal(
      'TAPE is refused: its tape.json is wrong: validation failure: markets.0.tick: is not a field here; remove it.',
    );
    expect(await refusalOf({ a: lines, 'tape.json': '{' })).to.equal(
      'TAPE is refused: its tape.json is wrong: it is not JSON.',
    );
    expect(await refusalOf({ a: lines, 'tape.json': described({ outcome: 'void' }) })).to.include('voidPrice');
    const twice = JSON.stringify({ markets: [{ id: 'M' }, { id: 'M' }] });
    expect(await refusalOf({ a: lines, 'tape.json': twice })).to.include('names market "M" twice');
  });
});

describe('own news beside a tape', () => {
  const news = (id: string, ms: number) => ({
    externalId: id,
    source: 'Newsroom',
    headline: `Headline ${id}`,
    citationUrl: 'https://example.com/a',
    publishedAt: new Date(T0 + ms).toISOString(),
    marketId: 'M',
  });
  const lines = [book, delta(10, 'yes', '0.3000', '1.00'), delta(20, 'yes', '0.3000', '1.00')];

  it('come in their time, before the events of the same time', async () => {
    const { played } = await tapeOf({ a: lines, 'news.jsonl': [news('b', 20), news('a', 10)] });
    expect(played.map((event) => (event.kind === 'news' ? event.signal.externalId : event.kind))).to.deep.equal([
      'levels',
      'a',
      'level',
      'b',
      'level',
    ]);
  });

  it('that are no signal, or given before, are skipped with their line', async () => {
    const { summary } = await tapeOf({ a: lines, 'news.jsonl': [news('a', 10), { headline: 1 }, news('a', 15)] });
    expect(summary.skipped).to.deep.equal([{ reason: 'news', count: 2, firstFile: 'news.jsonl', firstLine: 2 }]);
  });
});
