import { createHash } from 'node:crypto';

/** Random bytes that a display name is hashed with. */
export const NAME_SALT_BYTES = 32;

/**
 * What stands in the journal for a display name: SHA-256 (hex) over the salt's bytes and the name's UTF-8 bytes. Who
 * has neither salt nor name learns nothing from it, also where they guess names; so it tells nothing once both are gone.
 */
export function nameDigest(salt: Uint8Array, name: string): string {
  return createHash('sha256').update(salt).update(name).digest('hex');
}

const NO_SALT = new Uint8Array(0);

/** The digest of a name that is in the public text of its event, and so was never hidden by a salt. */
export function publicNameDigest(name: string): string {
  return nameDigest(NO_SALT, name);
}
