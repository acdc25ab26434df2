import { randomBytes } from 'node:crypto';
import { newId } from '@paper/command-side';
import { hashKey } from '@paper/http';

/** A new key. Only its hash is stored in the journal; the raw key is returned once. */
export interface FreshKey {
  readonly rawKey: string;
  readonly keyHash: string;
  readonly keyId: string;
  readonly last4: string;
}

export function newKey(): FreshKey {
  const rawKey = `svc_live_${randomBytes(32).toString('base64url')}`;
  return { keyHash: hashKey(rawKey), keyId: newId(), last4: rawKey.slice(-4), rawKey };
}
