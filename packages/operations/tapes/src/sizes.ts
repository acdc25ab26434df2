import { parseUnits } from '@paper/contracts/units';
import type { TradeEvent } from './tape-event.ts';

/** Sizes on tapes are in millionths of a share, since venues trade parts of a share: Kalshi hundredths, others millionths. */
export const MICROS_PER_SHARE = 1_000_000;

/** Rounds a size down to whole shares, since the exchange trades no parts of a share. */
export const wholeShares = (sizeMicros: number): number => Math.floor(sizeMicros / MICROS_PER_SHARE);

/** The whole shares that a trade moves, if its price level had `beforeMicros`. */
export function sharesMoved({ levelAfterMicros, sizeMicros }: TradeEvent, beforeMicros: number): number {
  return levelAfterMicros === null
    ? wholeShares(sizeMicros)
    : Math.max(0, wholeShares(beforeMicros) - wholeShares(levelAfterMicros));
}

/** Parses a number of shares, or its text. Returns millionths of a share; null for anything else or a finer size. */
export function parseSize(value: unknown): number | null {
  const shares = parseNumber(value);
  if (shares === null) return null;
  const micros = Math.round(shares * MICROS_PER_SHARE);
  // The double nearest to an exact decimal of six places equals this quotient.
  return Number.isSafeInteger(micros) && micros / MICROS_PER_SHARE === shares ? micros : null;
}

/** Parses a number of dollars, or its text. Returns units; null for anything else or a finer price. */
export function parsePrice(value: unknown): number | null {
  const price = parseNumber(value);
  return price === null ? null : parseUnits(price);
}

function parseNumber(value: unknown): number | null {
  if (typeof value === 'string') return /^-?\d{1,15}(?:\.\d{1,20})?$/.test(value.trim()) ? Number(value) : null;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
