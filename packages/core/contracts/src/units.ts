import { SHARE_UNITS } from '@paper/exchange/vocabulary';

export { inOwnTerms } from '@paper/exchange/vocabulary';

/** Conversions between JSON and the exchange: money is whole units of $0.0001, time whole ms since 1970 UTC. */

export const UNITS_PER_DOLLAR = SHARE_UNITS;

/** Converts units to dollars. */
export function dollars(units: number): number {
  return units / UNITS_PER_DOLLAR;
}

/** Converts units to dollars; null stays null. */
export function dollarsOrNull(units: number | null): number | null {
  return units === null ? null : dollars(units);
}

/** Converts dollars to units; null if finer than $0.0001, but for rounding errors of binary fractions (0.1 + 0.2). */
export function parseUnits(value: number): number | null {
  const units = Math.round(value * UNITS_PER_DOLLAR);
  const exact = units / UNITS_PER_DOLLAR === value || Math.abs(value * UNITS_PER_DOLLAR - units) <= 1e-6;
  return exact && Number.isSafeInteger(units) ? units : null;
}

/** Converts half units (a midpoint may lie between two units) to dollars or to a probability. */
export function probability(halfUnits: number): number {
  return halfUnits / (2 * UNITS_PER_DOLLAR);
}

/** The last characters of a timestamp, by the milliseconds of its second. */
const MILLISECONDS = Array.from({ length: 1000 }, (_, ms) => `${String(ms).padStart(3, '0')}Z`);
/** The second that `iso` wrote last, and its text: most timestamps are in the same second as the one before. */
let lastSecond = Number.NaN;
let lastText = '';

/** Formats whole milliseconds as a timestamp of the API. @throws RangeError for a number outside Date's range. */
export function iso(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== lastSecond) {
    lastText = new Date(1000 * second).toISOString().slice(0, -'000Z'.length);
    lastSecond = second;
  }
  return `${lastText}${MILLISECONDS[ms - 1000 * second]}`;
}

/** Converts a checked timestamp of a request to milliseconds. */
export function parseInstant(text: string): number {
  return Date.parse(text);
}

/** Spans of time in milliseconds. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
