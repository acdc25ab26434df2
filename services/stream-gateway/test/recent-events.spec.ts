import type { StoredEvent } from '@paper/journal';
import { expect } from 'chai';
import { RecentEvents } from '../src/recent-events.ts';

const page = (from: number, count: number): readonly StoredEvent[] =>
  Array.from({ length: count }, (_, n) => {
    const seq = from + n;
    return { hash: String(seq), id: String(seq), privateText: null, publicText: '', seq, type: 'MarketPaused' };
  });
const seqs = (events: readonly StoredEvent[]): readonly number[] => events.map(({ seq }) => seq);

describe('the recent events of a followed journal', () => {
  it('are all after the sequence at which the following began', () => {
    const recent = new RecentEvents(10);
    expect([recent.covers(9), recent.covers(10), recent.newest]).to.deep.equal([false, true, 10]);
    recent.add(page(11, 3));
    expect([seqs(recent.since(10)), seqs(recent.since(12)), recent.newest]).to.deep.equal([[11, 12, 13], [13], 13]);
    expect(recent.covers(9)).to.equal(false);
  });

  it('are none after a sequence that is yet to be followed', () => {
    const recent = new RecentEvents(10);
    recent.add(page(11, 3));
    expect([recent.covers(20), recent.since(13), recent.since(20)]).to.deep.equal([true, [], []]);
  });

  it('are at least the latest 5,000, and never more than twice as many', () => {
    const recent = new RecentEvents(0);
    for (let from = 1; from < 30_000; from += 700) {
      recent.add(page(from, 700));
      const seq = recent.newest;
      expect(recent.covers(Math.max(0, seq - 5_000)), String(seq)).to.equal(true);
      if (seq > 10_000) expect(recent.covers(seq - 10_001), String(seq)).to.equal(false);
      expect(seqs(recent.since(seq - 2))).to.deep.equal([seq - 1, seq]);
    }
  });
});
