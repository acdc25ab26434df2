import { createRandom } from '@paper/testkit';
import { expect } from 'chai';
import { snappyCompress as referenceCompress } from 'hyparquet-writer/src/snappy.js';
import { snappyCompress } from '../src/snappy.ts';

const random = createRandom(31);

/** Bytes below `values`: the fewer values, the more repeats. */
const bytes = (size: number, values: number): Uint8Array =>
  Uint8Array.from({ length: size }, () => random.int(0, values - 1));

function expectSame(input: Uint8Array): void {
  expect(Buffer.from(snappyCompress(input)).equals(referenceCompress(input)), `${input.length} bytes`).to.equal(true);
}

describe('Snappy', () => {
  it('compresses short inputs as hyparquet does, to the byte', () => {
    for (let size = 0; size < 300; size += 1) for (const values of [1, 2, 5, 20, 256]) expectSame(bytes(size, values));
  });

  it('compresses long literals, long copies and copies from far away as hyparquet does, to the byte', () => {
    const far = bytes(60_000, 256);
    for (const input of [bytes(100_000, 256), bytes(100_000, 1), bytes(100_000, 3)]) expectSame(input);
    for (const gap of [3_000, 10_000]) expectSame(Buffer.concat([far, bytes(gap, 256), far]));
  });
});
