import { newId, newKey as newRawKey } from '@paper/command-side';
import { hashKey } from '@paper/http';

/** A new key. Only its hash is stored in the journal; the raw key is returned once. */
export function newKey() {
  const { given, known } = newRawKey();
  return { keyHash: hashKey(known), keyId: newId(), last4: known.slice(-4), rawKey: given };
}
