import { Unavailable } from '@paper/contracts';
import { setImmediate } from 'node:timers/promises';
import { JournalWentBack } from '@paper/journal';
import type { Head, StoredEvent } from '@paper/journal';
import { eventually } from '@paper/testkit';
import { expect } from 'chai';
import { JournalCheck } from '../src/engine/journal-check.ts';
import type { ServedCheckpoint } from '../src/engine/journal-check.ts';
import { describeDivergence } from '../src/engine/divergence.ts';
import type { Divergence } from '../src/engine/divergence.ts';
import { caught } from './caught.ts';

const hashAt = (history: string, seq: number): string => `${history}-${seq}`;

/** A journal and read models, each with a history and a sequence that the test sets. */
function scene(everyMs = 5) {
  const state = {
    journal: { history: 'a', seq: 100, failure: null as Error | null },
    served: { schema: 'read_1', history: 'a', seq: 100 },
    compared: 0,
  };
  const journal = {
    head(): Promise<Head> {
      const { history, seq, failure } = state.journal;
      return failure === null ? Promise.resolve({ seq, hash: hashAt(history, seq) }) : Promise.reject(failure);
    },
    read(seq: number): Promise<readonly StoredEvent[]> {
      const event = {
        seq,
        hash: hashAt(state.journal.history, seq),
        id: '',
        type: '',
        publicText: '',
        privateText: null,
      };
      return Promise.resolve(seq <= state.journal.seq ? [event] : []);
    },
  };
  const checkpoint = (): Promise<ServedCheckpoint> => {
    state.compared += 1;
    const { schema, history, seq } = state.served;
    return Promise.resolve({ schema, seq, hash: hashAt(history, seq) });
  };
  const changes: (Divergence | null)[] = [];
  const check = new JournalCheck({
    checkpoint,
    journal: Promise.resolve(journal),
    everyMs,
    onChange: (divergence) => changes.push(divergence),
  });
  /** Resolves when the journal was compared once more from now on. */
  const compared = async (): Promise<void> => {
    const from = state.compared;
    while (state.compared < from + 2) await setImmediate();
  };
  return { state, check, changes, compared };
}

describe('the check of read models against the journal, between two comparisons', () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

  it('compares at once after a doubt, however long the pause is', async () => {
    const { check, state } = scene(1e8);
    check.start();
    await check.ready;
    const before = state.compared;
    check.invalidate();
    await eventually('a further comparison', () => state.compared > before, { withinMs: 5_000 });
    check.stop();
  });

  it('ends its pause when it is stopped', async () => {
    const { check } = scene(1e8);
    check.start();
    await check.ready;
    await setImmediate();
    const before = timers();
    check.stop();
    expect(timers()).to.equal(before - 1);
  });
});

describe('the check of read models against the journal', () => {
  let one: ReturnType<typeof scene>;
  beforeEach(async () => {
    one = scene();
    one.check.start();
    await one.check.ready;
  });
  afterEach(() => one.check.stop());

  it('said that it was ready before its first comparison had ended', async () => {
    const { check } = scene();
    expect(check.isReady).to.equal(false);
    check.start();
    expect(check.isReady).to.equal(false);
    await check.ready;
    expect(check.isReady).to.equal(true);
    check.stop();
  });

  it('finds nothing where their last event is in the journal, wherever that ends, and where there is none yet', async () => {
    one.state.journal.seq = 150;
    await one.compared();
    one.state.served = { schema: 'read_2', history: 'nothing', seq: 0 };
    await one.compared();
    expect([one.check.divergence, one.check.divergences, one.changes]).to.deep.equal([null, 0, []]);
    one.check.assertNone();
    await one.check.confirmed();
  });

  it('finds a journal that ends before them, as one that was restored from an older backup does', async () => {
    let ended = 0;
    one.check.onDivergence(() => (ended += 1));
    one.state.journal.seq = 80;
    await one.compared();
    const divergence = { kind: 'journal_ends_before', schema: 'read_1', seq: 100, headSeq: 80 } as const;
    expect(one.changes).to.deep.equal([divergence]);
    expect(describeDivergence(divergence)).to.equal(
      'the journal ends at sequence 80, before the read models (read_1 is at 100): it was restored from a backup or ' +
        'replaced. Reads are refused until `npm run rebuild` has refilled the read models',
    );
    expect(() => one.check.assertNone()).to.throw(Unavailable);
    expect(await caught(one.check.confirmed())).to.include({ code: 'unavailable' });
    expect([ended, one.check.divergences]).to.deep.equal([1, 1]);
  });

  for (const headSeq of [100, 150]) {
    it(`finds a journal of another history, which ends at ${headSeq}`, async () => {
      one.state.journal = { history: 'b', seq: headSeq, failure: null };
      await one.compared();
      const divergence = { kind: 'other_event', schema: 'read_1', seq: 100, headSeq } as const;
      expect(one.check.divergence).to.deep.equal(divergence);
      expect(describeDivergence(divergence)).to.match(/^the journal has another event at sequence 100 than the read/);
    });
  }

  it('ends when a rebuild has taken over, and tells caches to forget what they have', async () => {
    one.state.journal.seq = 80;
    await one.compared();
    one.state.served = { schema: 'read_2', history: 'a', seq: 80 };
    await one.compared();
    expect(one.changes).to.have.length(2);
    expect([one.changes[1], one.check.divergence, one.check.divergences]).to.deep.equal([null, null, 1]);
    one.check.assertNone();
  });

  it('tells caches to forget what they have also where a rebuild took over before it could look', async () => {
    one.state.journal.failure = new Error('no answer');
    await one.compared();
    one.state.served = { schema: 'read_2', history: 'b', seq: 120 };
    one.state.journal = { history: 'b', seq: 130, failure: null };
    await one.compared();
    expect([one.check.divergence, one.check.divergences]).to.deep.equal([null, 1]);
  });

  it('tells caches to forget what they have where a database with both was restored in place', async () => {
    one.state.served.seq = 80;
    one.state.journal = { history: 'a', seq: 80, failure: null };
    await one.compared();
    expect([one.check.divergence, one.check.divergences]).to.deep.equal([null, 1]);
  });

  it('tells caches so also where both have more events again before it could look', async () => {
    one.state.journal.failure = new Error('no answer');
    one.check.invalidate();
    await one.compared();
    one.state.served = { schema: 'read_1', history: 'b', seq: 120 };
    one.state.journal = { history: 'b', seq: 130, failure: null };
    await one.compared();
    expect([one.check.divergence, one.check.divergences]).to.deep.equal([null, 1]);
  });

  it('leaves caches as they are where the read models alone lost their last commits', async () => {
    one.state.served.seq = 80;
    one.check.invalidate();
    await one.compared();
    expect([one.check.divergence, one.check.divergences]).to.deep.equal([null, 0]);
  });

  it('leaves caches as they are at a rebuild of the same journal', async () => {
    one.state.served = { schema: 'read_2', history: 'a', seq: 99 };
    await one.compared();
    expect(one.check.divergences).to.equal(0);
  });

  it('says nothing new while the journal does not answer: what was found stands, and what was good is served', async () => {
    one.state.journal.failure = new Error('no answer');
    await one.compared();
    expect(one.check.divergence).to.equal(null);
    one.state.journal = { history: 'a', seq: 80, failure: null };
    await one.compared();
    one.state.journal.failure = new Error('no answer');
    await one.compared();
    expect(one.check.divergence).to.include({ kind: 'journal_ends_before' });
  });

  it('finds it where the adapter itself does not trust what the server shows', async () => {
    one.state.journal.failure = new JournalWentBack('the journal went back', { seq: 80, hash: hashAt('a', 80) });
    await one.compared();
    expect(one.check.divergence).to.include({ kind: 'journal_ends_before', headSeq: 80 });
  });
});

describe('a read that promises to be fresh', () => {
  it('is compared with a journal that may have been replaced before it is answered', async () => {
    const { state, check } = scene();
    await check.confirmed();
    const { compared } = state;
    await check.confirmed();
    expect(state.compared).to.equal(compared);
    state.journal.seq = 80;
    check.invalidate();
    expect(await caught(check.confirmed())).to.include({ code: 'unavailable' });
  });

  it('is not answered of a journal whose head is before what was found in it', async () => {
    const { state, check } = scene();
    await check.confirmed();
    state.journal.seq = 80;
    check.sawHead(100);
    await check.confirmed();
    check.sawHead(80);
    expect(await caught(check.confirmed())).to.include({ code: 'unavailable' });
  });
});
