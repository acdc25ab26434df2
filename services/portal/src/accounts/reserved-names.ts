import { ApiError } from '@paper/contracts';
import unhomoglyph from 'unhomoglyph';

/** Words in the names of the exchange's own accounts and of its operators. */
const RESERVED = ['house', 'demo', 'operator', 'admin', 'administrator', 'moderator', 'official', 'support', 'system'];

/** Digits and signs that are read as letters. */
const READ_AS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'l',
  '|': 'l',
};

/**
 * A form in which two names that look alike are equal: without accents and case, with look-alike letters mapped to one.
 */
function skeletonOf(text: string): string {
  const plain = (one: string): string => one.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const letters = plain(unhomoglyph(plain(text)));
  const read = Array.from(letters, (letter) => READ_AS[letter] ?? letter).join('');
  // A small L is read as a capital i. Unicode's table reads m as rn.
  return read.replaceAll('i', 'l').replaceAll('rn', 'm');
}

const SKELETONS = RESERVED.map(skeletonOf);

/**
 * Whether the name reads as one of the exchange's own: it contains a reserved word, however it is written or spaced.
 */
export function isReservedName(name: string): boolean {
  const skeleton = skeletonOf(name);
  const words = skeleton.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  // Digits at the end of a word are ignored: "House2".
  const bare = words.map((word, index) => withoutNumber(name, word, index));
  if (bare.some((word) => SKELETONS.includes(word))) return true;
  // "Hou-se", then "H o u s e 2".
  const joined = words.join('');
  const spelled = words.map((word) => (Array.from(word).length === 1 ? word : ' ')).join('');
  return SKELETONS.some((reserved) => joined === reserved || spelled.includes(reserved));
}

/** A word of the skeleton without the digits that its original ends with. */
function withoutNumber(name: string, word: string, index: number): string {
  const original = name.split(/[^\p{L}\p{N}@$!|]+/u).filter((one) => one !== '')[index] ?? '';
  const digits = /\p{N}+$/u.exec(original)?.[0].length ?? 0;
  return digits === 0 || digits >= word.length ? word : word.slice(0, -digits);
}

/** @throws ApiError validation_failed for a display name that people would take for one of the exchange's own. */
export function assertNotReserved(displayName: string): void {
  if (!isReservedName(displayName)) return;
  throw new ApiError(
    'validation_failed',
    "validation failure: displayName: reads like a name of the exchange's own accounts; choose another",
  );
}
