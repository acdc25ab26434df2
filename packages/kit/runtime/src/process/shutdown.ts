import type { Logger } from 'pino';

export interface Host {
  readonly on: (signal: 'SIGINT' | 'SIGTERM', listener: () => void) => unknown;
  readonly exit: (code: number) => void;
}

/** The time limit of an orderly stop, after which the process ends anyway; the promise to people is 5 s. */
export const STOP_MS = 4_800;
/** Ctrl-C under `npm start` comes twice within milliseconds: from the terminal, and passed on by npm. */
const SAME_SIGNAL_MS = 500;

/** Stops once on SIGINT or SIGTERM: exit code 0, 1 when `stop` fails or takes too long, 130 at a second signal. */
export function runUntilSignal(
  stop: () => Promise<void>,
  settings: { readonly logger: Logger; readonly stopMs?: number; readonly host?: Host; readonly now?: () => number },
): void {
  const { logger, stopMs = STOP_MS, host = process, now = () => performance.now() } = settings;
  let signalledAt: number | null = null;
  const onSignal = (): void => {
    if (signalledAt !== null) {
      if (now() - signalledAt >= SAME_SIGNAL_MS) host.exit(130);
      return;
    }
    signalledAt = now();
    const force = setTimeout(() => {
      logger.error({ stopMs }, 'stopping took too long');
      host.exit(1);
    }, stopMs);
    stop()
      .then(
        () => 0,
        (error: unknown) => {
          logger.error({ err: error }, 'stopping failed');
          return 1;
        },
      )
      .then((code) => {
        clearTimeout(force);
        host.exit(code);
      })
      .catch(() => undefined);
  };
  host.on('SIGINT', onSignal);
  host.on('SIGTERM', onSignal);
}
