import { FakeClock, meanwhile, turn } from '@paper/testkit';
import { expect } from 'chai';
import { BackOff, pause, retry } from '../src/index.ts';

describe('a back-off', () => {
  it('doubles its pauses up to the longest, and starts anew after a reset', () => {
    const backOff = new BackOff({ firstMs: 100, longestMs: 500 });
    expect([1, 2, 3, 4, 5].map(() => backOff.next())).to.deep.equal([100, 200, 400, 500, 500]);
    expect([backOff.failures, backOff.ms]).to.deep.equal([5, 500]);
    backOff.reset();
    expect([backOff.failures, backOff.ms]).to.deep.equal([0, 100]);
  });
});

describe('a retry', () => {
  /** Work that fails a number of times, with the times of its attempts. */
  const failing = (clock: FakeClock, failures: number) => {
    const atMs: number[] = [];
    const work = async (): Promise<string> => {
      atMs.push(clock.monotonic());
      if (atMs.length <= failures) throw new Error(`failure ${atMs.length}`);
      return 'done';
    };
    return { atMs, work };
  };

  it('repeats the work with growing pauses until it succeeds, and reports each failure', async () => {
    const clock = new FakeClock();
    const { atMs, work } = failing(clock, 3);
    const seen: string[] = [];
    const done = retry(work, { clock, onFailure: (error) => seen.push(String(error)) });
    expect(await meanwhile(clock, done)).to.equal('done');
    expect(atMs).to.deep.equal([0, 100, 300, 700]);
    expect(seen).to.deep.equal(['Error: failure 1', 'Error: failure 2', 'Error: failure 3']);
  });

  it('fails at once with an error that is not temporary', async () => {
    const clock = new FakeClock();
    const { atMs, work } = failing(clock, 3);
    const isTemporary = (error: unknown): boolean => !String(error).includes('failure 2');
    const error: unknown = await meanwhile(clock, retry(work, { clock, isTemporary })).catch(
      (reason: unknown) => reason,
    );
    expect(String(error)).to.equal('Error: failure 2');
    expect(atMs).to.have.length(2);
  });
});

describe('a pause', () => {
  it('ends with its time or with the signal, and leaves no timer', async () => {
    const clock = new FakeClock();
    const stop = new AbortController();
    let ended = 0;
    const done = (): void => void (ended += 1);
    void pause(100, { clock }).then(done);
    void pause(1_000, { clock, signal: stop.signal }).then(done);
    clock.advance(100);
    await turn();
    expect(ended).to.equal(1);
    stop.abort();
    await turn();
    expect([ended, clock.waiting]).to.deep.equal([2, 0]);
    await pause(1_000, { clock, signal: stop.signal });
  });
});
