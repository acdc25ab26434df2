import { expect } from 'chai';
import fc from 'fast-check';
import { Account, Position } from '../../src/state/account.ts';
import { PositionIndex } from '../../src/state/position-index.ts';

const account = (number: number): Account => new Account(number, `account ${number}`, 0, 0, null);

describe('PositionIndex', () => {
  it('finds what a map finds, whatever the numbers of the accounts', () => {
    const numbers = fc.uniqueArray(fc.oneof(fc.nat(100), fc.nat(10_000_000)), { maxLength: 300 });
    fc.assert(
      fc.property(numbers, numbers, (added, asked) => {
        const index = new PositionIndex();
        const map = new Map<number, Position>();
        for (const number of added) {
          const position = new Position(account(number), 'm');
          index.add(position);
          map.set(number, position);
        }
        expect(index.list).to.deep.equal([...map.values()]);
        for (const position of map.values()) expect(index.find(position.account)).to.equal(position);
        for (const number of asked.filter((each) => !map.has(each))) expect(index.find(account(number))).to.equal(null);
      }),
      { seed: 23, numRuns: 100 },
    );
  });
});
