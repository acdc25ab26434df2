import { PULSE_INTERVAL_MS } from '@paper/contracts/markets';

/** The beginning of a stream, which makes a client that lost it reconnect after one pulse's interval. */
export const PREAMBLE = Buffer.from(`retry: ${PULSE_INTERVAL_MS}\n`);

/** The comment that is sent if no pulse can be made, to keep the connection alive. */
export const NO_PULSE_COMMENT = Buffer.from(': the markets cannot be read now\n\n');
