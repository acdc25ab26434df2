import { constants } from 'node:os';
import { printError } from '@paper/runtime';

/** Ctrl-C under npm comes twice within milliseconds: from the terminal, and passed on by npm. */
const SAME_SIGNAL_MS = 500;
/** Work that waits for a silent server may not notice. */
const END_WITHIN_MS = 5_000;

const interrupting = new AbortController();
let endsInOrder = false;
let endInterrupted: (() => void) | null = null;

/** The signal that is aborted where the command is interrupted, without a claim that the command ends in order. */
export const interrupted: AbortSignal = interrupting.signal;

/**
 * Aborts where the command is interrupted, so that the work can remove what it has begun; showing its progress throws
 * then too. The process waits for that, for five seconds or until a second signal. Where no work took this signal, the
 * process ends at once.
 */
export function interruption(): AbortSignal {
  endsInOrder = true;
  return interrupted;
}

/** Ends the process where it was interrupted, now that its work has ended. */
export function endIfInterrupted(): void {
  endInterrupted?.();
}

/** Ends the process by Ctrl-C (130) and SIGTERM (143). `remains`: a sentence on what is left of the work. */
export function endOnSignals(remains: string): void {
  let firstMs: number | null = null;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const code = 128 + constants.signals[signal];
    const end = (): void => {
      // Printed at exit, so after the listener of the progress line has cleared it.
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
