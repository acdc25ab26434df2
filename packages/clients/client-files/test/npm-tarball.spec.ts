import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { tarGzip } from '../src/npm-tarball.ts';

const BLOCK = 512;

describe('a packed archive', () => {
  it('ends with two blocks of zeros, without which npm refuses it, also after a full record', () => {
    // A record has 20 blocks, and the header of the file takes one.
    for (const blocks of [1, 17, 18, 19, 20, 39]) {
      const size = blocks * BLOCK;
      const archive = gunzipSync(tarGzip([{ name: 'package/a', data: 'x'.repeat(size) }]));
      const end = archive.subarray(BLOCK + size);
      expect(end.length, `${blocks} blocks`).to.be.at.least(2 * BLOCK);
      expect(end.every((byte) => byte === 0)).to.equal(true);
    }
  });

  it('has the same bytes for the same files', () => {
    const files = [{ name: 'package/a', data: 'a' }];
    expect(tarGzip(files).equals(tarGzip(files))).to.equal(true);
  });
});
