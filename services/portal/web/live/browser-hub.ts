import type { Clock } from '@paper/timing';
import { LiveHub } from './live-hub.ts';

/** A tab that is hidden for less than this stays connected, since people switch back and forth. */
const HIDDEN_MS = 10_000;

const timer: Pick<Clock, 'after'> = {
  after: (delayMs, work) => {
    const id = window.setTimeout(work, delayMs);
    return () => clearTimeout(id);
  },
};

// Only secure contexts have locks, whatever the types say.
const locks = (navigator.locks as LockManager | undefined) ?? null;

/** The hub of this tab, which follows whether the tab can be seen. */
export const browserHub = new LiveHub({
  locks,
  timer,
  fetch: (input, init) => fetch(input, init),
});

let cancelHiding = (): void => undefined;

function followVisibility(): void {
  cancelHiding();
  if (document.visibilityState === 'visible') browserHub.activate();
  else cancelHiding = timer.after(HIDDEN_MS, () => browserHub.deactivate());
}

document.addEventListener('visibilitychange', followVisibility);
// The page is closed, or frozen to be shown again by the Back button.
window.addEventListener('pagehide', () => browserHub.deactivate());
window.addEventListener('pageshow', followVisibility);
window.addEventListener('online', () => browserHub.retryNow());
followVisibility();
