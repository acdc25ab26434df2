const LOOK_MS = 100;
/** Below this rate orders and backtests both have room: the bots of the demo markets make some 40 events a second. */
const BUSY_EVENTS_A_SECOND = 200;

interface LiveLoadOptions {
  /** The sequence of the live exchange's newest event. Beside the services it is the one that their read models show. */
  readonly journalSeq: () => number | Promise<number>;
  readonly hasBacktests: () => boolean;
  readonly onChange: (isBusy: boolean) => void;
}

/** Tells from the growth of its journal whether the live exchange is busy, while there are backtests. */
export function watchLiveLoad({ hasBacktests, journalSeq, onChange }: LiveLoadOptions) {
  let isBusy = false;
  let isLooking = false;
  let before: { readonly atMs: number; readonly seq: number } | null = null;
  const look = async (): Promise<void> => {
    const seq = hasBacktests() ? await journalSeq() : null;
    const now = seq === null ? null : { atMs: performance.now(), seq };
    const perSecond = before === null || now === null ? 0 : (1_000 * (now.seq - before.seq)) / (now.atMs - before.atMs);
    before = now;
    if (isBusy === perSecond > BUSY_EVENTS_A_SECOND) return;
    isBusy = !isBusy;
    onChange(isBusy);
  };
  const lookAgain = (): void => {
    // Two looks that wait for one answer of a slow database would show no growth between them.
    if (isLooking) return;
    isLooking = true;
    // The last state counts while the newest sequence cannot be read.
    void look()
      .catch(() => undefined)
      .finally(() => (isLooking = false));
  };
  const timer = setInterval(lookAgain, LOOK_MS);
  timer.unref();
  return {
    isBusy: (): boolean => isBusy,
    stop: (): void => clearInterval(timer),
  };
}
