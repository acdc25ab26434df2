import { expect } from 'chai';
import fc from 'fast-check';
import { Account, Position } from '../src/account.ts';
import { Places } from '../src/places.ts';

const account = (number: number): Account => new Account(number, `account ${number}`, 0, 0, null);

describe('Places', () => {
  it('finds what a map finds, whatever the numbers of the accounts', () => {
    const numbers = fc.uniqueArray(fc.oneof(fc.nat(100), fc.nat(10_000_000)), { maxLength: 300 });
    fc.assert(
      fc.property(numbers, numbers, (added, asked) => {
        const places = new Places();
        const map = new Map<number, Position>();
        for (const number of added) {
          const place = new Position(account(number), 'm');
          places.add(place);
          map.set(number, place);
        }
        expect(places.list).to.deep.equal([...map.values()]);
        for (const place of map.values()) expect(places.find(place.account)).to.equal(place);
        for (const number of asked.filter((each) => !map.has(each)))
          expect(places.find(account(number))).to.equal(null);
      }),
      { seed: 23, numRuns: 100 },
    );
  });
});
