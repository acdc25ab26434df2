import { expect } from 'chai';
import fc from 'fast-check';
import { utcText } from '../src/text.ts';

const accepts = (text: string): boolean => utcText.safeParse(text).success;
const two = (number: number): string => String(number).padStart(2, '0');

describe('a time in UTC', () => {
  it('is on a day that exists, in any year of four digits', () => {
    const day = fc.tuple(
      fc.integer({ min: 0, max: 9999 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
    );
    const property = fc.property(day, ([year, month, date]) => {
      const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(date)}`;
      const ms = Date.parse(`${text}T00:00:00Z`);
      // Date.parse takes the 31st of each month.
      const exists = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
      expect(accepts(`${text}T23:59:59.5Z`), text).to.equal(exists);
    });
    fc.assert(property, { numRuns: 2000, examples: [[[2000, 2, 29]], [[1900, 2, 29]], [[0, 2, 29]], [[2027, 2, 29]]] });
  });

  it('has seconds, at most three decimals and a Z', () => {
    const given = ['00:00:00Z', '23:59:59.1Z', '23:59:59.12Z', '23:59:59.123Z'];
    for (const time of given) expect(accepts(`2027-01-01T${time}`), time).to.equal(true);
    const refused = ['24:00:00Z', '00:60:00Z', '00:00:60Z', '00:00Z', '00:00:00', '00:00:00z', '00:00:00.Z'];
    refused.push('00:00:00.1234Z', '00:00:00+00:00', '00:00:00Z ', '00:00:00,5Z');
    for (const time of refused) expect(accepts(`2027-01-01T${time}`), time).to.equal(false);
    for (const text of ['', '2027-01-01', '2027-01-01 00:00:00Z', '+002027-01-01T00:00:00Z']) {
      expect(accepts(text), text).to.equal(false);
    }
  });
});
