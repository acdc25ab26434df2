import { ApiError } from '@paper/contracts';
import { expect } from 'chai';
import { decodeCursor, encodeCursor } from '../src/queries/cursor.ts';

describe('cursor', () => {
  it('comes back as what was put in', () => {
    expect(decodeCursor('orders', encodeCursor('orders', ['live', 12]))).to.deep.equal(['live', 12]);
  });

  const good = encodeCursor('markets', [12]);
  const cases: [string, string][] = [
    ['of another list', encodeCursor('orders', [12])],
    ['with another key and the old checksum', encodeCursor('markets', [13]).slice(0, -8) + good.slice(-8)],
    ['cut short', good.slice(0, -1)],
    ['that is empty', ''],
    ['that is only a checksum', good.slice(-8)],
    ['of any characters', '💥'.repeat(20)],
  ];
  for (const [name, cursor] of cases) {
    it(`is refused: one ${name}`, () => {
      expect(() => decodeCursor('markets', cursor))
        .to.throw(ApiError, /^validation failure: cursor: /)
        .that.has.property('code', 'validation_failed');
    });
  }
});
