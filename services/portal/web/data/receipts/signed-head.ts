import { hashes, verify } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { canonical } from '@paper/client-files/verify-journal';
import { InvalidFile, isHash, isObject, isSequence, parseJson } from './receipt.ts';

// The library would use crypto.subtle, which does not exist in a page without a secure context.
hashes.sha512 = sha512;

/** The last event of a journal, signed, as `npm run audit -- head --sign` prints it (docs/prove/audit.md). */
export interface SignedHead {
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly hash: string;
  readonly seq: number;
  readonly shard: string;
  /** Ed25519: base64 of its SubjectPublicKeyInfo in DER. */
  readonly publicKey: string;
  readonly signature: string;
}

/** The DER prefix of an Ed25519 public key, before its 32 bytes. */
const KEY_PREFIX = '302a300506032b6570032100';

/** Reads a signed head and checks its signature, but not who owns the key. Throws InvalidFile. */
export function readSignedHead(text: string): SignedHead {
  const head = parseSignedHead(text);
  const { signature, ...signed } = head;
  const key = fromBase64(head.publicKey);
  const message = new TextEncoder().encode(canonical(signed));
  const isKey = key?.length === 44 && hex(key.subarray(0, 12)) === KEY_PREFIX;
  const bytes = fromBase64(signature);
  const isGood = isKey && bytes?.length === 64 && isSignedBy(key.subarray(12), message, bytes);
  if (!isGood) {
    throw new InvalidFile(
      'The signature of this head does not fit its fields: it was changed, or made with another key.',
    );
  }
  return head;
}

function parseSignedHead(text: string): SignedHead {
  const head = parseJson(text);
  if (!isObject(head)) throw new InvalidFile('This is no signed head: it must be one JSON object.');
  const { at, hash, seq, shard, publicKey, signature } = head;
  if (signature === undefined || publicKey === undefined) {
    throw new InvalidFile('This head is not signed: ask for one that `npm run audit -- head --sign` prints.');
  }
  if (typeof at !== 'string' || typeof shard !== 'string') {
    throw new InvalidFile('A signed head has at and shard as texts.');
  }
  if (!isSequence(seq)) throw new InvalidFile('A signed head has seq as a whole number from 1 on.');
  if (!isHash(hash)) throw new InvalidFile('A signed head has hash as 64 hex digits in lower case.');
  if (typeof publicKey !== 'string' || typeof signature !== 'string') {
    throw new InvalidFile('A signed head has publicKey and signature in base64.');
  }
  return { at, hash, seq, shard, publicKey, signature };
}

function isSignedBy(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    // The strict rule of RFC 8032, as in Node: two programs must not judge a signature differently.
    return verify(signature, message, key, { zip215: false });
  } catch {
    return false;
  }
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
