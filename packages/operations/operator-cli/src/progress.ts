import cliProgress from 'cli-progress';
import { printError } from '@paper/runtime';
import { formatDuration, RateMeter } from '@paper/timing';
import { interruption } from './interruption.ts';

/** The interval between lines where standard error is no terminal. */
const LINE_MS = 10_000;

/** Shows on standard error how far work has come. */
export interface Progress {
  /** @throws Interrupted where a signal has asked the process to end: the caller undoes what it has begun. */
  readonly show: (doing: string, done: number, target: number) => void;
  readonly clear: () => void;
  /** Aborted with `Interrupted` by a signal, for work that does not show its progress often. */
  readonly interrupted: AbortSignal;
}

/**
 * A bar on a terminal, else a line every ten seconds; both with the rate of this step and the remaining time.
 * @param remains what is left of the work where a signal ends it, such as `no backup was made`
 */
export function showProgress(remains = 'nothing was changed'): Progress {
  const interrupted = interruption(remains);
  const bar = process.stderr.isTTY ? createBar() : null;
  let meter = new RateMeter();
  let step = '';
  let linedMs = performance.now();
  return {
    interrupted,
    show(doing, done, target) {
      interrupted.throwIfAborted();
      if (doing !== step) [step, meter] = [doing, new RateMeter()];
      meter.add(performance.now(), done);
      const shown = { doing, left: formatDuration(meter.msTo(target)), rate: Math.round(meter.perSecond) };
      if (bar !== null) {
        if (!bar.isActive) bar.start(target, done, shown);
        bar.setTotal(target);
        bar.update(done, shown);
      } else if (performance.now() - linedMs >= LINE_MS) {
        linedMs = performance.now();
        printError(`${doing}: ${done} of ${target} events, ${shown.rate} events/s, ${shown.left} left`);
      }
    },
    clear: () => bar?.stop(),
  };
}

function createBar(): cliProgress.SingleBar {
  const bar = new cliProgress.SingleBar({
    stream: process.stderr,
    format: '{bar} {percentage}% | {value}/{total} events | {rate} events/s | {left} left | {doing}',
    clearOnComplete: true,
  });
  // It has turned off the terminal's line wrap.
  process.once('exit', () => bar.stop());
  return bar;
}
