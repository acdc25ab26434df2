import { constants } from 'node:os';
import { printError } from '@paper/runtime';

/** Ctrl-C under npm comes twice within milliseconds: from the terminal, and passed on by npm. */
const SAME_SIGNAL_MS = 500;
/** The time limit for interrupted work, which may not notice the signal while it waits for a silent server. */
const END_WITHIN_MS = 5_000;

const interrupting = new AbortController();
let endsInOrder = false;
let endInterrupted: (() => void) | null = null;

/** The abort signal of an interrupted command, for work that does not promise an orderly end. */
export const interrupted: AbortSignal = interrupting.signal;

/**
 * Returns the signal for work that undoes what it has begun. The process waits for such work, for five seconds or until
 * a second signal; without it, the process ends at once.
 */
export function interruption(): AbortSignal {
  endsInOrder = true;
  return interrupted;
}

export function endIfInterrupted(): void {
  endInterrupted?.();
}

/** Ends the process on Ctrl-C (130) and SIGTERM (143), and prints what remains of the work. */
export function endOnSignals(remains: string): void {
  let firstMs: number | null = null;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const code = 128 + constants.signals[signal];
    const end = (): void => {
      // Printed at exit, after the progress line's own listener has cleared that line.
      process.once('exit', () => printError(`Interrupted. ${remains}`));
      process.exit(code);
    };
    process.on(signal, () => {
      if (!endsInOrder) end();
      if (firstMs !== null && performance.now() - firstMs < SAME_SIGNAL_MS) return;
      if (firstMs !== null) process.exit(code);
      firstMs = performance.now();
      endInterrupted = end;
      interrupting.abort(new Error('Interrupted'));
      setTimeout(() => process.exit(code), END_WITHIN_MS).unref();
    });
  }
}
