import { randomBytes } from 'node:crypto';
import { hashKey } from '@paper/service-kit';
import { newId } from '@paper/command-side';

/** A key that is made now. Only its hash goes into the journal; the raw key is shown once and kept nowhere. */
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
