import { JournalWentBack } from '@paper/journal';
import type { Head } from '@paper/journal';
import { expect } from 'chai';
import { findDivergence, hasCheckpoint } from '../src/engine/divergence.ts';
import type { ComparedJournal } from '../src/engine/divergence.ts';
import { isTransient, JournalUnreachable } from '../src/engine/faults.ts';
import { caught } from './caught.ts';

describe('the comparison of a checkpoint with the journal', () => {
  const failing = (error: Error): ComparedJournal => ({
    head: () => Promise.reject(error),
    read: () => Promise.reject(error),
  });
  /** A journal of seven events, and the reads of it. */
  function journal() {
    const reads: unknown[] = [];
    return {
      reads,
      head: (): Promise<Head> => Promise.resolve({ seq: 7, hash: 'h7' }),
      read(seq: number, limit: number) {
        reads.push([seq, limit]);
        return Promise.resolve(
          seq > 7 ? [] : [{ seq, hash: `h${seq}`, id: '', type: '', publicText: '', privateText: null }],
        );
      },
    };
  }
  const checkpoint = { seq: 5, hash: 'h5' };

  it('finds none where the event is there, and reads no more than that one', async () => {
    const compared = journal();
    expect(await findDivergence(compared, 'read_1', checkpoint)).to.equal(null);
    expect(compared.reads).to.deep.equal([[5, 1]]);
    expect(await findDivergence(compared, 'read_1', { seq: 7, hash: 'h7' })).to.equal(null);
    expect(compared.reads, 'the head has the hash of the last event').to.have.length(1);
  });

  it('asks nothing where nothing is projected', async () => {
    expect(await findDivergence(failing(new Error('no answer')), 'read_1', { seq: 0, hash: '' })).to.equal(null);
  });

  it('finds another event, also at the end, and a journal that ends before', async () => {
    for (const [seq, kind] of [
      [5, 'other_event'],
      [7, 'other_event'],
      [8, 'journal_ends_before'],
    ] as const) {
      expect(await findDivergence(journal(), 'read_1', { seq, hash: 'x' })).to.deep.equal({
        kind,
        schema: 'read_1',
        seq,
        headSeq: 7,
      });
      expect(await hasCheckpoint(journal(), { seq, hash: 'x' })).to.equal(false);
    }
    expect(await hasCheckpoint(journal(), checkpoint)).to.equal(true);
  });

  it('takes the word of a journal that went back, where that is to before the checkpoint', async () => {
    const back = (seq: number): ComparedJournal =>
      failing(new JournalWentBack('it went back', { seq, hash: `h${seq}` }));
    expect(await findDivergence(back(4), 'read_1', checkpoint)).to.include({ kind: 'journal_ends_before', headSeq: 4 });
    for (const seq of [5, 6]) {
      expect(await caught(findDivergence(back(seq), 'read_1', checkpoint))).to.be.instanceOf(JournalUnreachable);
    }
  });

  it('finds nothing where the journal does not answer: it is asked again', async () => {
    const error = await caught(findDivergence(failing(new Error('no answer')), 'read_1', checkpoint));
    expect(error).to.be.instanceOf(JournalUnreachable);
    expect(isTransient(error)).to.equal(true);
  });
});
