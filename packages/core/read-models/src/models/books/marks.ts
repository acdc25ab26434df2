/** The number of a market's events between two that are indexed by their number and by their time. */
export const MARK_EVERY = 16;

/**
 * SQL condition: whether a row of `market_history` is such an event. Any other is a few rows after one, so the largest
 * table needs no index of all its rows by number or time.
 */
export const IS_MARK = `event_number % ${MARK_EVERY} = 1`;
