import type { Page } from './views.ts';

/**
 * Cuts a page from rows that were read with one row more than the page's limit; that row shows whether there is a next
 * page.
 */
export function cutPage<T, Position>(
  rows: readonly T[],
  limit: number,
  positionOf: (last: T) => Position,
): Page<T, Position> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? positionOf(last) : null };
}
