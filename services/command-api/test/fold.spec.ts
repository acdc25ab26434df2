import { expect } from 'chai';
import { createMemoryJournal } from '@paper/journal';
import { Fold, JournalUnreadable } from '../src/writer/fold.ts';
import { fromNothing } from '../src/writer/load.ts';
import { buy, serving } from './desk-of-one.ts';

describe('a fold of the journal', () => {
  it('that meets a hole ends, and takes nothing of what comes after it', async () => {
    const desk = await serving(['ada']);
    await desk.submit(buy('ada', 'm'));
    const events = await createMemoryJournal(desk.log).read(1, 100);
    for (const missing of [1, 2, events.length - 1]) {
      const fold = new Fold(await fromNothing());
      const page = events.filter(({ seq }) => seq !== missing);
      expect(() => fold.add(page)).to.throw(
        JournalUnreadable,
        `the journal goes on with sequence ${missing + 1} after ${missing - 1}`,
      );
      expect(fold.memory.state.seq).to.equal(missing - 1);
    }
  });

  it('that is given an event twice ends', async () => {
    const desk = await serving(['ada']);
    const events = await createMemoryJournal(desk.log).read(1, 100);
    const fold = new Fold(await fromNothing());
    fold.add(events);
    expect(() => fold.add(events.slice(-1))).to.throw(JournalUnreadable);
  });
});
