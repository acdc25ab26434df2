import type { PulseEntryBody } from '@paper/contracts/markets';
import { useEffect, useRef, useState } from 'preact/hooks';
import { CONNECTING, withState } from './live-state.ts';
import { watchLive } from './watch-live.ts';

/** The newest figures of a list's markets. A pulse (new prices, every 2 s) renders only the rows that it changes. */
export class LiveEntries {
  readonly #latest = new Map<string, PulseEntryBody>();
  readonly #watchers = new Map<string, (entry: PulseEntryBody) => void>();

  get(marketId: string): PulseEntryBody | null {
    return this.#latest.get(marketId) ?? null;
  }

  /** Calls `onChange` at each change of a market's figures, until the returned function is called. */
  watch(marketId: string, onChange: (entry: PulseEntryBody) => void): () => void {
    this.#watchers.set(marketId, onChange);
    return () => {
      if (this.#watchers.get(marketId) === onChange) this.#watchers.delete(marketId);
    };
  }

  take(entries: readonly PulseEntryBody[]): void {
    for (const entry of entries) {
      const before = this.#latest.get(entry.id);
      this.#latest.set(entry.id, entry);
      if (before?.seq !== entry.seq || before.probability !== entry.probability) this.#watchers.get(entry.id)?.(entry);
    }
  }
}

/** Follows the prices of these markets, at most 100, every 2 s. */
export function useLiveEntries(marketIds: readonly string[]) {
  const key = marketIds.join(',');
  const [state, setState] = useState(CONNECTING);
  const entries = useRef<LiveEntries | null>(null);
  entries.current ??= new LiveEntries();
  const { current } = entries;
  useEffect(() => {
    if (key === '') return undefined;
    return watchLive({
      follows: { marketIds: key.split(',') },
      onState: (next) => setState((before) => withState({ state: before }, next).state),
      onPulse: (pulse) => current.take(pulse),
    });
  }, [key, current]);
  return { state, entries: current };
}
