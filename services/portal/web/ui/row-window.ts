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

/** Rows that are followed live above and below those that are rendered. */
const SPARE_ROWS = 8;

/** The rows that are followed live before it is known which are rendered. */
export const FIRST_LIVE: RowRange = { from: 0, to: 24 };

/**
 * The rows that are followed live: the same as before while they contain what is rendered, else that and some around it.
 * So scrolling a little makes no new connection, and few rows are sent that nobody sees.
 */
export function liveRows(before: RowRange, shown: RowRange, count: number): RowRange {
  if (before.from <= shown.from && shown.to <= before.to && before.to <= count) return before;
  return { from: Math.max(0, shown.from - SPARE_ROWS), to: Math.min(count, shown.to + SPARE_ROWS) };
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
