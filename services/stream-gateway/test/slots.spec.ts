import { expect } from 'chai';
import { Slots } from '../src/slots.ts';

describe('slots of replays', () => {
  it('are given to accounts by turns: one with many waiting does not keep another from its next page', async () => {
    const slots = new Slots(1);
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const use = (account: string, name: string, fleet = account): Promise<void> =>
      slots.use({ fleet, account }, () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.push(resolve));
      });
    const all = [
      ...['a1', 'a2', 'a3'].map((name) => use('ann', name)),
      use('sub', 's1', 'ann'),
      use('bob', 'b1'),
      use('bob', 'b2'),
    ];
    for (let n = 0; n < all.length; n += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      ends[n]?.();
    }
    await Promise.all(all);
    expect(begun).to.deep.equal(['a1', 'a2', 'b1', 's1', 'b2', 'a3']);
  });
});
