import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

/** The person's own account, in dollars. */
type Worth = Readonly<{ cash: number; portfolioValue: number }>;

const CHANGED = 'changed';
const changes = new EventTarget();
let shown: Worth | null = null;

function show(worth: Worth | null): void {
  shown = worth;
  changes.dispatchEvent(new Event(CHANGED));
}

/** Tells the header which amounts the page shows, so that both show the same; null for none. */
export function useShowWorth(worth: Worth | null): void {
  useLayoutEffect(() => show(worth), [worth]);
  useLayoutEffect(() => () => show(null), []);
}

export function useShownWorth(): Worth | null {
  const [worth, setWorth] = useState(shown);
  useEffect(() => {
    const read = (): void => setWorth(shown);
    read();
    changes.addEventListener(CHANGED, read);
    return () => changes.removeEventListener(CHANGED, read);
  }, []);
  return worth;
}
