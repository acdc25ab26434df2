const LOOK_MS = 100;
/** Fewer leave enough of the processors to backtests: the bots of the demo markets make some 40 a second. */
const BUSY_EVENTS_A_SECOND = 200;

interface LiveLoadOptions {
  /** The sequence of the live exchange's newest event. */
  readonly journalSeq: () => number | Promise<number>;
  readonly hasBacktests: () => boolean;
  readonly onChange: (isBusy: boolean) => void;
}

/** Tells from the growth of its journal whether the live exchange is busy, while there are backtests. */
export function watchLiveLoad({ hasBacktests, journalSeq, onChange }: LiveLoadOptions) {
  let isBusy = false;
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
  // Where the newest sequence cannot be read now, the last state counts.
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_MS);
  timer.unref();
  return {
    isBusy: (): boolean => isBusy,
    stop: (): void => clearInterval(timer),
  };
}
