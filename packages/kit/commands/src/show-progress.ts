import { formatDuration, RateMeter } from '@paper/timing';
import { interrupted } from './interruption.ts';
import { startProgress } from './progress.mjs';

export interface Progress {
  /** Shows the progress. Throws Error when the command is interrupted, so that the work undoes what it has begun. */
  readonly show: (doing: string, done: number, target: number) => void;
  readonly clear: () => void;
}

/** Shows how much is done, how much a second, and the remaining time, as `startProgress` does. */
export function showProgress(unit = 'events'): Progress {
  let meter = new RateMeter();
  let shown: { readonly doing: string; readonly line: ReturnType<typeof startProgress> } | null = null;
  let [count, end] = [0, 0];
  const detail = (): string => {
    // The target is not known before the work has begun.
    if (end === 0) return '';
    const percent = Math.floor((100 * count) / end);
    const rate = meter.perSecond;
    const perSecond = Number(rate.toFixed(rate < 10 ? 1 : 0));
    return `${percent} %: ${count} of ${end} ${unit}, ${perSecond} ${unit}/s, ${formatDuration(meter.msTo(end))} left`;
  };
  const clear = (): void => {
    shown?.line.done();
    shown = null;
  };
  return {
    show(doing, done, target) {
      interrupted.throwIfAborted();
      // A step that continues the count of the previous step keeps its rate.
      if (shown?.doing !== doing && (done < count || target !== end)) meter = new RateMeter();
      meter.add(performance.now(), done);
      [count, end] = [done, target];
      if (shown?.doing === doing) return;
      clear();
      shown = { doing, line: startProgress(doing, { detail }) };
    },
    clear,
  };
}

export async function showWhile<T>(doing: string, work: () => Promise<T>): Promise<T> {
  const line = startProgress(doing);
  try {
    return await work();
  } finally {
    line.done();
  }
}
