import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/** Replaces `node:crypto` for verify-journal.mjs: crypto.subtle is asynchronous and needs a secure context. */
export function createHash(algorithm: string): Hash {
  if (algorithm !== 'sha256') throw new Error(`${algorithm} is not available here`);
  const state = sha256.create();
  const hash: Hash = {
    update(data, encoding) {
      if (typeof data !== 'string') state.update(data);
      else state.update(encoding === 'hex' ? hexToBytes(data) : utf8ToBytes(data));
      return hash;
    },
    digest: ((encoding?: 'hex') => {
      const bytes = state.digest();
      return encoding === 'hex' ? bytesToHex(bytes) : bytes;
    }) as Hash['digest'],
  };
  return hash;
}

interface Hash {
  update(data: string | Uint8Array, encoding?: 'hex'): Hash;
  digest(): Uint8Array;
  digest(encoding: 'hex'): string;
}
