import { expect } from 'chai';
import { iso } from '../src/units.ts';

describe('timestamps', () => {
  it('are those of Date, within a second and from one to another', () => {
    const times = [0, 1, 999, 1000, 999, -1, -1000, 1_763_900_000_123, 1_763_900_000_123, 253_402_300_799_999];
    for (const ms of [...times, 253_402_300_800_000, -62_167_219_200_001, 8_640_000_000_000_000]) {
      expect(iso(ms)).to.equal(new Date(ms).toISOString());
    }
  });

  it('are refused beyond the range of Date, also after one within it', () => {
    iso(0);
    for (const ms of [Number.NaN, Infinity, 8_640_000_000_001_000]) expect(() => iso(ms)).to.throw(RangeError);
    expect(iso(5)).to.equal('1970-01-01T00:00:00.005Z');
  });
});
