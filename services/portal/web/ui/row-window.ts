/** Rows from `from` up to, without, `to`. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

export interface RowWindow {
  readonly count: number;
  readonly rowPx: number;
  /** How far the top of the first row is above the top of the window; negative where it is below. */
  readonly scrolledPx: number;
  readonly windowPx: number;
}

/** Rows above and below the window that are there too, so that Tab and a quick scroll find them. */
const MARGIN_ROWS = 8;
/** The range changes in steps of this many rows, so that not each scrolled row renders the list again. */
const STEP_ROWS = 4;

/** The rows to render: those in the window and some around it. */
export function renderedRows({ count, rowPx, scrolledPx, windowPx }: RowWindow): RowRange {
  const first = Math.floor(scrolledPx / rowPx) - MARGIN_ROWS;
  const last = Math.ceil((scrolledPx + windowPx) / rowPx) + MARGIN_ROWS;
  const from = clamp(Math.floor(first / STEP_ROWS) * STEP_ROWS, 0, count);
  return { from, to: clamp(Math.ceil(last / STEP_ROWS) * STEP_ROWS, from, count) };
}

/**
 * The rows that are followed live: the same as before while they contain what is shown, else `size` rows around that. So
 * scrolling a little makes no new connection.
 */
export function liveRows(before: RowRange, shown: RowRange, count: number, size: number): RowRange {
  if (before.from <= shown.from && shown.to <= before.to && before.to <= count) return before;
  const spare = Math.max(0, size - (shown.to - shown.from));
  const from = clamp(shown.from - Math.floor(spare / 2), 0, Math.max(0, count - size));
  return { from, to: Math.min(count, from + size) };
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
