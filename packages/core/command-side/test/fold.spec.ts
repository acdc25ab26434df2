import { expect } from 'chai';
import { createMemoryJournal } from '@paper/journal';
import { Fold, JournalUnreadable } from '../src/writer/fold.ts';
import { fromFirstEvent } from '../src/writer/load.ts';
import { buy, serving } from './writer-harness.ts';

describe('a fold of the journal', () => {
  it('that meets a hole ends, and takes nothing of what comes after it', async () => {
    const harness = await serving(['ada']);
    await harness.submit(buy('ada', 'm'));
    const events = await createMemoryJournal(harness.log).read(1, 100);
    for (const missing of [1, 2, events.length - 1]) {
      const fold = new Fold(await fromFirstEvent());
      const page = events.filter(({ seq }) => seq !== missing);
      expect(() => fold.add(page)).to.throw(
        JournalUnreadable,
        `the journal goes on with sequence ${missing + 1} after ${missing - 1}`,
      );
      expect(fold.folded.state.seq).to.equal(missing - 1);
    }
  });

  it('that is given an event twice ends', async () => {
    const harness = await serving(['ada']);
    const events = await createMemoryJournal(harness.log).read(1, 100);
    const fold = new Fold(await fromFirstEvent());
    fold.add(events);
    expect(() => fold.add(events.slice(-1))).to.throw(JournalUnreadable);
  });
});
