import type { PulseEntryBody } from '@paper/contracts/markets';
import { useEffect, useState } from 'preact/hooks';
import { CONNECTING, withState } from './live-state.ts';
import type { LiveState } from './live-state.ts';
import { watchLive } from './watch-live.ts';

export interface Live {
  readonly state: LiveState;
  /** The newest prices; a new map for each pulse. */
  readonly markets: ReadonlyMap<string, PulseEntryBody>;
}

/** Follows the prices of these markets, at most 100, every 2 s. */
export function useLive(marketIds: readonly string[]): Live {
  const key = marketIds.join(',');
  const [live, setLive] = useState<Live>({ state: CONNECTING, markets: new Map() });
  useEffect(() => {
    if (key === '') return undefined;
    const ids = key.split(',');
    const wanted = new Set(ids);
    return watchLive({
      follows: { marketIds: ids },
      onState: (state) => setLive((before) => withState(before, state)),
      onPulse: (entries) => {
        const mine = entries.filter(({ id }) => wanted.has(id));
        if (mine.length === 0) return;
        setLive(({ state, markets }) => {
          const old = [...markets].filter(([id]) => wanted.has(id));
          return { state, markets: new Map([...old, ...mine.map((entry) => [entry.id, entry] as const)]) };
        });
      },
    });
  }, [key]);
  return live;
}
