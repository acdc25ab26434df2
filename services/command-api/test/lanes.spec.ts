import { expect } from 'chai';
import { Lanes } from '../src/writer/lanes.ts';

const drain = (lanes: Lanes<{ name: string }>): string[] => {
  const names: string[] = [];
  for (let item = lanes.shift(); item !== undefined; item = lanes.shift()) names.push(item.name);
  return names;
};
const item = (name: string) => ({ name });

describe('lanes', () => {
  it('takes turns between lanes, and keeps the order inside one', () => {
    const lanes = new Lanes<{ name: string }>();
    for (const name of ['a1', 'a2', 'a3', 'a4']) lanes.push('a', item(name));
    for (const name of ['b1', 'b2']) lanes.push('b', item(name));
    lanes.push('c', item('c1'));
    expect(lanes.depth).to.equal(7);
    expect(drain(lanes)).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
    expect(lanes.depth).to.equal(0);
  });

  it('drops from the front of a lane what is over, and nothing else', () => {
    const lanes = new Lanes<{ name: string }>();
    for (const name of ['old', 'older', 'new', 'old']) lanes.push('a', item(name));
    lanes.push('b', item('b'));
    lanes.dropWhile('a', ({ name }) => name !== 'new');
    expect([lanes.depth, lanes.depthOf('a')]).to.deep.equal([3, 2]);
    expect(drain(lanes)).to.deep.equal(['new', 'b', 'old']);
  });

  it('gives a lane that was emptied by a drop no second turn', () => {
    const lanes = new Lanes<{ name: string }>();
    lanes.push('a', item('a1'));
    lanes.push('b', item('b1'));
    lanes.dropWhile('a', () => true);
    for (const name of ['a2', 'a3']) lanes.push('a', item(name));
    lanes.push('b', item('b2'));
    lanes.push('b', item('b3'));
    expect(drain(lanes)).to.deep.equal(['a2', 'b1', 'a3', 'b2', 'b3']);
  });

  it('keeps its order through a long life', () => {
    const lanes = new Lanes<{ name: string }>();
    const seen: string[] = [];
    for (let n = 0; n < 1_000; n += 1) {
      lanes.push('a', item(`${n}a`));
      lanes.push('a', item(`${n}b`));
      seen.push(lanes.shift()?.name ?? '');
    }
    seen.push(...drain(lanes));
    expect(seen).to.deep.equal(Array.from({ length: 1_000 }, (_, n) => [`${n}a`, `${n}b`]).flat());
  });
});
