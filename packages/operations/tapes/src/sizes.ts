import { parseUnits } from '@paper/contracts/units';
import type { TradeEvent } from './tape-event.ts';

/** The number of millionths in a share. Venues trade parts of a share: Kalshi hundredths, others millionths. */
export const MICROS_PER_SHARE = 1_000_000;

/** The whole shares of a size. The exchange trades no parts of a share. */
export const wholeShares = (sizeMicros: number): number => Math.floor(sizeMicros / MICROS_PER_SHARE);

/**
 * The whole shares that a trade moves.
 * @param beforeMicros the size at its price before the trade
 */
export function sharesMoved({ levelAfterMicros, sizeMicros }: TradeEvent, beforeMicros: number): number {
  return levelAfterMicros === null
    ? wholeShares(sizeMicros)
    : Math.max(0, wholeShares(beforeMicros) - wholeShares(levelAfterMicros));
}

/**
 * Parses a size of a file, a number or its text, in millionths of a share; returns null for any other value, and for a
 * finer size.
 */
export function parseSize(value: unknown): number | null {
  const shares = parseNumber(value);
  if (shares === null) return null;
  const micros = Math.round(shares * MICROS_PER_SHARE);
  // The double nearest to an exact decimal of six places equals this quotient.
  return Number.isSafeInteger(micros) && micros / MICROS_PER_SHARE === shares ? micros : null;
}

/**
 * Parses a price of a file, a number of dollars or its text, in units; returns null for any other value, and for a
 * finer price.
 */
export function parsePrice(value: unknown): number | null {
  const price = parseNumber(value);
  return price === null ? null : parseUnits(price);
}

function parseNumber(value: unknown): number | null {
  if (typeof value === 'string') return /^-?\d{1,15}(?:\.\d{1,20})?$/.test(value.trim()) ? Number(value) : null;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
