/** The page of a list that is wanted. */
export interface PageRequest<Position = number> {
  readonly limit: number;
  /** The position of the last item of the previous page: mostly its sequence. */
  readonly after?: Position | undefined;
}

/** A range of times, in ms; an absent bound does not restrict it. */
export interface TimeRange {
  readonly fromMs?: number | undefined;
  /** The first time that is not in the range. */
  readonly toMs?: number | undefined;
}

/** A page of a list, and where the next one begins (null: the end): mostly a sequence, so valid after a rebuild. */
export interface Page<T, Position = number> {
  readonly items: readonly T[];
  readonly next: Position | null;
}

/** Cuts a page from rows that were read with one more than its limit, which shows whether there is a next page. */
export function cutPage<T, Position>(
  rows: readonly T[],
  limit: number,
  positionOf: (last: T) => Position,
): Page<T, Position> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? positionOf(last) : null };
}

/** Reads one page of a list. */
export async function readPage<T, Position>(
  query: { limit(limit: number): { execute(): Promise<T[]> } },
  limit: number,
  positionOf: (last: T) => Position,
): Promise<Page<T, Position>> {
  return cutPage(await query.limit(limit + 1).execute(), limit, positionOf);
}
