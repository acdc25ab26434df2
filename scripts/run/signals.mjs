import { constants } from 'node:os';

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'];

/**
 * Calls `end` with the exit code and signal at the first one that asks to end. Returns a function that stops listening.
 */
export function onEndSignal(end) {
  const calls = SIGNALS.map((signal) => [signal, () => end(128 + constants.signals[signal], signal)]);
  for (const [signal, call] of calls) process.once(signal, call);
  return () => {
    for (const [signal, call] of calls) process.off(signal, call);
  };
}
