import { createHash } from 'node:crypto';

/**
 * The journal's digest of a display name: SHA-256 (hex) over the salt's bytes and the name's UTF-8 bytes. Once salt and
 * name are erased, it reveals nothing, not even to a reader who guesses names.
 */
export function nameDigest(salt: Uint8Array, name: string): string {
  return createHash('sha256').update(salt).update(name).digest('hex');
}

const NO_SALT = new Uint8Array(0);

/** The digest of a name that is in the public text of its event, which no salt needs to hide. */
export function publicNameDigest(name: string): string {
  return nameDigest(NO_SALT, name);
}
