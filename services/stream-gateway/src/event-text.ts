import { PULSE_INTERVAL_MS } from '@paper/contracts';
import type { PulseMessage } from '@paper/pulse';

/** What a stream begins with: a client that lost it comes back after the time of a pulse. */
export const PREAMBLE = Buffer.from(`retry: ${PULSE_INTERVAL_MS}\n`);

/** In place of a pulse that cannot be made: a comment, which tells a client that we are there. */
export const NO_PICTURE = Buffer.from(': the markets cannot be read now\n\n');

/** One plain `message` event. JSON has no line breaks of its own, so its data is one line. */
export function eventBytes({ seq, pulse }: PulseMessage): Buffer {
  return Buffer.from(`id: ${seq}\ndata: ${JSON.stringify(pulse)}\n\n`);
}
