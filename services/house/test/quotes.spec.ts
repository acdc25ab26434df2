import { expect } from 'chai';
import fc from 'fast-check';
import { FairValues } from '../src/anchors.ts';
import { canAmendTo, changes, edgeUnits, wantedQuotes } from '../src/quotes.ts';
import type { RestingQuote } from '../src/quotes.ts';
import { DEFAULT_HOUSE_SETTINGS as settings } from '../src/settings.ts';

const anchor = { marketId: 'm', anchorUnits: 5000, tickUnits: 100 };
/** Loss room without a limit. */
const ANY_LOSS = { askUnits: Infinity, bidUnits: Infinity };
const text = (quotes: ReturnType<typeof wantedQuotes>): string[] =>
  quotes.map(({ side, quantity, outcome, priceUnits }) => `${side} ${quantity} ${outcome} at ${priceUnits}`);

describe("the maker's quotes", () => {
  it('stand around the anchor, the best first', () => {
    expect(text(wantedQuotes(anchor, { yes: 0, no: 0 }, ANY_LOSS, settings))).to.deep.equal([
      'buy 20 yes at 4800',
      'buy 20 no at 4800',
      'buy 40 yes at 4700',
      'buy 40 no at 4700',
      'buy 60 yes at 4600',
      'buy 60 no at 4600',
    ]);
  });

  it('lean against what is held, sell shares before they buy the others, and stop at the bound', () => {
    expect(text(wantedQuotes(anchor, { yes: 290, no: 0 }, ANY_LOSS, settings))).to.deep.equal([
      'buy 10 yes at 4700',
      'sell 20 yes at 5100',
      'sell 40 yes at 5200',
      'sell 60 yes at 5300',
    ]);
    expect(text(wantedQuotes(anchor, { yes: 0, no: 400 }, ANY_LOSS, settings))).to.deep.equal([
      'sell 20 no at 5100',
      'sell 40 no at 5200',
      'sell 60 no at 5300',
    ]);
  });

  it('are only as large as what they may lose', () => {
    const loss = { askUnits: 5000 * 120, bidUnits: 5000 * 120 * 0.3 };
    expect(text(wantedQuotes(anchor, { yes: 0, no: 0 }, loss, settings))).to.deep.equal([
      'buy 5 yes at 4800',
      'buy 20 no at 4800',
      'buy 10 yes at 4700',
      'buy 40 no at 4700',
      'buy 15 yes at 4600',
      'buy 60 no at 4600',
    ]);
    expect(wantedQuotes(anchor, { yes: 0, no: 0 }, { askUnits: 0, bidUnits: 0 }, settings)).to.deep.equal([]);
  });

  it('leave out what no order can ask for', () => {
    expect(text(wantedQuotes({ ...anchor, anchorUnits: 100 }, { yes: 0, no: 0 }, ANY_LOSS, settings))).to.deep.equal([
      'buy 20 no at 9700',
      'buy 40 no at 9600',
      'buy 60 no at 9500',
    ]);
  });

  it('gain on every share, never cross, and never lead beyond the inventory, whatever is held', () => {
    const position = fc.record({ yes: fc.nat(800), no: fc.nat(800) });
    fc.assert(
      fc.property(
        fc.constantFrom(1, 10, 100),
        fc.integer({ min: 1, max: 99 }),
        fc.nat(99),
        position,
        (tick, cents, more, held) => {
          const anchorUnits = Math.min(9900, Math.floor((cents * 100 + more) / tick) * tick);
          const quotes = wantedQuotes({ marketId: 'm', anchorUnits, tickUnits: tick }, held, ANY_LOSS, settings);
          const room = { up: 0, down: 0 };
          const sold = { yes: 0, no: 0 };
          let [bestBid, bestAsk] = [0, 10_000];
          for (const quote of quotes) {
            const edge = edgeUnits(quote, anchorUnits);
            expect(edge).to.be.at.least(settings.halfSpreadUnits - settings.maxSkewUnits);
            expect(quote.priceUnits % tick).to.equal(0);
            expect(quote.priceUnits).to.be.within(100, 9900);
            const yesPrice = quote.outcome === 'yes' ? quote.priceUnits : 10_000 - quote.priceUnits;
            const isBid = (quote.outcome === 'yes') === (quote.side === 'buy');
            if (isBid) bestBid = Math.max(bestBid, yesPrice);
            else bestAsk = Math.min(bestAsk, yesPrice);
            room[isBid ? 'up' : 'down'] += quote.quantity;
            if (quote.side === 'sell') sold[quote.outcome] += quote.quantity;
          }
          expect(bestBid).to.be.lessThan(bestAsk);
          const net = held.yes - held.no;
          expect(room.up).to.be.at.most(Math.max(0, settings.maxInventory - net));
          expect(room.down).to.be.at.most(Math.max(0, settings.maxInventory + net));
          expect(sold.yes).to.be.at.most(held.yes);
          expect(sold.no).to.be.at.most(held.no);
        },
      ),
      { seed: 11, numRuns: 2000 },
    );
  });
});

describe('from what stands to what is wanted', () => {
  const wanted = wantedQuotes(anchor, { yes: 0, no: 0 }, ANY_LOSS, settings);
  const standing: RestingQuote[] = wanted.map((quote, index) => ({ ...quote, id: `o${index}`, filledQty: 0 }));
  const [first, ...others] = standing;
  const [best] = wanted;
  if (first === undefined || best === undefined) throw new Error('there are quotes');

  it('adopts what stands already', () => {
    expect(changes(standing, wanted)).to.deep.equal({ cancel: [], move: [], place: [] });
  });
  it('places what is missing', () => {
    expect(changes(others, wanted)).to.deep.equal({ cancel: [], move: [], place: [best] });
  });
  it('cancels what is not wanted, and every second order for one quote', () => {
    const old: RestingQuote = { outcome: 'yes', side: 'buy', priceUnits: 4500, quantity: 20, id: 'old', filledQty: 0 };
    const twin: RestingQuote = { ...first, id: 'twin' };
    expect(changes([...standing, old, twin], wanted)).to.deep.equal({ cancel: ['old', 'twin'], move: [], place: [] });
  });
  it('keeps an order that is filled up to half, and fills it up after that', () => {
    const left = (quantity: number) => changes([{ ...first, quantity, filledQty: 20 - quantity }, ...others], wanted);
    expect(left(10)).to.deep.equal({ cancel: [], move: [], place: [] });
    const order = { ...first, quantity: 9, filledQty: 11 };
    expect(left(9)).to.deep.equal({ cancel: [], move: [{ order, quote: best }], place: [] });
  });
  it('makes an order smaller that is larger than wanted', () => {
    const order = { ...first, quantity: 21 };
    expect(changes([order], [best])).to.deep.equal({ cancel: [], move: [{ order, quote: best }], place: [] });
  });
  it('moves an order to another price of its side', () => {
    const order = { ...first, priceUnits: 4500 };
    expect(changes([order, ...others], wanted)).to.deep.equal({
      cancel: [],
      move: [{ order, quote: best }],
      place: [],
    });
  });
  it('does not move an order to another side, or beyond 500 shares in all', () => {
    const sold: RestingQuote = { ...first, outcome: 'no', side: 'sell', priceUnits: 5100 };
    expect(changes([sold], [best])).to.deep.equal({ cancel: ['o0'], move: [], place: [best] });
    const full = { ...first, priceUnits: 4500, filledQty: 481 };
    expect(changes([full], [best])).to.deep.equal({ cancel: ['o0'], move: [], place: [best] });
    expect(canAmendTo({ ...full, filledQty: 480 }, best)).to.equal(true);
  });
  it('leaves each wanted quote once, and nothing else, whatever stands', () => {
    const anyQuote = fc.record({
      outcome: fc.constantFrom('yes' as const, 'no' as const),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      priceUnits: fc.integer({ min: 45, max: 55 }).map((cents) => cents * 100),
      quantity: fc.integer({ min: 1, max: 60 }),
    });
    const name = ({ outcome, side, priceUnits }: { outcome: string; side: string; priceUnits: number }): string =>
      `${outcome} ${side} ${priceUnits}`;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(anyQuote, fc.nat(499)), { maxLength: 8 }),
        fc.uniqueArray(anyQuote, { maxLength: 8, selector: name }),
        (open, want) => {
          const rests = open.map(([quote, filledQty], at): RestingQuote => ({ ...quote, id: String(at), filledQty }));
          const { cancel, move, place } = changes(rests, want);
          const gone = new Set([...cancel, ...move.map(({ order }) => order.id)]);
          expect(gone.size, 'no order changes twice').to.equal(cancel.length + move.length);
          for (const { order, quote } of move) {
            expect([quote.outcome, quote.side]).to.deep.equal([order.outcome, order.side]);
            expect([quote.priceUnits, quote.quantity]).to.not.deep.equal([order.priceUnits, order.quantity]);
            expect(order.filledQty + quote.quantity).to.be.at.most(500);
          }
          const left = [...rests.filter(({ id }) => !gone.has(id)), ...move.map(({ quote }) => quote), ...place];
          expect(left.map(name)).to.have.members(want.map(name));
        },
      ),
      { seed: 12, numRuns: 2_000 },
    );
  });
});

describe('the anchor', () => {
  const signal = (seq: number, fairProb: number | null, marketId: string | null = 'm') => ({
    id: `s${seq}`,
    source: 's',
    headline: 'h',
    citationUrl: 'https://example.org',
    publishedAt: '2026-11-21T00:00:00.000Z',
    marketProbBefore: 0.9,
    marketProbAfter: 0.95,
    fairProb,
    marketId,
    seq,
  });

  it('is the prior until a fair value is cited, then the newest one, on the tick', () => {
    const values = new FairValues();
    expect(values.anchor('m', 0.4, 0.01)).to.deep.equal({ marketId: 'm', anchorUnits: 4000, tickUnits: 100 });
    values.learn([signal(7, 0.618), signal(5, 0.2)]);
    expect(values.anchor('m', 0.4, 0.01).anchorUnits).to.equal(6200);
    expect(values.anchor('m', 0.4, 0.0001).anchorUnits).to.equal(6180);
    values.learn([signal(6, 0.1), signal(8, null), signal(9, 0.9, null), signal(10, 0.9, 'other')]);
    expect(values.anchor('m', 0.4, 0.01).anchorUnits).to.equal(6200);
  });
  it('stays within what a price can be', () => {
    const values = new FairValues();
    values.learn([signal(1, 0), signal(2, 1, 'n')]);
    expect([values.anchor('m', 0.4, 0.01).anchorUnits, values.anchor('n', 0.4, 0.01).anchorUnits]).to.deep.equal([
      100, 9900,
    ]);
  });
});
