import { expect } from 'chai';
import fc from 'fast-check';
import { cancelsOnly, givenUnits, halfSpreadUnits, mostUrgent, quoteChanges } from '../../src/demo/demo-quotes.ts';
import type { MakerView, QuoteChange } from '../../src/demo/demo-quotes.ts';
import { DEFAULT_DEMO_SETTINGS } from '../../src/demo/settings.ts';
import { isBid, yesPrice } from '../../src/quotes.ts';
import type { RestingQuote } from '../../src/quotes.ts';

const [near, far] = DEFAULT_DEMO_SETTINGS.makers;
if (near === undefined || far === undefined) throw new Error('the demo has two makers');
const NOTHING = { yes: 0, no: 0 };
const VIEW: MakerView = {
  marketId: 'm',
  tickUnits: 100,
  viewUnits: 5_020,
  valueUnits: 5_020,
  halfSpreadUnits: 150,
  giveUnits: 150,
  stillMs: 0,
  othersBidUnits: null,
  othersAskUnits: null,
};
const text = ({ cancel, move, place }: QuoteChange): string =>
  [
    ...cancel.map((id) => `cancel ${id}`),
    ...move.map(({ order, quote }) => `move ${order.id} to ${quote.quantity} at ${quote.priceUnits}`),
    ...place.map((quote) => `${quote.side} ${quote.quantity} ${quote.outcome} at ${quote.priceUnits}`),
  ].join(', ');
const order = (id: string, outcome: 'yes' | 'no', priceUnits: number, quantity = near.size): RestingQuote => ({
  id,
  outcome,
  side: 'buy',
  priceUnits,
  filledQty: 0,
  quantity,
});

describe("the quotes of the demo's makers", () => {
  it('stand around the view, on the tick away from it', () => {
    expect(quoteChanges(VIEW, [], NOTHING, near).map(text)).to.deep.equal(['buy 12 yes at 4800', 'buy 12 no at 4800']);
    expect(quoteChanges(VIEW, [], NOTHING, far).map(text)).to.deep.equal(['buy 60 yes at 4500', 'buy 60 no at 4400']);
  });

  it('stay while they are near to where they should be', () => {
    const standing = [order('bid', 'yes', 4_800), order('ask', 'no', 4_800)];
    expect(quoteChanges(VIEW, standing, NOTHING, near)).to.deep.equal([]);
    expect(quoteChanges({ ...VIEW, viewUnits: 5_060, valueUnits: 5_060 }, standing, NOTHING, near)).to.deep.equal([]);
    const moved = quoteChanges({ ...VIEW, viewUnits: 5_120, valueUnits: 5_120 }, standing, NOTHING, near);
    expect(moved.map(text)).to.deep.equal(['move bid to 12 at 4900', 'move ask to 12 at 4700']);
  });

  it('move sooner where the price has stood still', () => {
    const standing = [order('bid', 'yes', 4_800), order('ask', 'no', 4_800)];
    const view = { ...VIEW, viewUnits: 5_060, valueUnits: 5_060, stillMs: 240_000 };
    expect(quoteChanges(view, standing, NOTHING, near).map(text)).to.deep.equal([
      'move bid to 12 at 4900',
      'move ask to 12 at 4700',
    ]);
  });

  it('are replaced where half of them is filled', () => {
    const standing = [order('bid', 'yes', 4_800, 5), order('ask', 'no', 4_800, 6)];
    expect(quoteChanges(VIEW, standing, NOTHING, near).map(text)).to.deep.equal(['move bid to 12 at 4800']);
  });

  it('are cancelled and placed where an amendment cannot do it: from buying to selling, or beyond 500 shares', () => {
    const standing = [order('bid', 'yes', 4_600), order('ask', 'no', 4_600)];
    expect(quoteChanges(VIEW, standing, { yes: 0, no: 30 }, near).map(text)).to.deep.equal([
      'cancel bid, sell 12 no at 5200',
      'move ask to 12 at 4800',
    ]);
    const filled = { ...order('bid', 'yes', 4_600), filledQty: 489 };
    expect(quoteChanges(VIEW, [filled], NOTHING, near).map(text)).to.include('cancel bid, buy 12 yes at 4800');
    const least = { ...order('bid', 'yes', 4_600), filledQty: 488 };
    expect(quoteChanges(VIEW, [least], NOTHING, near).map(text)).to.include('move bid to 12 at 4800');
  });

  it('stand outside of what others rest on their far side, since they do not take', () => {
    const view = { ...VIEW, othersBidUnits: 5_400, othersAskUnits: 4_700 };
    expect(quoteChanges(view, [], NOTHING, near).map(text)).to.deep.equal(['buy 12 yes at 4600', 'buy 12 no at 4500']);
    const out = quoteChanges({ ...VIEW, othersBidUnits: 9_900 }, [], NOTHING, near);
    expect(out.map(text), 'no ask can be above $0.99').to.deep.equal(['buy 12 yes at 4800']);
  });

  it('are cancelled instead of moved where nothing may be written beyond that', () => {
    const standing = [order('bid', 'yes', 4_800), order('ask', 'no', 4_800)];
    const moved = quoteChanges({ ...VIEW, viewUnits: 5_120, valueUnits: 5_120 }, standing, NOTHING, near);
    expect(cancelsOnly(moved).map(text)).to.deep.equal(['cancel bid', 'cancel ask']);
    expect(cancelsOnly(quoteChanges(VIEW, [], NOTHING, near))).to.deep.equal([]);
  });

  it('are wider after news, and calm down', () => {
    const hidden = { liveliness: 1, mean: 0.5, value: 0.5, view: 0.5 };
    const at = (newsAgeMs: number) => Math.round(halfSpreadUnits(100, { ...hidden, newsAgeMs }));
    expect([at(0), at(60_000), at(600_000), at(Infinity)]).to.deep.equal([250, 155, 100, 100]);
  });

  it('lean against what is held, sell it first, and stop at the largest inventory', () => {
    expect(quoteChanges(VIEW, [], { yes: 60, no: 0 }, near).map(text)).to.deep.equal([
      'buy 12 yes at 4800',
      'sell 12 yes at 5200',
    ]);
    expect(quoteChanges(VIEW, [], { yes: 120, no: 0 }, near).map(text)).to.deep.equal(['sell 12 yes at 5100']);
  });

  it('must not wait where they give away more than they may; others go by their distance', () => {
    const standing = [order('bid', 'yes', 4_800), order('ask', 'no', 4_800)];
    const [bid, ask] = quoteChanges({ ...VIEW, valueUnits: 5_500 }, standing, NOTHING, near);
    expect(text(ask ?? bid ?? expect.fail('no change'))).to.equal('move ask to 12 at 4600');
    const changes = [3, Infinity, 1, 2].map((urgency) => ({ marketId: 'm', cancel: [], move: [], place: [], urgency }));
    const urgencies = (allowed: number) => mostUrgent(changes, allowed).map(({ urgency }) => urgency);
    expect(urgencies(0)).to.deep.equal([Infinity]);
    expect(urgencies(2)).to.deep.equal([Infinity, 3, 2]);
    expect(urgencies(Infinity)).to.deep.equal([Infinity, 3, 2, 1]);
  });

  it('never stand further on the wrong side of the value than they may, whatever the view, the shares and the news', () => {
    const units = fc.integer({ min: 400, max: 9_600 });
    fc.assert(
      fc.property(
        units,
        units,
        fc.integer({ min: 50, max: 600 }),
        fc.constantFrom(150, 0, -75),
        fc.record({ yes: fc.nat(300), no: fc.nat(300) }),
        fc.constantFrom(near, far),
        fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 99 })), { maxLength: 4 }),
        (viewUnits, valueUnits, half, giveUnits, held, rules, open) => {
          const standing = open.map(([yes, cents], at) => order(String(at), yes ? 'yes' : 'no', cents * 100));
          const view = { ...VIEW, viewUnits, valueUnits, halfSpreadUnits: half, giveUnits };
          const changes = quoteChanges(view, standing, held, rules);
          const moved = changes.flatMap(({ move }) => move);
          const cancelled = new Set(
            changes.flatMap(({ cancel }) => cancel).concat(moved.map(({ order: { id } }) => id)),
          );
          const placed = changes.flatMap(({ place }) => place).concat(moved.map(({ quote }) => quote));
          const left = [...standing.filter(({ id }) => !cancelled.has(id)), ...placed];
          for (const quote of placed) expect(givenUnits(quote, valueUnits)).to.be.at.most(giveUnits);
          for (const quote of left) expect(givenUnits(quote, valueUnits)).to.be.at.most(giveUnits + 50);
          expect(left.filter(isBid).length).to.be.at.most(1);
          expect(left.filter((quote) => !isBid(quote)).length).to.be.at.most(1);
          const bid = Math.max(0, ...placed.filter(isBid).map(yesPrice));
          const ask = Math.min(10_000, ...placed.filter((quote) => !isBid(quote)).map(yesPrice));
          expect(bid).to.be.below(ask);
          for (const { outcome, quantity, side } of placed) {
            if (side === 'sell') expect(quantity).to.be.at.most(held[outcome]);
          }
        },
      ),
      { seed: 21, numRuns: 2_000 },
    );
  });
});
