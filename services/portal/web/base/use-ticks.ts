import { useEffect, useState } from 'preact/hooks';

const TICK_MS = 20_000;

/** Renders the component again every 20 s while `isOn`, so that relative times stay right. */
export function useTicks(isOn: boolean): void {
  const [, setTicks] = useState(0);
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setInterval(() => setTicks((before) => before + 1), TICK_MS);
    return () => clearInterval(timer);
  }, [isOn]);
}
