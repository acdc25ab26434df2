import { useEffect, useState } from 'preact/hooks';

/** Relative times are right to this. */
const TICK_MS = 20_000;

/** Renders again every 20 s while `isOn`. */
export function useTicks(isOn: boolean): void {
  const [, setTicks] = useState(0);
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setInterval(() => setTicks((before) => before + 1), TICK_MS);
    return () => clearInterval(timer);
  }, [isOn]);
}
