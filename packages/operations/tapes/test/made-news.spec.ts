import { expect } from 'chai';
import { MADE_NEWS, openTape, TapeBook } from '../src/index.ts';
import type { TapeEvent } from '../src/index.ts';

async function eventsOf(seed: number): Promise<readonly TapeEvent[]> {
  const events: TapeEvent[] = [];
  for await (const event of (await openTape(MADE_NEWS, seed)).events()) events.push(event);
  return events;
}

describe('the tape made-news', () => {
  it('is one hour of one market, and says that it is made', async () => {
    const { summary, trades } = await openTape(MADE_NEWS);
    expect(summary).to.include({ id: 'made-news', format: 'made', synthetic: true });
    expect(Date.parse(summary.to) - Date.parse(summary.from)).to.be.within(3_599_000, 3_600_000);
    expect(summary.markets.map(({ id }) => id)).to.deep.equal(['made-news']);
    expect(summary.skipped).to.deep.equal([]);
    expect(trades.joined).to.be.greaterThan(500);
    expect(trades.alone).to.equal(0);
  });

  it('follows from its seed, to the hash', async () => {
    const [first, again, other] = [
      await openTape(MADE_NEWS, 7),
      await openTape(MADE_NEWS, 7),
      await openTape(MADE_NEWS, 8),
    ];
    expect(again.summary).to.deep.equal(first.summary);
    expect(other.summary.sha256).to.not.equal(first.summary.sha256);
    expect(await eventsOf(7)).to.deep.equal(await eventsOf(7));
    expect(first.summary.sha256).to.equal('fb540f5dd5c9e7c0d977a3047ddf9f848846dbf87e2efc724e76b870610ce976');
  });

  it('publishes news that the book follows, and ends with the outcome', async () => {
    const events = await eventsOf(1);
    const news = events.flatMap((event) => (event.kind === 'news' ? [event] : []));
    expect(news).to.have.length(4);
    expect(events.at(-1)?.kind).to.equal('outcome');
    const book = new TapeBook();
    const mids: (readonly [atMs: number, mid: number])[] = [];
    for (const event of events) {
      book.apply(event);
      mids.push([event.atMs, ((book.best('bid') ?? 0) + (book.best('ask') ?? 0)) / 2]);
    }
    const midAt = (atMs: number): number => mids.findLast(([at]) => at <= atMs)?.[1] ?? 0;
    for (const { atMs, signal } of news) {
      const fair = 10_000 * (signal.fairProb ?? 0);
      const [before, after] = [Math.abs(midAt(atMs - 1) - fair), Math.abs(midAt(atMs + 60_000) - fair)];
      expect(before).to.be.greaterThan(400);
      expect(after).to.be.lessThan(before / 2);
    }
  });
});
