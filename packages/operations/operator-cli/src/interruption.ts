import { constants } from 'node:os';

/** Work that was ended by a signal. The command prints its message, and ends with its exit code. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';

  constructor(
    readonly exitCode: number,
    remains: string,
  ) {
    super(`Interrupted: ${remains}.`);
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Ctrl-C under npm comes twice within milliseconds: from the terminal, and passed on by npm. */
const SAME_SIGNAL_MS = 500;
/** Work that waits for a silent server shows no progress, at which it would end. */
const END_WITHIN_MS = 5_000;

/**
 * Aborts by the first signal, with `Interrupted` as the reason, so that the work can remove what it has begun. The
 * process ends at once by a second signal, and after five seconds. The exit code is 130 for Ctrl-C.
 * @param remains what is left of the work then, such as `no backup was made`
 */
export function interruption(remains: string): AbortSignal {
  const interrupting = new AbortController();
  let firstMs: number | null = null;
  for (const name of SIGNALS) {
    const code = 128 + constants.signals[name];
    process.on(name, () => {
      if (firstMs !== null && performance.now() - firstMs < SAME_SIGNAL_MS) return;
      if (firstMs !== null) process.exit(code);
      firstMs = performance.now();
      interrupting.abort(new Interrupted(code, remains));
      setTimeout(() => process.exit(code), END_WITHIN_MS).unref();
    });
  }
  return interrupting.signal;
}
