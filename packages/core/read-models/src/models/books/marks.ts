/** Every how many events of a market an event is indexed by its number and by its time: such an event is a mark. */
export const MARK_EVERY = 16;

/**
 * SQL condition: whether a row of `market_history` is a mark. Any other is at most a few rows after one, so the largest
 * table needs no index of all its rows by number or time.
 */
export const IS_MARK = `event_number % ${MARK_EVERY} = 1`;
