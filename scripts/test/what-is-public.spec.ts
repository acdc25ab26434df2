import { describedEvents } from '@paper/journal';
import { expect } from 'chai';

describe('the public fields', () => {
  it('has of the newest events no name, no right of a key, and no owner', () => {
    const newest = new Map(describedEvents().map((one) => [one.type, one.publicFields]));
    for (const [type, fields] of newest) {
      for (const field of ['displayName', 'keyHash', 'last4', 'name', 'permissions', 'primaryAccountId']) {
        expect(fields, type).not.to.include(field);
      }
    }
  });
});
