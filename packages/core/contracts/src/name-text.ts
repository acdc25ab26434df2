import { z } from 'zod';
import { codeOf, lengthFault } from './text.ts';

/**
 * Names that people give: display names and names of keys. Two names that look the same should be the same, and no name
 * may change how the text around it is shown. So a name is in Unicode's normalization form C and has no invisible
 * character. Only requests are checked: Unicode's tables grow, while the journal must always decide alike.
 */

/** Blank characters that Unicode calls neither white space nor ignorable: the Braille blank, fillers, a null notehead. */
const BLANKS = '\\u2800\\u{13441}\\u{13442}\\u{16fe4}\\u{1d159}';

/** A visible character: no control, format, private-use or unassigned character, no separator, nothing ignorable. */
const VISIBLE = `[^\\p{C}\\p{Z}\\p{Default_Ignorable_Code_Point}${BLANKS}]`;

/** U+FE0F selects the emoji form of the character before it, so it does not count as a character. */
const WORD = `(?:${VISIBLE}\\ufe0f?)+`;

const NAME = new RegExp(`^${WORD}(?:\\p{Zs}${WORD})*$`, 'u');

const SPACES = '\\u0020\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000';
/** The ranges of characters that no name may have, as far as ranges can express them. */
const REFUSED_RANGES =
  '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ud800-\\udfff';
const PUBLISHED_WORD = `[^${SPACES}${REFUSED_RANGES}]+`;

/** The published pattern. It has no classes of Unicode characters, which Spectral, Python and Go do not read. */
const PUBLISHED_PATTERN = `^${PUBLISHED_WORD}(?:[${SPACES}]${PUBLISHED_WORD})*$`;

/** The rule for all names, as a text. */
export const NAME_RULE =
  'Unicode normalization form C (NFC). No control, format, zero-width, bidirectional, filler, private-use or unassigned characters and no line separators (U+FE0F is allowed after a visible character); no white space at the beginning, at the end, or twice in a row.';

/** A name of `min` to `max` code points. The published pattern accepts every such name, and some others. */
export function nameText(min: number, max: number): z.ZodString {
  return z
    .string()
    .superRefine((name, context) => {
      const message = nameFault(name, min, max);
      if (message !== null) context.addIssue({ code: 'custom', message });
    })
    .meta({ pattern: PUBLISHED_PATTERN, minLength: min, maxLength: max, description: NAME_RULE });
}

function nameFault(name: string, min: number, max: number): string | null {
  const length = lengthFault(name, min, max);
  if (length !== null) return length;
  if (!NAME.test(name)) return characterFault(name);
  const normal = name.normalize('NFC');
  if (name === normal) return null;
  return `must be in Unicode normalization form C (NFC); it is not from character ${firstDifference(name, normal)} on`;
}

/** Kinds of characters that a name must not contain, the most specific first. */
const REFUSED_KINDS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['a control character', /\p{Cc}/u],
  ['a line or paragraph separator', /[\p{Zl}\p{Zp}]/u],
  ['a bidirectional control', /\p{Bidi_Control}/u],
  ['a zero-width character', /[\u200b-\u200d\u2060\ufeff]/u],
  ['a format character', /\p{Cf}/u],
  ['a lone surrogate', /\p{Cs}/u],
  ['a private-use character', /\p{Co}/u],
  ['an unassigned character', /\p{Cn}/u],
  ['an invisible character', /\p{Default_Ignorable_Code_Point}/u],
  ['a filler', new RegExp(`[${BLANKS}]`, 'u')],
];
const SPACE = /\p{Zs}/u;
const VARIATION = '\ufe0f';

function characterFault(name: string): string {
  const characters = Array.from(name);
  let before: string | null = null;
  for (const [index, character] of characters.entries()) {
    const fault = faultAfter(before, character);
    if (fault !== null) return `character ${index + 1} (${codeOf(character)}) ${fault}`;
    before = character;
  }
  return 'must not end with white space';
}

function faultAfter(before: string | null, character: string): string | null {
  const follows = before !== null && !SPACE.test(before);
  if (SPACE.test(character)) {
    if (before === null) return 'is white space at the beginning';
    return follows ? null : 'is white space after white space';
  }
  if (character === VARIATION) return follows && before !== VARIATION ? null : 'needs a visible character before it';
  const kind = REFUSED_KINDS.find(([, pattern]) => pattern.test(character))?.[0];
  return kind === undefined ? null : `is ${kind}, which a name cannot have`;
}

function firstDifference(one: string, other: string): number {
  const others = Array.from(other);
  const index = Array.from(one).findIndex((character, place) => character !== others[place]);
  return index < 0 ? others.length + 1 : index + 1;
}
