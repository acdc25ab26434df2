import { Unavailable } from '@paper/contracts';
import type { Head } from '@paper/journal';
import { expect } from 'chai';
import { createFreshness } from '../src/serving/freshness.ts';
import { pollProgress, Progress } from '../src/serving/progress.ts';
import type { ReadPosition } from '../src/serving/progress.ts';

const head = (seq: number): Head => ({ seq, hash: String(seq) });

/** A journal whose head reads are answered by hand. */
function slowJournal() {
  const reads: ((seq: number) => void)[] = [];
  return {
    reads,
    head: () => new Promise<Head>((resolve) => reads.push((seq) => resolve(head(seq)))),
  };
}

const at = (seq: number, schema = 's'): ReadPosition => ({ schema, seq });

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('freshness', () => {
  it('is reached at once where the projection is at the head', async () => {
    const progress = new Progress();
    progress.set(5);
    const freshness = createFreshness({ head: () => Promise.resolve(head(5)) }, progress);
    expect(await freshness.reached()).to.equal(5);
  });

  it('waits for the projection to come to the head, and not for more', async () => {
    const progress = new Progress();
    const freshness = createFreshness({ head: () => Promise.resolve(head(5)) }, progress);
    let seen: number | null = null;
    const reached = freshness.reached().then((seq) => (seen = seq));
    progress.set(4);
    await turn();
    expect(seen).to.equal(null);
    progress.set(7);
    expect(await reached).to.equal(5);
  });

  it('announces that it waits before the head is known, and then for what', async () => {
    const hurried: (number | undefined)[] = [];
    const progress = new Progress((seq) => void hurried.push(seq));
    const journal = slowJournal();
    const reached = createFreshness(journal, progress).reached();
    expect(hurried).to.deep.equal([undefined]);
    journal.reads[0]?.(5);
    await turn();
    expect(hurried).to.deep.equal([undefined, 5]);
    progress.set(5);
    expect(await reached).to.equal(5);
    expect(await progress.reached(5, 1_000)).to.equal(true);
    void progress.reached(6, 1, 'patient');
    expect(hurried).to.deep.equal([undefined, 5]);
  });

  it('announces nothing where the caller is patient: the projector goes on gathering', async () => {
    const hurried: (number | undefined)[] = [];
    const progress = new Progress((seq) => void hurried.push(seq));
    const reached = createFreshness({ head: () => Promise.resolve(head(5)) }, progress).reached({ patient: true });
    await turn();
    progress.set(5);
    expect([await reached, hurried]).to.deep.equal([5, []]);
  });

  it('answers unavailable when the projection does not come', async () => {
    const freshness = createFreshness({ head: () => Promise.resolve(head(5)) }, new Progress());
    const error: unknown = await freshness.reached({ timeoutMs: 1 }).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(Unavailable);
  });

  it('answers unavailable when the head cannot be read, or not in time', async () => {
    const broken = createFreshness({ head: () => Promise.reject(new Error('gone')) }, new Progress());
    expect(await broken.reached({ timeoutMs: 1000 }).catch((reason: unknown) => reason)).to.have.property(
      'code',
      'unavailable',
    );
    const silent = createFreshness({ head: () => new Promise<Head>(() => undefined) }, new Progress());
    expect(await silent.reached({ timeoutMs: 1 }).catch((reason: unknown) => reason)).to.have.property(
      'code',
      'unavailable',
    );
  });

  it('waits for the projection no longer than the head has left of the time', async () => {
    const given: number[] = [];
    const progress = {
      newest: () => 0,
      reached: (_seq: number, timeoutMs: number) => Promise.resolve(given.push(timeoutMs) > 0),
    };
    const journal = slowJournal();
    const reached = createFreshness(journal, progress).reached({ timeoutMs: 1000 });
    const begun = performance.now();
    while (performance.now() < begun + 2) await turn();
    journal.reads[0]?.(5);
    expect(await reached).to.equal(5);
    expect(given[0]).to.be.within(0, 998);
  });

  it('shares one read of the head, and lets who comes during it wait for the next', async () => {
    const progress = new Progress();
    progress.set(100);
    const journal = slowJournal();
    const freshness = createFreshness(journal, progress);
    const first = freshness.reached();
    const late = [freshness.reached(), freshness.reached()];
    expect(journal.reads).to.have.length(1);
    journal.reads[0]?.(3);
    expect(await first).to.equal(3);
    await turn();
    expect(journal.reads).to.have.length(2);
    const later = freshness.reached();
    journal.reads[1]?.(4);
    expect(await Promise.all(late)).to.deep.equal([4, 4]);
    await turn();
    journal.reads[2]?.(5);
    expect(await later).to.equal(5);
    expect(journal.reads).to.have.length(3);
  });

  it('can poll for the progress of another process', async () => {
    const seqs = [1, 2, 3];
    const progress = pollProgress(() => {
      const seq = seqs.shift();
      return seq === undefined ? Promise.reject(new Error('gone')) : Promise.resolve(at(seq));
    }, 1);
    expect(await progress.reached(2, 1000)).to.equal(true);
    expect(await progress.reached(9, 20)).to.equal(false);
  });

  it('does not take for reached what another process had reached before its database lost it', async () => {
    let seq = 100;
    let reads = 0;
    const progress = pollProgress(() => {
      reads += 1;
      return Promise.resolve(at(seq));
    }, 1);
    expect(await progress.reached(100, 1000)).to.equal(true);
    seq = 90;
    const readBefore = reads;
    const answers: boolean[] = [];
    const reached = progress.reached(100, 10_000).then((is) => answers.push(is));
    while (answers.length === 0 && reads < readBefore + 3) await turn();
    expect(answers).to.deep.equal([]);
    seq = 100;
    await reached;
    expect(answers).to.deep.equal([true]);
  });

  it('does not take back what is known to have been projected: who was shown it must not be shown less', async () => {
    const told = new Progress();
    told.set(100);
    told.set(0);
    expect(told.newest()).to.equal(100);
    expect(await told.reached(100, 0)).to.equal(false);
    let seq = 100;
    const polled = pollProgress(() => Promise.resolve(at(seq)), 1);
    expect(await polled.newest()).to.equal(100);
    seq = 90;
    expect(await polled.newest()).to.equal(100);
    seq = 101;
    expect(await polled.newest()).to.equal(101);
  });

  it('begins anew in other read models, which may be of a journal that was restored and is shorter', async () => {
    const told = new Progress();
    told.set(100);
    told.restart(80);
    expect([told.newest(), await told.reached(81, 0)]).to.deep.equal([80, false]);
    const positions = [at(100), at(80, 'rebuilt'), at(79, 'rebuilt')];
    const polled = pollProgress(() => Promise.resolve(positions.shift() ?? at(0)), 1);
    expect([await polled.newest(), await polled.newest(), await polled.newest()]).to.deep.equal([100, 80, 80]);
  });

  it('reads the checkpoint once for all who begin to wait meanwhile, and at once', async () => {
    const reads: ((position: ReadPosition) => void)[] = [];
    // No poll comes within this test: nothing but a read of their own can tell them.
    const progress = pollProgress(() => new Promise((resolve) => reads.push(resolve)), 1_500);
    const first = progress.reached(1, 10_000);
    const others = Array.from({ length: 100 }, () => progress.reached(2, 10_000));
    expect(reads).to.have.length(1);
    reads[0]?.(at(1));
    expect(await first).to.equal(true);
    await turn();
    expect(reads).to.have.length(2);
    reads[1]?.(at(2));
    expect(await Promise.all(others)).to.not.include(false);
    expect(reads).to.have.length(2);
  });

  it('keeps no read that has ended, in time or not', async () => {
    const progress = new Progress();
    const reached = progress.reached(1, 10_000);
    expect(progress.awaited).to.equal(true);
    progress.set(1);
    expect([await reached, progress.awaited]).to.deep.equal([true, false]);
    expect([await progress.reached(2, 1), progress.awaited]).to.deep.equal([false, false]);
  });

  it('pauses once between two polls, however many reads wait', async () => {
    const pauseMs = 1_234;
    let pauses = 0;
    const { setTimeout } = globalThis;
    globalThis.setTimeout = ((work: () => void, delayMs?: number) => {
      if (delayMs === pauseMs) pauses += 1;
      return setTimeout(work, delayMs);
    }) as typeof setTimeout;
    try {
      let seq = 1;
      const progress = pollProgress(() => Promise.resolve(at(seq)), pauseMs);
      const waiting = [2, 2, 2].map((awaited) => progress.reached(awaited, 10_000));
      for (let n = 0; n < 3; n += 1) await turn();
      seq = 2;
      await progress.newest();
      expect(await Promise.all(waiting)).to.deep.equal([true, true, true]);
    } finally {
      globalThis.setTimeout = setTimeout;
    }
    expect(pauses).to.equal(1);
  });
});
