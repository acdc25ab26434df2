import { z } from 'zod';

/**
 * The strings of the API. Each schema accepts exactly what its served JSON Schema accepts: a pattern, or a length in
 * Unicode code points (zod's own min and max count UTF-16 units). The pattern is repeated in `meta` because the
 * generator writes a `u` flag into it.
 */

/** Excludes NUL, which Postgres text cannot hold, and lone surrogates, which UTF-8 cannot hold. */
const STORABLE = '^[^\\u0000\\ud800-\\udfff]*$';

/** The number of Unicode code points of a string. */
export function codePoints(value: string): number {
  return value.length - (value.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

function lengthRule(min: number, max: number | null): string {
  if (max === null) return min === 1 ? 'must not be empty' : `must have at least ${min} characters`;
  return `must be ${min} to ${max} characters long`;
}

/** The fault of a length in code points; null for a valid length. `max` null: no upper bound. */
export function lengthFault(value: string, min: number, max: number | null): string | null {
  const length = codePoints(value);
  return length >= min && (max === null || length <= max) ? null : lengthRule(min, max);
}

/** The code of a character, such as U+001B. */
export function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Text of `min` to `max` characters (null: no upper bound). */
export function text(min = 0, max: number | null = null): z.ZodString {
  return z
    .string()
    .regex(new RegExp(STORABLE, 'u'), 'must hold neither NUL characters nor lone surrogates')
    .refine((value) => lengthFault(value, min, max) === null, lengthRule(min, max))
    .meta({
      pattern: STORABLE,
      ...(min > 0 ? { minLength: min } : {}),
      ...(max === null ? {} : { maxLength: max }),
    });
}

/** A text that matches a pattern; `rule` says what it must be. */
export function matching(source: string, rule: string): z.ZodString {
  return z.string().regex(new RegExp(source, 'u'), rule).meta({ pattern: source });
}

const MARKET_ID = '[A-Za-z0-9][A-Za-z0-9._:\\-]{0,99}';

/** A market's id, which must fit into a path. `signals` is excluded, since it is a path itself. */
export const marketIdText = matching(
  `^(?!signals$)${MARKET_ID}$`,
  'must be 1 to 100 letters, digits, dots, underscores, colons or hyphens, begin with a letter or digit, and not be "signals"',
);

/** Up to 100 ids of markets in a query, separated by commas; repeated ids count once. */
export const marketIdsText = matching(
  `^${MARKET_ID}(?:,${MARKET_ID}){0,99}$`,
  'must be 1 to 100 ids of markets with commas between',
).transform((list): readonly string[] => [...new Set(list.split(','))]);

/** The pattern of a day that exists in these years; the leap years among them also have the 29th of February. */
function dayOf(years: string, leapYears: string): string {
  const days =
    '(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8])';
  return `(?:${leapYears}-02-29|${years}-(?:${days}))`;
}

const DAY = dayOf(
  '(?:19[7-9]\\d|2\\d{3})',
  '(?:19(?:7[26]|8[048]|9[26])|2(?:\\d(?:[2468][048]|[13579][26]|0[48])|[048]00))',
);
const ANY_DAY = dayOf('\\d{4}', '(?:\\d\\d(?:[2468][048]|[13579][26]|0[48])|(?:[02468][048]|[13579][26])00)');
const TIME = 'T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d';

/** A UTC day from 1970 to 2999. */
export const dayText = matching(`^${DAY}$`, 'must be a day that exists, such as 2026-11-24');

/** A time from 1970 to 2999, as clients send it: ISO 8601 with seconds and an offset, on a day that exists. */
export const instantText = matching(
  `^${DAY}${TIME}(?:\\.\\d{1,9})?(?:Z|[+\\-](?:[01]\\d|2[0-3]):[0-5]\\d)$`,
  'must be an ISO 8601 time with an offset, such as 2027-12-31T23:59:00Z',
).meta({ format: 'date-time', examples: ['2027-12-31T23:59:00Z'] });

/** A time in a query: ISO 8601, UTC, with up to milliseconds, on a day that exists, in any year of four digits. */
export const utcText = matching(
  `^${ANY_DAY}${TIME}(?:\\.\\d{1,3})?Z$`,
  'must be an ISO 8601 time in UTC, such as 2027-12-31T23:59:00Z',
).meta({ format: 'date-time', examples: ['2027-12-31T23:59:00Z'] });

export const clientOrderIdText = matching(
  '^[A-Za-z0-9][A-Za-z0-9_.:\\-]{0,63}$',
  'must be 1 to 64 letters, digits, underscores, dots, colons or hyphens, and begin with a letter or digit',
);

/** A time in an answer: ISO 8601, UTC, with milliseconds. */
export const timestamp = matching(`^\\d{4}-\\d{2}-\\d{2}${TIME}\\.\\d{3}Z$`, 'must be an ISO 8601 UTC time').describe(
  'ISO 8601, UTC, with milliseconds.',
);

export const idempotencyKeyText = matching('^[\\x20-\\x7e]{1,255}$', 'must be 1 to 255 printable ASCII characters');

const LIMIT_MAX = 500;

/** A list's `limit`: arrives as text, becomes the number of items. Equal numbers share cached answers and links. */
export function limitText(fallback: number, max = LIMIT_MAX) {
  return z
    .string()
    .regex(/^[1-9]\d*$/, `must be a whole number from 1; more than ${max} is taken as ${max}`)
    .optional()
    .transform((limit) => (limit === undefined ? fallback : Math.min(max, Number(limit))))
    .meta({
      type: 'integer',
      minimum: 1,
      default: fallback,
      pattern: undefined,
      description: `The largest number of items; more than ${max} is taken as ${max}.`,
    });
}

/** The largest sequence: a whole number of digits that JavaScript holds exactly. */
export const SEQUENCE_MAX = 999_999_999_999_999;

/** A sequence of the journal in a query: arrives as text. */
export const sequenceText = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'must be a whole number from 1, of at most 15 digits')
  .meta({ type: 'integer', minimum: 1, maximum: SEQUENCE_MAX, pattern: undefined });

/** The sequence at which a read shows the state. */
export const asOfText = sequenceText.optional().meta({
  examples: [1202],
  description:
    'Reads the state just after this event of the journal: any sequence from 1 to the newest. It needs a key. The answer never changes, so it may be cached (`Cache-Control: private, immutable`), and `X-Journal-Seq` is this sequence.',
});

export const hashText = matching('^[0-9a-f]{64}$', 'must be 64 hex digits in lower case');

/** The sentence about pages in the description of a paged list. */
export const NEXT_PAGE = 'The `Link: rel="next"` header leads to the next page.';

/** The opaque start of a further page, from the `Link` header of the previous page. */
export const cursorText = text(1, 500)
  .optional()
  .meta({
    examples: ['eyJzIjoxfQ.c2lnbmF0dXJl'],
    description:
      'The start of a further page, from the `Link: rel="next"` header of the page before. Do not build one: it is signed for this list, account and filters, and is 400 anywhere else. It does not expire.',
  });
