/** A number as typed, with the sign of its unit if it has one. */
type Typed = Readonly<{ value: number; unit: '' | '$' | '%' | '¢' }>;

const FORM = /^(\$?) ?([+-]?)(\$?)([\d.,' ]*\d[.,]?) ?([$%¢c]?)$/;
/** Whole digits without separators, or with a separator before each three. */
const WHOLE = /^(?:\d*|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?: \d{3})+|[1-9]\d{0,2}(?:'\d{3})+)$/;

/**
 * Reads a number as people of several countries type it: `33¢`, `0,33`, `1,000`, `1 000`; null for no number. A comma
 * before three digits separates thousands unless the number begins with 0; before one or two it is the decimal point.
 */
export function parseTyped(text: string): Typed | null {
  const plain = text.replaceAll(/\s+/g, ' ').trim().replace('−', '-').replaceAll('’', "'");
  const [, before = '', sign = '', between = '', digits = '', after = ''] = FORM.exec(plain) ?? [];
  const unit = before + between + after;
  if (digits === '' || unit.length > 1) return null;
  const point = digits.lastIndexOf('.');
  const comma = /^[1-9]\d{0,2}(?:,\d{3})+$/.test(digits) ? -1 : digits.lastIndexOf(',');
  const end = Math.max(point, comma);
  const places = end === -1 ? '' : digits.slice(end + 1);
  const front = end === -1 ? digits : digits.slice(0, end);
  const whole = comma > point ? front.replaceAll('.', ',') : front;
  const isUnclear = comma > point && places.length > 2 && Number(whole) !== 0;
  if (isUnclear || !/^\d*$/.test(places) || !WHOLE.test(whole)) return null;
  return {
    value: Number(`${sign}${whole.replaceAll(/[,' ]/g, '')}.${places}`),
    unit: unit.replace('c', '¢') as Typed['unit'],
  };
}

/** The value in dollars. Cents and percent are divided by 100. */
export function inDollars({ unit, value }: Typed): number {
  return unit === '¢' || unit === '%' ? Math.round(value * 1e6) / 1e8 : value;
}

/** A typed number as it was understood, for its field: `0.33` for `33¢`. Texts with other units stay as typed. */
export function understood(text: string, units: string): string {
  const typed = parseTyped(text);
  return typed === null || !units.includes(typed.unit) ? text : String(inDollars(typed));
}
