import { z } from 'zod';
import { looksLike } from '../look-alike.ts';
import { OWN_SOURCE } from '../signals/headline.ts';
import { codeOf, lengthFault, matching } from '../text.ts';

/**
 * Texts besides names: titles, headlines, sources, descriptions, citations. None may steer a terminal, change the
 * direction or the lines of the text around it, or hide something. Only requests are checked, so texts from before this
 * rule still load and pass an audit.
 */

/** Kinds of characters that a text must not contain, each as a part of a character class. */
const REFUSED_KINDS: readonly (readonly [kind: string, set: string])[] = [
  ['a control character', '\\u0000-\\u001f\\u007f-\\u009f'],
  ['a lone surrogate', '\\ud800-\\udfff'],
  ['a line or paragraph separator', '\\u2028\\u2029'],
  ['a bidirectional control', '\\u202a-\\u202e\\u2066-\\u2069'],
  ['a zero-width character', '\\u180e\\u200b-\\u200d\\u2060-\\u2065\\u206a-\\u206f\\ufeff'],
];
/** Tag characters. No published pattern has them, since not every engine reads codes of more than four digits. */
const TAGS = '\\u{e0000}-\\u{e007f}';
const TAG = new RegExp(`[${TAGS}]`, 'u');

const PUBLISHED = REFUSED_KINDS.map(([, set]) => set).join('');
const REFUSED = `${PUBLISHED}${TAGS}`;
const KINDS = [...REFUSED_KINDS, ['a tag character', TAGS] as const].map(([kind, set]) => ({
  kind,
  pattern: new RegExp(`[${set}]`, 'u'),
}));

const NO_SUCH =
  'No control characters, line separators, bidirectional embeddings, overrides or isolates, zero-width or tag characters';

/** A text of `min` to `max` characters, counted as code points, on one line. */
export function plainText(min: number, max: number): z.ZodString {
  return shownText('', min, max, `${NO_SUCH}.`);
}

/** A text of at most `max` characters in which line feeds and tabs are allowed. */
export function plainLines(max: number): z.ZodString {
  return shownText('\\t\\n', 0, max, `${NO_SUCH}; line feeds and tabs are allowed.`);
}

function shownText(allowed: string, min: number, max: number, description: string): z.ZodString {
  const whole = new RegExp(repeated(allowed, REFUSED), 'u');
  return z
    .string()
    .superRefine((value, context) => {
      const message = lengthFault(value, min, max) ?? (whole.test(value) ? null : characterFault(value, whole));
      if (message !== null) context.addIssue({ code: 'custom', message });
    })
    .meta({
      pattern: repeated(allowed, PUBLISHED),
      ...(min > 0 ? { minLength: min } : {}),
      maxLength: max,
      description,
    });
}

function repeated(allowed: string, refused: string): string {
  return allowed === '' ? `^[^${refused}]*$` : `^(?:[${allowed}]|[^${refused}])*$`;
}

function characterFault(value: string, allowed: RegExp): string {
  const characters = Array.from(value);
  const index = characters.findIndex((character) => !allowed.test(character));
  const found = characters[index] ?? '';
  const kind = KINDS.find(({ pattern }) => pattern.test(found))?.kind ?? 'refused';
  return `character ${index + 1} (${codeOf(found)}) is ${kind}; remove it`;
}

const REFUSED_ANYWHERE = new RegExp(`[${REFUSED}]`, 'gu');

/** Replaces what `plainText` refuses by a space or U+FFFD; `keepsLines`: what `plainLines` refuses. */
export function withoutRefused(value: string, keepsLines: boolean): string {
  const lined = value.replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n');
  return lined.replaceAll(REFUSED_ANYWHERE, (found) => {
    if (found !== '\n' && found !== '\t') return '\ufffd';
    return keepsLines ? found : ' ';
  });
}

const NOT_IN_URL = `\\s\\\\${PUBLISHED}`;

/**
 * A cited web address. Another scheme than HTTP could run code in a reader's browser. It names no user: in
 * `https://apple.com@evil` the host is `evil`. Browsers read a backslash as a slash, and skip further slashes.
 */
export const citationUrl = matching(
  `^https?://(?=.{1,900}$)[^/?#@%\\uff20\\ufe6b${NOT_IN_URL}]+(?:[/?#][^${NOT_IN_URL}]*)?$`,
  'must be an http or https address of at most 900 characters after the scheme, without a user (name@), backslashes, white space or characters that are not shown',
).refine((url) => !TAG.test(url), 'must not contain tag characters');

/** The source of a signal or a resolution. The name that the exchange's own entries of timelines have is refused. */
export const sourceText = plainText(1, 100).superRefine((source, context) => {
  if (!looksLike(source, OWN_SOURCE)) return;
  context.addIssue({
    code: 'custom',
    message: `reads like "${OWN_SOURCE}", the source of the exchange's own events; name another`,
  });
});
