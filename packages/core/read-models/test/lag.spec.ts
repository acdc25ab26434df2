import { MINUTE_MS } from '@paper/contracts/units';
import { expect } from 'chai';
import { lagBehind, toProjectionReport } from '../src/serving/lag.ts';

describe('the lag of a projection', () => {
  const atMs = (): number => Date.now() - MINUTE_MS;

  it('counts the events after it, and the time since its last one', () => {
    const { lagMs, ...lag } = lagBehind(10, { name: 'main', seq: 9, atMs: atMs() });
    expect(lag).to.deep.equal({ name: 'main', seq: 9, lagEvents: 1 });
    expect(lagMs).to.be.within(MINUTE_MS, 2 * MINUTE_MS);
  });

  it('is none at the end of the journal, or where it has passed a head that was read before', () => {
    for (const headSeq of [9, 8]) {
      expect(lagBehind(headSeq, { name: 'main', seq: 9, atMs: atMs() })).to.include({ lagEvents: 0, lagMs: 0 });
    }
  });

  it('has no time before the first event, nor where the time of the last one is to come', () => {
    for (const [seq, time] of [
      [0, 0],
      [5, Date.now() + MINUTE_MS],
    ] as const) {
      expect(lagBehind(7, { name: 'main', seq, atMs: time })).to.include({ lagEvents: 7 - seq, lagMs: 0 });
    }
  });

  it('is reported with the reason why nothing is read, where there is one', () => {
    const lag = lagBehind(9, { name: 'main', seq: 9, atMs: atMs() });
    expect(toProjectionReport(lag, null)).to.deep.equal({ ...lag, problem: null });
    const divergence = { kind: 'journal_ends_before', schema: 'read_1', seq: 9, headSeq: 8 } as const;
    expect(toProjectionReport(lag, divergence).problem).to.match(
      /^the journal ends at sequence 8, before the read models/,
    );
  });
});
