import { canonicalJson } from '@paper/journal';
import type { Head } from '@paper/journal';
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { SHA256 } from '../events/formats/values.ts';

/** A journal's head, to be stored elsewhere: a journal that is rewritten later no longer contains it. */
export interface UnsignedHead {
  readonly at: string;
  readonly hash: string;
  readonly seq: number;
  readonly shard: string;
}

/** The signature covers the RFC 8785 text of all other fields. */
export interface SignedHead extends UnsignedHead {
  /** The Ed25519 public key, as base64 of its SubjectPublicKeyInfo in DER. */
  readonly publicKey: string;
  readonly signature: string;
}

const signedText = ({ at, hash, publicKey, seq, shard }: Omit<SignedHead, 'signature'>): string =>
  canonicalJson({ at, hash, publicKey, seq, shard });

/** @param privateKey Ed25519, as PKCS#8 in PEM. @throws Error for another kind of key. */
export function signHead(head: UnsignedHead, privateKey: string): SignedHead {
  const key = createPrivateKey(privateKey);
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new Error(
      `The signing key is ${key.asymmetricKeyType ?? 'unknown'}; an Ed25519 key in PEM (PKCS#8) is needed.`,
    );
  }
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64');
  const signature = sign(null, Buffer.from(signedText({ ...head, publicKey })), key).toString('base64');
  return { ...head, publicKey, signature };
}

/** Whether the signature was made with the key that the head contains. The caller must check whose key that is. */
export function isSigned(head: SignedHead): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(head.publicKey, 'base64'), format: 'der', type: 'spki' });
    if (key.asymmetricKeyType !== 'ed25519') return false;
    return verify(null, Buffer.from(signedText(head)), key, Buffer.from(head.signature, 'base64'));
  } catch {
    return false;
  }
}

const FIELDS = {
  at: 'string',
  hash: 'string',
  publicKey: 'string',
  seq: 'number',
  shard: 'string',
  signature: 'string',
};

/** Reads a head as `audit head` prints it, signed or not. @throws Error that describes its first fault. */
export function parseHead(text: string): SignedHead | UnsignedHead {
  const head = JSON.parse(text) as Record<string, unknown>;
  const isSignedHead = head['signature'] !== undefined || head['publicKey'] !== undefined;
  for (const [name, type] of Object.entries(FIELDS)) {
    if (!isSignedHead && (name === 'signature' || name === 'publicKey')) continue;
    if (typeof head[name] !== type) throw new Error(`a head has ${name} as a ${type}, this one ${String(head[name])}`);
  }
  if (!Number.isSafeInteger(head['seq']) || !SHA256.test(String(head['hash']))) {
    throw new Error('a head has a whole number as seq and 64 hex digits as hash');
  }
  return head as unknown as SignedHead | UnsignedHead;
}

export const unsignedHead = ({ hash, seq }: Head, shard: string, nowMs: number): UnsignedHead => ({
  at: new Date(nowMs).toISOString(),
  hash,
  seq,
  shard,
});
