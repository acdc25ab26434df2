import { BackOff, pause as systemPause } from '@paper/timing';

/** A process that runs until it is stopped, or ends by itself. */
export interface RunningProcess {
  /** Resolves with the reason of the end. */
  readonly ended: Promise<string>;
  stop(): Promise<unknown>;
}

/** Events of a supervised process, for logs. */
export type ProcessEvent =
  | { readonly kind: 'ended'; readonly how: string; readonly restartMs: number }
  | { readonly kind: 'restarted' }
  | { readonly kind: 'failed'; readonly error: unknown; readonly restartMs: number };

export interface SupervisedProcess<R extends RunningProcess> {
  readonly first: R;
  status(): ProcessStatus<R>;
  /**
   * Starts the process anew at once, even in the pause before a restart.
   * @throws the error of the start, which is retried as usual; Error once the process is stopped for good.
   */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface ProcessStatus<R extends RunningProcess> {
  readonly running: R | null;
  /** The last start or end, in ms since 1970 UTC. */
  readonly sinceMs: number;
  readonly restarts: number;
}

export interface SuperviseOptions<R extends RunningProcess> {
  readonly start: () => Promise<R>;
  /** Starts the process in the way that `first` was started, unless the signal aborts. */
  readonly restart: (first: R, signal: AbortSignal) => Promise<R>;
  readonly onEvent: (event: ProcessEvent) => void;
  /** Ends early when the signal aborts. Default: the machine's timer. */
  readonly pause?: (ms: number, options: { readonly signal: AbortSignal }) => Promise<void>;
  readonly now?: () => number;
}

const BACK_OFF = { firstMs: 250, longestMs: 10_000 };
/** A process that ran for this long is restarted after the shortest pause. */
const STEADY_MS = 30_000;

/**
 * Keeps a process running: when it ends by itself it is started again, after a pause that doubles from a quarter of a
 * second to ten while it keeps ending. @throws the error of the first start, which is not retried.
 */
export async function superviseProcess<R extends RunningProcess>(
  options: SuperviseOptions<R>,
): Promise<SupervisedProcess<R>> {
  const { onEvent, pause = systemPause, now = () => performance.now() } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = (): boolean => signal.aborted;
  const first = await options.start();
  let current: R | null = first;
  let startedMs = now();
  let sinceMs = Date.now();
  let restarts = 0;
  const backOff = new BackOff(BACK_OFF);
  let asking: Asking | null = null;
  let hurry = new AbortController();

  const startAgain = async (): Promise<void> => {
    if (asking === null) await pause(backOff.ms, { signal: AbortSignal.any([signal, hurry.signal]) });
    hurry = new AbortController();
    backOff.next();
    if (stopped()) return;
    try {
      current = await options.restart(first, signal);
      startedMs = now();
      sinceMs = Date.now();
      restarts += 1;
      onEvent({ kind: 'restarted' });
      asking?.resolve();
    } catch (error) {
      if (!stopped()) onEvent({ kind: 'failed', error, restartMs: backOff.ms });
      asking?.reject(error);
    }
    asking = null;
  };
  const keep = async (): Promise<void> => {
    while (!stopped()) {
      if (current === null) {
        await startAgain();
        continue;
      }
      const how = await current.ended;
      current = null;
      sinceMs = Date.now();
      if (now() - startedMs >= STEADY_MS) backOff.reset();
      if (!stopped()) onEvent({ kind: 'ended', how, restartMs: asking === null ? backOff.ms : 0 });
    }
    asking?.reject(new Error('it is stopped'));
  };
  const kept = keep();
  return {
    first,
    status: () => ({ running: current, restarts, sinceMs }),
    async restart() {
      if (stopped()) throw new Error('it is stopped');
      asking ??= ask();
      hurry.abort();
      await Promise.all([asking.answer, current?.stop()]);
    },
    async stop() {
      stopping.abort();
      await current?.stop();
      await kept;
      // The process was stopped while it was being started.
      await current?.stop();
    },
  };
}

interface Asking {
  readonly answer: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

function ask(): Asking {
  let resolve: () => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const answer = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { answer, resolve, reject };
}
