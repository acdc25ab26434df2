import { PULSE_INTERVAL_MS } from '@paper/contracts/markets';

/** The beginning of a stream: a client that loses it reconnects after 2 s, when the next pulse is due. */
export const PREAMBLE = Buffer.from(`retry: ${PULSE_INTERVAL_MS}\n`);

/** The comment that is sent if no pulse can be made, to keep the connection alive. */
export const NO_PULSE_COMMENT = Buffer.from(': the markets cannot be read now\n\n');
