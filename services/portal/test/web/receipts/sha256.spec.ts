import { createHash as createNodeHash } from 'node:crypto';
import { expect } from 'chai';
import { createHash } from '../../../web/data/receipts/sha256.ts';

describe('the SHA-256 of the browser bundle', () => {
  it('gives what Node gives, in one piece and in several, of texts, bytes and hex digits', () => {
    for (const text of ['', 'abc', 'ä€😀', 'x'.repeat(10_000)]) {
      const expected = createNodeHash('sha256').update(text).digest('hex');
      expect(createHash('sha256').update(text).digest('hex')).to.equal(expected);
      expect(Buffer.from(createHash('sha256').update(Buffer.from(text)).digest()).toString('hex')).to.equal(expected);
      const chained = createNodeHash('sha256').update(expected, 'hex').update(text).digest('hex');
      expect(createHash('sha256').update(expected, 'hex').update(text).digest('hex')).to.equal(chained);
    }
  });
});
