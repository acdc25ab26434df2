import cliProgress from 'cli-progress';
import { printError } from '@paper/runtime';
import { formatDuration, RateMeter } from '@paper/timing';

/** The interval between lines where standard error is no terminal. */
const LINE_MS = 10_000;

/** Shows on standard error how far work on the journal has come. */
export interface Progress {
  readonly show: (doing: string, seq: number, target: number) => void;
  readonly clear: () => void;
}

/** A bar on a terminal, else a line every ten seconds; both with events a second and the remaining time. */
export function showProgress(): Progress {
  const meter = new RateMeter();
  const bar = process.stderr.isTTY ? createBar() : null;
  let linedMs = performance.now();
  return {
    show(doing, seq, target) {
      meter.add(performance.now(), seq);
      const shown = { doing, left: formatDuration(meter.msTo(target)), rate: Math.round(meter.perSecond) };
      if (bar !== null) {
        if (!bar.isActive) bar.start(target, seq, shown);
        bar.setTotal(target);
        bar.update(seq, shown);
      } else if (performance.now() - linedMs >= LINE_MS) {
        linedMs = performance.now();
        printError(`${doing}: ${seq} of ${target} events, ${shown.rate} events/s, ${shown.left} left`);
      }
    },
    clear: () => bar?.stop(),
  };
}

function createBar(): cliProgress.SingleBar {
  return new cliProgress.SingleBar({
    stream: process.stderr,
    format: '{bar} {percentage}% | {value}/{total} events | {rate} events/s | {left} left | {doing}',
    clearOnComplete: true,
  });
}
