import type { rebuilding } from '@paper/read-models';
import cliProgress from 'cli-progress';
import { RateMeter } from './rate-meter.ts';

/** Between lines where standard error is no terminal. */
const LINE_MS = 10_000;

const DOING = {
  filling: 'filling',
  indexing: 'making indexes',
  checking: 'checking sums',
  swapping: 'swapping',
} as const;

export interface ShownProgress {
  readonly show: (progress: rebuilding.RebuildProgress) => void;
  /** Prints a closing sentence with the rate. */
  readonly end: (what: string, done: { readonly seq: number; readonly resumedAt: number }) => string;
  readonly clear: () => void;
}

/** A bar on a terminal, else a line every ten seconds; both with events a second and the remaining time. */
export function showProgress(): ShownProgress {
  const begunMs = performance.now();
  const meter = new RateMeter();
  const bar = process.stderr.isTTY ? createBar() : null;
  let linedMs = begunMs;
  return {
    show({ phase, seq, target }) {
      meter.add(performance.now(), seq);
      const shown = { doing: DOING[phase], left: duration(meter.msTo(target)), rate: Math.round(meter.perSecond) };
      if (bar !== null) {
        if (!bar.isActive) bar.start(target, seq, shown);
        bar.setTotal(target);
        bar.update(seq, shown);
      } else if (performance.now() - linedMs >= LINE_MS) {
        linedMs = performance.now();
        console.error(`${shown.doing}: ${seq} of ${target} events, ${shown.rate} events/s, ${shown.left} left`);
      }
    },
    end(what, { seq, resumedAt }) {
      bar?.stop();
      const seconds = (performance.now() - begunMs) / 1000;
      const events = seq - resumedAt;
      const from = resumedAt === 0 ? '' : ` from event ${resumedAt + 1} on, where one that was cut off had come to`;
      return `${what}: ${events} events${from}, in ${seconds.toFixed(1)} s (${Math.round(events / seconds)} events/s).`;
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

/** Formats as `1 h 05 min`, `3 min 20 s` or `12 s`; `?` while unknown. */
export function duration(ms: number | null): string {
  if (ms === null) return '?';
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return `${hours} h ${String(minutes).padStart(2, '0')} min`;
  return minutes > 0 ? `${minutes} min ${String(seconds % 60).padStart(2, '0')} s` : `${seconds} s`;
}
