import { bookAt } from '@paper/auditor';
import { withhold } from '@paper/journal';
import { SimulatedJournal } from '@paper/testkit';
import { expect } from 'chai';
import { MICROS_PER_SHARE, TapeBook } from '../src/index.ts';
import type { TapeEvent } from '../src/index.ts';
import { ndjson, tapeOf } from './written-tape.ts';
import type { ReadTape } from './written-tape.ts';

describe('a tape of our own journal', function () {
  this.timeout(60_000);
  let simulated: SimulatedJournal;
  let tape: ReadTape;
  let lines: readonly unknown[];

  before(async () => {
    simulated = new SimulatedJournal({ seed: 35 });
    await simulated.run(1_200);
    const { seq } = await simulated.journal.head();
    lines = (await simulated.journal.read(1, seq)).map(withhold);
    tape = await tapeOf({ 'journal.ndjson': lines });
  });

  it('is read without a skipped line, and each trade has its level', () => {
    expect(tape.summary).to.include({ format: 'journal', synthetic: false });
    expect(tape.summary.skipped).to.deep.equal([]);
    expect(tape.trades.joined + tape.trades.alone).to.be.greaterThan(50);
  });

  it('gives the book of the auditor after each tenth of the journal, in every market that no outcome has ended', async () => {
    let levels = 0;
    for (let tenth = 1; tenth <= 10; tenth += 1) {
      const seq = simulated.ends[Math.floor((simulated.ends.length - 1) * (tenth / 10))] ?? 0;
      const { played } = await tapeOf({ 'journal.ndjson': lines.slice(0, seq) });
      for (const [market, book] of booksOf(played)) {
        const judged = await bookAt(simulated.journal, market, { seq });
        const told = (['bid', 'ask'] as const).flatMap((side) =>
          book.levels(side).map((level) => [side, level.priceUnits, level.sizeMicros / MICROS_PER_SHARE]),
        );
        levels += told.length;
        expect(told, `${market} at ${seq}`).to.deep.equal(
          judged.levels.map(({ priceUnits, quantity, side }) => [side, priceUnits, quantity]),
        );
      }
    }
    expect(levels).to.be.greaterThan(40);
  });

  it('says title, tick, prior and closing time itself', async () => {
    const listed = lines.find((line) => (line as { type: string }).type === 'MarketListed') as { publicText: string };
    const { event } = JSON.parse(listed.publicText) as {
      event: { marketId: string; priorUnits: number; tickUnits: number };
    };
    const market = tape.summary.markets.find(({ id }) => id === event.marketId);
    expect(market).to.include({ prior: event.priorUnits / 10_000, tickSize: event.tickUnits / 10_000 });
    expect(market?.title).to.not.equal(event.marketId);
  });

  it('does not say before its time how a market was amended, but for a later closing time', async () => {
    const ofType = (type: string) =>
      lines.find((line) => (line as { type: string }).type === type) as { seq: number; publicText: string };
    const listed = ofType('MarketListed');
    const { event } = JSON.parse(listed.publicText) as { event: { closesAt: number; marketId: string } };
    const text = JSON.parse(ofType('MarketAmended').publicText) as { event: object };
    const amended = (closesAt: number, title: string): unknown => ({
      ...listed,
      publicText: JSON.stringify({ ...text, event: { ...text.event, marketId: event.marketId, closesAt, title } }),
    });
    const marketOf = async (closesAt: number) =>
      (
        await tapeOf({ 'journal.ndjson': ndjson(lines.toSpliced(listed.seq, 0, amended(closesAt, 'It was so'))) })
      ).summary.markets.find(({ id }) => id === event.marketId);
    const earlier = tape.summary.markets.find(({ id }) => id === event.marketId);
    expect(await marketOf(event.closesAt - 1_000)).to.deep.equal(earlier);
    const later = new Date(Date.parse(earlier?.closesAt ?? '') + 60_000).toISOString();
    expect(await marketOf(Date.parse(later))).to.deep.equal({ ...earlier, closesAt: later });
  });

  it('skips a line whose public text is none', async () => {
    const broken = { seq: 1, publicText: '{"event":{"type":"OrderFilled"}}' };
    const { summary } = await tapeOf({ 'journal.ndjson': ndjson([...lines, broken]) });
    expect(summary.skipped.map(({ firstLine }) => firstLine)).to.deep.equal([lines.length + 1]);
  });
});

/** The books of the markets that have no outcome. */
function booksOf(events: readonly TapeEvent[]): ReadonlyMap<string, TapeBook> {
  const books = new Map<string, TapeBook>();
  for (const event of events) {
    if (event.kind === 'news') continue;
    const book = books.get(event.market) ?? new TapeBook();
    book.apply(event);
    books.set(event.market, book);
    if (event.kind === 'outcome') books.delete(event.market);
  }
  return books;
}
