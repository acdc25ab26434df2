import { createRandom } from '@paper/testkit';
import { expect } from 'chai';
import { CommandIds } from '../src/verify/ids/command-ids.ts';

describe('the ids of commands that were decided', () => {
  it('finds each command that was added, with its sequence, and no other', () => {
    const random = createRandom(6_001);
    const ids = new CommandIds();
    const added = new Map<string, number>();
    for (let seq = 1; seq <= 50_000; seq += 1) {
      // Many UUIDs share one millisecond, and some have leading zeros.
      const uuid = random.uuid(1_790_000_000_000 + Math.floor(seq / 100));
      const id = random.chance(0.1) ? `00000000-0000-0000-0000-${uuid.slice(24)}` : uuid;
      const key = id.slice(0, -3);
      expect(ids.add(id, seq, 1)).to.equal(added.get(key) ?? null);
      if (!added.has(key)) added.set(key, seq);
    }
    for (const [key, seq] of added) expect(ids.add(`${key}abc`, 99_999, 1)).to.equal(seq);
    expect(added.size).to.be.at.least(49_000);
  });

  it('distinguishes ids that differ in a single digit', () => {
    const ids = new CommandIds();
    const base = '01900000-0000-7000-8000-000000000000';
    expect(ids.add(base, 1, 1)).to.equal(null);
    for (let at = 0; at < 33; at += 1) {
      if (base[at] === '-') continue;
      const other = `${base.slice(0, at)}f${base.slice(at + 1)}`;
      expect(ids.add(other, at + 2, 1), other).to.equal(null);
      expect(ids.add(other, 1_000, 1), other).to.equal(at + 2);
    }
  });
});
