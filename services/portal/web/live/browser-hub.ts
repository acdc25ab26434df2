import type { Clock } from '@paper/timing';
import { LiveHub } from './live-hub.ts';
import type { Channel } from './live-hub.ts';

const CHANNEL = 'paper-live';
/** A tab that is hidden for less than this goes on: people switch to and fro. */
const HIDDEN_MS = 10_000;

const timer: Pick<Clock, 'after'> = {
  after: (delayMs, work) => {
    const id = window.setTimeout(work, delayMs);
    return () => clearTimeout(id);
  },
};

let hub: LiveHub | null = null;

/** The hub of this tab, which follows whether the tab can be seen. */
export function browserHub(): LiveHub {
  hub ??= createHub();
  return hub;
}

function createHub(): LiveHub {
  // Only secure contexts have locks, whatever the types say.
  const locks = (navigator.locks as LockManager | undefined) ?? null;
  const created = new LiveHub({
    channel: locks === null ? null : (new BroadcastChannel(CHANNEL) as Channel),
    locks,
    tab: tabName(),
    timer,
    fetch: (input, init) => fetch(input, init),
  });
  let cancelHiding = (): void => undefined;
  const follow = (): void => {
    cancelHiding();
    if (document.visibilityState === 'visible') created.activate();
    else cancelHiding = timer.after(HIDDEN_MS, () => created.deactivate());
  };
  document.addEventListener('visibilitychange', follow);
  // The page is closed, or frozen to be shown again by the Back button.
  window.addEventListener('pagehide', () => created.deactivate());
  window.addEventListener('pageshow', follow);
  window.addEventListener('online', () => created.retryNow());
  follow();
  return created;
}

/** `crypto.randomUUID` is for secure contexts only. */
function tabName(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
}
