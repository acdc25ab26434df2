import { expect } from 'chai';
import type { TableRows } from '../src/verify/rows/table-rows.ts';
import { stateWork } from '../src/verify/threads/work.ts';
import { makeEvents } from './audited-journal.ts';

describe('rows that are live at the checkpoint', () => {
  const events = makeEvents(3, 500);
  const at = { checkpoint: events.length, end: events.length };

  /** All pieces of live rows, as `table text`. */
  function piecesOf(liveRows?: number): readonly (readonly string[])[] {
    const work = stateWork(at, liveRows);
    expect(work(events).fault).to.equal(null);
    const pieces: (readonly string[])[] = [];
    for (;;) {
      const piece = work('live rows').rows.flatMap(({ table, texts }: TableRows) => texts.map((text) => table + text));
      if (piece.length === 0) return pieces;
      pieces.push(piece);
    }
  }

  it('are emitted in pieces, each row once, until there are no more', () => {
    const [whole = [], ...more] = piecesOf();
    expect(more).to.deep.equal([]);
    expect(whole.length).to.be.greaterThan(50);
    for (const size of [1, 7, whole.length]) {
      const pieces = piecesOf(size);
      expect(pieces.flat()).to.have.members(whole);
      expect(pieces.length).to.be.at.least(size === 1 ? 20 : 1);
      for (const piece of pieces.slice(0, -1)) expect(piece.length).to.be.at.least(size);
    }
  });
});
