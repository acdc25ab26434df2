import { noteOf } from '../base/notes.ts';
import { serviceNowMs } from '../base/service-clock.ts';

/** Formats digits by hand: a page has hundreds of figures in its first paint, and browsers' formatters are slow. */
function digits(value: number, least: number, most: number): string {
  const [whole = '', places = ''] = Math.abs(value).toFixed(most).split('.');
  let end = places.length;
  while (end > least && places[end - 1] === '0') end -= 1;
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return end === 0 ? grouped : `${grouped}.${places.slice(0, end)}`;
}

const signed = (value: number, text: string): string => (value < 0 && /[1-9]/.test(text) ? `−${text}` : text);

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const OUTCOME_NAMES = { yes: 'Yes', no: 'No' } as const;

export const DEALS = { buy: 'Bought', sell: 'Sold' } as const;

export const NO_FIGURE = '–';

/** Dollars with cents: `$1,234.50`. Amounts are multiples of $0.0001; half a cent is rounded up. */
export function moneyText(amount: number | null): string {
  return amount === null
    ? NO_FIGURE
    : signed(amount, `$${digits(Math.round(Math.round(Math.abs(amount) * 1e4) / 100) / 100, 2, 2)}`);
}

/** Dollars beside the axis of a chart: `10,000.5`. */
export const axisMoneyText = (value: number): string => signed(value, digits(value, 0, 1));

/** A gain or loss with its sign: `+$3.00`, `−$0.50`, `$0.00`. */
export function gainText(amount: number): string {
  const text = moneyText(amount);
  return amount > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** Dollars a share, without the sign: `0.55`. */
export function priceText(value: number | null): string {
  return value === null ? NO_FIGURE : signed(value, digits(value, 2, 4));
}

/** A probability: `55.5%`. */
export function percentText(fraction: number | null): string {
  return fraction === null ? NO_FIGURE : signed(fraction, `${digits(fraction * 100, 0, 1)}%`);
}

export function countText(count: number | null): string {
  return count === null ? NO_FIGURE : signed(count, digits(count, 0, 3));
}

/** `1 share`, `12,345 shares`. */
export function countedText(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Rounded dollars for comparison: `$950`, `$12.3K`, `$4M`. */
export function roundMoneyText(amount: number): string {
  if (amount < 10_000) return `$${digits(amount, 0, 0)}`;
  return amount < 1e6 ? `$${digits(amount / 1e3, 0, 1)}K` : `$${digits(amount / 1e6, 0, 1)}M`;
}

/** A change in percentage points: `▲ 1.5`, `▼ 0.3`; empty if it is rounded to zero. */
export function probabilityChangeText(change: number): string {
  const text = digits(change * 100, 0, 1);
  return text === '0' ? '' : `${change > 0 ? '▲' : '▼'} ${text}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** A time in the page's zone, with the zone's minutes from UTC. Hydration replaces a server's text that differs. */
function inZone(iso: string): { readonly minutes: number; readonly shown: Date } {
  const at = new Date(iso);
  const minutes = typeof document === 'undefined' || noteOf('times') === 'utc' ? 0 : -at.getTimezoneOffset();
  return { minutes, shown: new Date(at.getTime() + minutes * 60_000) };
}

/** `Jun 30, 2028`. */
export const dayText = (iso: string): string => utcDayText(inZone(iso).shown);

/** A day in UTC: `Jun 30, 2028`. */
export function utcDayText(day: Date): string {
  return `${MONTHS[day.getUTCMonth()] ?? ''} ${day.getUTCDate()}, ${day.getUTCFullYear()}`;
}

/** `07:14:05`. */
export const clockText = (iso: string): string => inZone(iso).shown.toISOString().slice(11, 19);

/** `UTC+1`. */
export function zoneText(iso: string): string {
  const { minutes } = inZone(iso);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return minutes === 0 ? 'UTC' : `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${twoDigits(rest)}`}`;
}

/** `Nov 23, 2026, 07:14 UTC+1`, without this year; with seconds for moments that may be in the same minute. */
export function timeText(iso: string, hasSeconds = false): string {
  const [day = '', year = ''] = dayText(iso).split(', ');
  const isThisYear = year === String(inZone(new Date(serviceNowMs()).toISOString()).shown.getUTCFullYear());
  return `${day}, ${isThisYear ? '' : `${year}, `}${clockText(iso).slice(0, hasSeconds ? 8 : 5)} ${zoneText(iso)}`;
}

/** A time within a day of now: `2 min ago`, `in 3 h`; null for others. */
export function relativeText(iso: string): string | null {
  const ms = Date.parse(iso) - serviceNowMs();
  const minutes = Math.floor(Math.abs(ms) / 60_000);
  if (minutes >= 24 * 60) return null;
  const span = minutes === 0 ? 'under 1 min' : minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
  return ms > 0 ? `in ${span}` : minutes === 0 ? 'just now' : `${span} ago`;
}

export const OUTCOMES = (['yes', 'no'] as const).map((value) => ({ value, text: OUTCOME_NAMES[value] }));
