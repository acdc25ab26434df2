import { expect } from 'chai';
import { eventually } from '@paper/testkit';
import { watchLiveLoad } from '../../src/host/live-load.ts';

describe('the load of the live exchange', () => {
  /** A journal that grows by so many events a second. */
  const journalOf = (perSecond: number) => (): number => (performance.now() / 1_000) * perSecond;

  it('is told when it begins, and when it ends', async () => {
    let journalSeq: () => number = journalOf(20);
    let looks = 0;
    const told: boolean[] = [];
    const load = watchLiveLoad({
      hasBacktests: () => true,
      journalSeq: () => {
        looks += 1;
        return journalSeq();
      },
      onChange: (isBusy) => void told.push(isBusy),
    });
    try {
      await eventually('several looks at a trickle', () => looks > 3);
      expect([told, load.isBusy()]).to.deep.equal([[], false]);
      journalSeq = journalOf(2_000);
      await eventually('busy', () => load.isBusy());
      journalSeq = () => 1e9;
      await eventually('idle', () => told.length === 2);
      expect([told, load.isBusy()]).to.deep.equal([[true, false], false]);
    } finally {
      load.stop();
    }
  });

  it('is seen by a slow database too, which answers several looks at once', async () => {
    const told: boolean[] = [];
    let pending: Promise<number> | null = null;
    let release = (): void => undefined;
    let answers = 0;
    const load = watchLiveLoad({
      hasBacktests: () => true,
      journalSeq: () => {
        pending ??= new Promise((resolve) => {
          release = () => {
            pending = null;
            resolve(journalOf(2_000)());
          };
        });
        return pending;
      },
      onChange: (isBusy) => void told.push(isBusy),
    });
    try {
      await eventually('some looks later, an answer', () => {
        answers += 1;
        // Several looks are due between two answers.
        if (answers % 12 === 0) release();
        return told.length > 0 && answers > 60;
      });
      expect(told).to.deep.equal([true]);
    } finally {
      load.stop();
    }
  });

  it('is not looked at without backtests, and is as before while it cannot be read', async () => {
    let hasBacktests = true;
    let asked = 0;
    let journalSeq: () => number | Promise<number> = journalOf(2_000);
    const load = watchLiveLoad({
      hasBacktests: () => {
        asked += 1;
        return hasBacktests;
      },
      journalSeq: () => journalSeq(),
      onChange: () => undefined,
    });
    try {
      await eventually('busy', () => load.isBusy());
      let failed = 0;
      journalSeq = async () => {
        failed += 1;
        throw new Error('the database is away');
      };
      await eventually('looks that failed', () => failed > 2);
      expect(load.isBusy()).to.equal(true);
      hasBacktests = false;
      await eventually('idle', () => !load.isBusy());
      const [failedBefore, askedBefore] = [failed, asked];
      await eventually('further looks', () => asked > askedBefore + 2);
      expect(failed).to.equal(failedBefore);
    } finally {
      load.stop();
    }
  });
});
