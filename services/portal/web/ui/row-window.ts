/** The rows from `from` (inclusive) to `to` (exclusive). */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

export interface RowWindow {
  readonly count: number;
  readonly rowPx: number;
  /** From the top of the first row down to the top of the window. */
  readonly scrolledPx: number;
  readonly windowPx: number;
}

/** Rendered above and below the window too, so that Tab and quick scrolling find them. */
const MARGIN_ROWS = 8;
/** The range changes in steps, so that the list is not rendered for each scrolled row. */
const STEP_ROWS = 4;

export function renderedRows({ count, rowPx, scrolledPx, windowPx }: RowWindow): RowRange {
  const first = Math.floor(scrolledPx / rowPx) - MARGIN_ROWS;
  const last = Math.ceil((scrolledPx + windowPx) / rowPx) + MARGIN_ROWS;
  const from = clamp(Math.floor(first / STEP_ROWS) * STEP_ROWS, 0, count);
  return { from, to: clamp(Math.ceil(last / STEP_ROWS) * STEP_ROWS, from, count) };
}

/** Followed live above and below the rendered rows. */
const SPARE_ROWS = 8;

/** Rows that are followed live before the rendered range is known. */
export const FIRST_LIVE: RowRange = { from: 0, to: 24 };

/** The rows followed live stay while they contain the rendered ones: scrolling a little opens no connection. */
export function liveRows(before: RowRange, shown: RowRange, count: number): RowRange {
  if (before.from <= shown.from && shown.to <= before.to && before.to <= count) return before;
  return { from: Math.max(0, shown.from - SPARE_ROWS), to: Math.min(count, shown.to + SPARE_ROWS) };
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
