import type { Page } from '../views.ts';

/** Cuts a page out of rows that were read one beyond its limit, which tells whether there is a next one. */
export function cutPage<T>(rows: readonly T[], limit: number, cursor: (last: T) => string): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? cursor(last) : null };
}
