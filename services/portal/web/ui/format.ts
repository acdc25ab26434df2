/**
 * Digits with commas between the thousands, of `least` to `most` places after the point. Written by hand: a page formats
 * hundreds of figures before it answers to input, and the browser's own formats take long to be made.
 */
function digits(value: number, least: number, most: number): string {
  const [whole = '', places = ''] = Math.abs(value).toFixed(most).split('.');
  let end = places.length;
  while (end > least && places[end - 1] === '0') end -= 1;
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return end === 0 ? grouped : `${grouped}.${places.slice(0, end)}`;
}

function signed(value: number, text: string): string {
  return value < 0 && /[1-9]/.test(text) ? `-${text}` : text;
}

/** The outcomes in words. */
export const OUTCOME_NAMES = { yes: 'Yes', no: 'No' } as const;

/** Stands for a figure that there is not. */
export const NO_FIGURE = '–';

/** Dollars with cents, finer where the amount is: `$1,234.50`. */
export function moneyText(amount: number | null): string {
  return amount === null ? NO_FIGURE : signed(amount, `$${digits(amount, 2, 4)}`);
}

/** A gain or loss with its sign: `+$3.00`, `−$0.50`, `$0.00`. */
export function gainText(amount: number): string {
  const text = `$${digits(amount, 2, 4)}`;
  return amount > 0 ? `+${text}` : amount < 0 ? `−${text}` : text;
}

/** Dollars a share, without the sign: `0.55`. */
export function priceText(value: number | null): string {
  return value === null ? NO_FIGURE : signed(value, digits(value, 2, 4));
}

/** A probability: `55.5%`. */
export function percentText(fraction: number | null): string {
  return fraction === null ? NO_FIGURE : signed(fraction, `${digits(fraction * 100, 0, 1)}%`);
}

/** A count: `12,345`. */
export function countText(count: number | null): string {
  return count === null ? NO_FIGURE : signed(count, digits(count, 0, 3));
}

/** A change of a probability in percentage points: `▲ 1.5`, `▼ 0.3`; an empty text where it rounds to nothing. */
export function probabilityChangeText(change: number): string {
  const text = digits(change * 100, 0, 1);
  return text === '0' ? '' : `${change > 0 ? '▲' : '▼'} ${text}`;
}

/** A time in UTC: `2026-11-23 07:14 UTC`. */
export function utcText(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** A time in the person's own zone: `Nov 23, 2026, 07:14`. Written by hand as figures are. */
export function localText(iso: string): string {
  const at = new Date(iso);
  const day = `${MONTHS[at.getMonth()] ?? ''} ${at.getDate()}, ${at.getFullYear()}`;
  return `${day}, ${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
}

/** A time in the person's own zone, with the zone: `Nov 23, 2026, 07:14 UTC+1`. */
export function zonedText(iso: string): string {
  const minutes = -new Date(iso).getTimezoneOffset();
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const offset = minutes === 0 ? '' : `${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${twoDigits(rest)}`}`;
  return `${localText(iso)} UTC${offset}`;
}

/** The time of day in the person's own zone: `07:14:05`. */
export function clockText(iso: string): string {
  const at = new Date(iso);
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(':');
}
