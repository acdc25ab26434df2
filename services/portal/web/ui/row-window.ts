/** A range of rows: `from` is included, `to` is not. */
export type RowRange = Readonly<{ from: number; to: number }>;

/** `scrolledPx`: the distance from the top of the first row to the top of the window. */
type RowWindow = Readonly<Record<'count' | 'rowPx' | 'scrolledPx' | 'windowPx', number>>;

/** Rows that are rendered above and below the window, so that Tab and quick scrolling find them. */
const MARGIN_ROWS = 8;
/** The range changes in steps, so that the list is not rendered for each scrolled row. */
const STEP_ROWS = 4;

export function renderedRows({ count, rowPx, scrolledPx, windowPx }: RowWindow): RowRange {
  const first = Math.floor(scrolledPx / rowPx) - MARGIN_ROWS;
  const last = Math.ceil((scrolledPx + windowPx) / rowPx) + MARGIN_ROWS;
  const from = clamp(Math.floor(first / STEP_ROWS) * STEP_ROWS, 0, count);
  return { from, to: clamp(Math.ceil(last / STEP_ROWS) * STEP_ROWS, from, count) };
}

/** Rows above and below the rendered ones that are followed live too. */
const SPARE_ROWS = 8;

/** The rows that are followed live before the rendered range is known. */
export const FIRST_LIVE: RowRange = { from: 0, to: 24 };

/** The rows to follow live, which stay while they contain the rendered rows: scrolling a little changes nothing. */
export function liveRows(before: RowRange, shown: RowRange, count: number): RowRange {
  if (before.from <= shown.from && shown.to <= before.to && before.to <= count) return before;
  return { from: Math.max(0, shown.from - SPARE_ROWS), to: Math.min(count, shown.to + SPARE_ROWS) };
}

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));
