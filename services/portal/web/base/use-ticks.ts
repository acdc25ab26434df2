import { useEffect, useState } from 'preact/hooks';

/** Relative times are right to this. */
const TICK_MS = 20_000;

const listeners = new Set<() => void>();
let timer = 0;

/** Renders again every 20 s while `isOn`. */
export function useTicks(isOn: boolean): void {
  const [, setTicks] = useState(0);
  useEffect(() => {
    if (!isOn) return undefined;
    const tick = (): void => setTicks((before) => before + 1);
    listeners.add(tick);
    if (listeners.size === 1) {
      timer = window.setInterval(() => {
        for (const listener of listeners) listener();
      }, TICK_MS);
    }
    return () => {
      listeners.delete(tick);
      if (listeners.size === 0) clearInterval(timer);
    };
  }, [isOn]);
}
