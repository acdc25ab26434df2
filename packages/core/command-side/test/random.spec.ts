import { expect } from 'chai';
import { newId, newKey, newSalt, systemIds, useRandomness } from '../src/random.ts';

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

  it('come from another source where a process has one, until it is taken away', () => {
    const key = { given: 'given', known: 'known' };
    useRandomness({ newId: () => 'an id', newKey: () => key, newSalt: () => 'a salt' });
    try {
      expect([newId(), newSalt(), newKey()]).to.deep.equal(['an id', 'a salt', key]);
      expect([systemIds.newId(), systemIds.newSalt()]).to.deep.equal(['an id', 'a salt']);
    } finally {
      useRandomness(null);
    }
    const { given, known } = newKey();
    expect(given)
      .to.match(/^svc_live_[A-Za-z0-9_-]{43}$/)
      .and.to.equal(known);
  });
});
