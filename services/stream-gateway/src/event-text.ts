import { PULSE_INTERVAL_MS } from '@paper/contracts/markets';

/** The beginning of a stream: a client that lost it connects again after one pulse's interval. */
export const PREAMBLE = Buffer.from(`retry: ${PULSE_INTERVAL_MS}\n`);

/** A comment that is sent instead of a pulse that cannot be made, to keep the connection alive. */
export const NO_PULSE_COMMENT = Buffer.from(': the markets cannot be read now\n\n');
