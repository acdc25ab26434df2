import type { Clock } from '@paper/timing';
import { LiveHub } from './live-hub.ts';

/** A hidden tab stays connected for this long, since people switch back and forth. */
const HIDDEN_MS = 10_000;

const timer: Pick<Clock, 'after'> = {
  after: (delayMs, work) => {
    const id = window.setTimeout(work, delayMs);
    return () => clearTimeout(id);
  },
};

// Only secure contexts have locks, although the types say that all have.
const locks = (navigator.locks as LockManager | undefined) ?? null;

export const browserHub = new LiveHub({ locks, timer, fetch: (input, init) => fetch(input, init) });

let cancelHiding = (): void => undefined;

function followVisibility(): void {
  cancelHiding();
  if (document.visibilityState === 'visible') browserHub.activate();
  else cancelHiding = timer.after(HIDDEN_MS, () => browserHub.deactivate());
}

document.addEventListener('visibilitychange', followVisibility);
// The browser closes the page, or freezes it until the person comes back.
window.addEventListener('pagehide', () => browserHub.deactivate());
window.addEventListener('pageshow', followVisibility);
window.addEventListener('online', () => browserHub.retryNow());
followVisibility();
