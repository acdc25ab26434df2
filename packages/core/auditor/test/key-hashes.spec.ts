import { createRandom } from '@paper/testkit';
import { expect } from 'chai';
import { KeyHashes } from '../src/verify/rows/key-hashes.ts';

describe('the hashes of the keys of rows', () => {
  it('finds every key that was added, also when more are added later, and hardly any other', () => {
    const random = createRandom(6_002);
    const hashes = new KeyHashes();
    const keys = Array.from({ length: 20_000 }, () => `${random.hex(8)} ${random.int(1, 500)}`);
    for (const half of [keys.slice(0, 10_000), keys.slice(10_000)]) {
      for (const key of half) hashes.add(key);
      expect(half.every((key) => hashes.mayHave(key))).to.equal(true);
    }
    expect(hashes.count).to.equal(20_000);
    const strangers = Array.from({ length: 20_000 }, (_, n) => `stranger ${n}`);
    expect(strangers.filter((key) => hashes.mayHave(key)).length).to.be.at.most(3);
  });

  it('finds no key while it is empty', () => {
    expect(new KeyHashes().mayHave('')).to.equal(false);
  });
});
