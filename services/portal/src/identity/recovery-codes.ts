import { createHash, randomInt } from 'node:crypto';

export const RECOVERY_CODES = 10;

/** Crockford's base 32, without letters that look like a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const GROUPS = 4;
const GROUP_LENGTH = 5;

/**
 * Makes a person's recovery codes, each of 100 random bits, as `xxxxx-xxxxx-xxxxx-xxxxx`. So many bits cannot be
 * guessed from a hash, so a plain hash suffices.
 */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, makeCode);
}

/**
 * The stored form of a code: SHA-256 of the code without spaces, dashes and case, with letters that look like a digit
 * replaced by that digit.
 */
export function recoveryCodeDigest(code: string): Buffer {
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return createHash('sha256').update(plain, 'utf8').digest();
}

function makeCode(): string {
  const group = (): string => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}
