import { expect } from 'chai';
import { newId, newSalt } from '../src/random.ts';

describe('ids and salts', () => {
  it('never come twice, also beyond one filling of the pool', () => {
    const made = Array.from({ length: 5_000 }, () => [newId(), newSalt()]).flat();
    expect(new Set(made).size).to.equal(made.length);
  });

  it('are UUIDs of version 7 of this moment, and 32 hex digits', () => {
    const before = Date.now();
    const id = newId();
    expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).to.be.within(before, Date.now());
    expect(newSalt()).to.match(/^[0-9a-f]{32}$/);
  });
});
