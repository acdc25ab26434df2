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

/** Parses a number of shares, or its text. Returns millionths of a share; NaN for anything else or a finer size. */
export function parseSize(value: unknown): number {
  const shares = parseNumber(value);
  const micros = Math.round(shares * MICROS_PER_SHARE);
  // The double nearest to an exact decimal of six places equals this quotient.
  return Number.isSafeInteger(micros) && micros / MICROS_PER_SHARE === shares ? micros : NaN;
}

/** Parses a number of dollars, or its text. Returns units; NaN for anything else or a finer price. */
export const parsePrice = (value: unknown): number => parseUnits(parseNumber(value)) ?? NaN;

function parseNumber(value: unknown): number {
  if (typeof value === 'string') return /^-?\d{1,15}(?:\.\d{1,20})?$/.test(value.trim()) ? Number(value) : NaN;
  return typeof value === 'number' && Number.isFinite(value) ? value : NaN;
}
