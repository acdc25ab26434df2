import { pause } from './clock.ts';

const PIECE = 25;
const PIECES_MAX = 10;
const REST_MS = 1;

/**
 * Calls `work` with each item: with a piece of them at once, then with further pieces after short rests. So a long loop
 * of small work holds up neither the event loop nor other programs on the same processors. There is no rest while
 * `isHurried` returns true.
 */
export async function inPieces<T>(
  items: readonly T[],
  work: (item: T) => void,
  isHurried = (): boolean => false,
): Promise<void> {
  const size = Math.max(PIECE, Math.ceil(items.length / PIECES_MAX));
  for (let from = 0; from < items.length; from += size) {
    if (from > 0 && !isHurried()) await pause(REST_MS);
    items.slice(from, from + size).forEach(work);
  }
}
