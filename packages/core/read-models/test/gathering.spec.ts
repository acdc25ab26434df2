import { expect } from 'chai';
import { Gathering } from '../src/engine/gathering.ts';

/** Longer than any test. */
const LONG_MS = 600_000;

describe('gathering', () => {
  /** A gathering whose last transaction began just now. */
  const busy = (intervalMs: number): Gathering => {
    const gathering = new Gathering(intervalMs);
    gathering.begin();
    return gathering;
  };
  const never = (): void => expect.fail('called');

  it('lets the first transaction begin at once, and the next one only later', () => {
    const gathering = new Gathering(LONG_MS);
    expect(gathering.isDue(1, never)).to.equal(true);
    gathering.begin();
    expect(gathering.isDue(2, never)).to.equal(false);
    gathering.stop();
  });

  it('calls back when the interval is over', async () => {
    const gathering = busy(1);
    for (;;) {
      const isDue = await new Promise<boolean>((resolve) => {
        if (gathering.isDue(2, () => resolve(false))) resolve(true);
      });
      if (isDue) return;
    }
  });

  it('ends for a read that waits for a gathered event, and for no other', () => {
    const gathering = busy(LONG_MS);
    let calls = 0;
    expect(gathering.isDue(5, () => (calls += 1))).to.equal(false);
    gathering.hurry(4);
    expect(calls).to.equal(1);
    expect(gathering.isDue(5, () => (calls += 1))).to.equal(false);
    gathering.hurry(5);
    expect(calls).to.equal(2);
    expect(gathering.isDue(5, never)).to.equal(true);
    gathering.begin();
    expect(gathering.isDue(6, never)).to.equal(false);
    gathering.stop();
  });

  it('lets the event begin a transaction that a read waits for already', () => {
    const gathering = busy(LONG_MS);
    gathering.hurry(7);
    expect(gathering.isDue(7, never)).to.equal(true);
  });

  it('ends for a read whose sequence is not known yet, where events are gathered', () => {
    const gathering = busy(LONG_MS);
    gathering.hurry();
    let calls = 0;
    expect(gathering.isDue(5, () => (calls += 1))).to.equal(false);
    gathering.hurry();
    expect([calls, gathering.isDue(5, never)]).to.deep.equal([1, true]);
  });
});
