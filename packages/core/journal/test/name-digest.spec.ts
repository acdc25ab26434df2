import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { nameDigest, publicNameDigest } from '../src/name-digest.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('the digest of a display name', () => {
  it('is SHA-256 over the salt and then the name; of a name that was public, over the name alone', () => {
    const salt = Buffer.alloc(32, 7);
    expect(salt.length).to.equal(32);
    expect(nameDigest(salt, 'Zoë')).to.equal(sha256(Buffer.concat([salt, Buffer.from('Zoë')])));
    expect(publicNameDigest('Zoë')).to.equal(sha256(Buffer.from('Zoë')));
  });
});
