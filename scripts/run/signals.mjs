import { constants } from 'node:os';

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'];

/** Calls `end` with the first signal that asks this process to end, and the exit code for it. */
export function onEndSignal(end) {
  for (const signal of SIGNALS) process.once(signal, () => end(128 + constants.signals[signal], signal));
}
