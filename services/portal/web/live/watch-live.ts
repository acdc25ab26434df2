import { whenIdle } from '../base/when-idle.ts';
import type { LiveHub, Watcher } from './live-hub.ts';

/** The pause before the code is loaded again: loading fails while the service is down. */
const RETRY_MS = 3_000;

let hub: Promise<LiveHub> | null = null;

/** Adds a watcher until the returned function is called. The code of live streams is loaded once the page is idle. */
export function watchLive(watcher: Watcher): () => void {
  let stop = (): void => undefined;
  let isOver = false;
  const begin = (): void => {
    loadHub().then(
      (loaded) => {
        if (isOver) return;
        stop = loaded.watch(watcher);
      },
      () => {
        if (isOver) return;
        const timer = window.setTimeout(begin, RETRY_MS);
        stop = () => clearTimeout(timer);
      },
    );
  };
  if (hub === null) stop = whenIdle(begin);
  else begin();
  return () => {
    isOver = true;
    stop();
  };
}

function loadHub(): Promise<LiveHub> {
  hub ??= import('./browser-hub.ts').then(({ browserHub }) => browserHub);
  hub.catch(() => (hub = null));
  return hub;
}
