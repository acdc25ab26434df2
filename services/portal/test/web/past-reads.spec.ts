import { until } from '@paper/testkit';
import { expect } from 'chai';
import { LatestOnly } from '../../web/pages/market/latest-only.ts';
import { PastReads } from '../../web/pages/market/past-reads.ts';

/** Reads that are answered by the test. */
class HeldReads {
  readonly asked: {
    readonly seq: number;
    readonly signal: AbortSignal;
    readonly answer: (state: string) => void;
    readonly fail: (error: Error) => void;
  }[] = [];

  readonly read = (seq: number, signal: AbortSignal): Promise<string> =>
    new Promise((answer, fail) => this.asked.push({ answer, fail, seq, signal }));
}

function slider(held: HeldReads) {
  const shown: string[] = [];
  const failed: string[] = [];
  const reads = new PastReads({
    read: held.read,
    settleMs: 0,
    onShow: (seq, state) => shown.push(`${seq} ${state}`),
    onFail: (seq, error) => failed.push(`${seq} ${(error as Error).message}`),
  });
  return { failed, reads, shown };
}

describe("the time slider's requests", () => {
  it('given a request under way, when the slider moves on, then it is aborted and its answer is not shown', async () => {
    const held = new HeldReads();
    const { reads, shown } = slider(held);
    const first = reads.show(1);
    await until('the first is asked', () => held.asked.length === 1);
    const second = reads.show(2);
    expect(held.asked[0]?.signal.aborted).to.equal(true);
    held.asked[0]?.answer('late');
    await first;
    await until('the second is asked', () => held.asked.length === 2);
    held.asked[1]?.answer('now');
    await second;
    expect(shown).to.deep.equal(['2 now']);
  });

  it('given steps that the slider leaves before it rests, then they are never read', async () => {
    const held = new HeldReads();
    const { reads, shown } = slider(held);
    const all = [1, 2, 3, 4].map((seq) => reads.show(seq));
    await until('one is asked', () => held.asked.length > 0);
    held.asked[0]?.answer('state');
    await Promise.all(all);
    expect(held.asked.map(({ seq }) => seq)).to.deep.equal([4]);
    expect(shown).to.deep.equal(['4 state']);
  });

  it('given a step that was read, when the slider comes back, then it is shown without a request', async () => {
    const held = new HeldReads();
    const { reads, shown } = slider(held);
    const first = reads.show(7);
    await until('it is asked', () => held.asked.length === 1);
    held.asked[0]?.answer('seven');
    await first;
    await reads.show(7);
    expect(shown).to.deep.equal(['7 seven', '7 seven']);
    expect(held.asked).to.have.length(1);
  });

  it('given a request that fails, then the failure is reported once, and the next show asks again', async () => {
    const held = new HeldReads();
    const { failed, reads } = slider(held);
    const first = reads.show(3);
    await until('it is asked', () => held.asked.length === 1);
    held.asked[0]?.fail(new Error('no connection'));
    await first;
    expect(failed).to.deep.equal(['3 no connection']);
    void reads.show(3);
    await until('it is asked again', () => held.asked.length === 2);
  });

  it('given a request under way, when the slider stops, then neither answer nor failure is shown', async () => {
    const held = new HeldReads();
    const { failed, reads, shown } = slider(held);
    const first = reads.show(3);
    await until('it is asked', () => held.asked.length === 1);
    reads.stop();
    held.asked[0]?.fail(new Error('aborted'));
    await first;
    expect([shown, failed]).to.deep.equal([[], []]);
  });

  it('given 61 steps, then the oldest is read again', async () => {
    const asked: number[] = [];
    const reads = new PastReads({
      read: async (seq) => asked.push(seq),
      settleMs: 0,
      onShow: () => undefined,
      onFail: () => undefined,
    });
    for (let seq = 1; seq <= 61; seq += 1) await reads.show(seq);
    await reads.show(61);
    await reads.show(1);
    expect(asked.slice(60)).to.deep.equal([61, 1]);
  });
});

describe('one request at a time', () => {
  it('given the newest request fails, then its error is thrown', async () => {
    const latest = new LatestOnly();
    const thrown = await latest.run(() => Promise.reject(new Error('refused'))).catch((error: unknown) => error);
    expect(thrown).to.have.property('message', 'refused');
  });

  it('given an overtaken request that ignores its signal, then its value is dropped', async () => {
    const latest = new LatestOnly();
    let answer: (value: string) => void = () => undefined;
    const first = latest.run(() => new Promise<string>((resolve) => (answer = resolve)));
    const second = latest.run(() => Promise.resolve('second'));
    answer('first');
    expect(await first).to.equal(null);
    expect(await second).to.deep.equal({ value: 'second' });
  });
});
