import { newId, newKey as newRawKey } from '@paper/command-side';
import { hashKey } from '@paper/http';

/** A new key. Only its hash is stored in the journal; the raw key is returned once. */
export interface FreshKey {
  readonly rawKey: string;
  readonly keyHash: string;
  readonly keyId: string;
  readonly last4: string;
}

export function newKey(): FreshKey {
  const { given, known } = newRawKey();
  return { keyHash: hashKey(known), keyId: newId(), last4: known.slice(-4), rawKey: given };
}
