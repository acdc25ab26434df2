import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

/** The person's own account, in dollars. */
interface Worth {
  readonly cash: number;
  readonly portfolioValue: number;
}

const CHANGED = 'changed';
const changes = new EventTarget();
let shown: Worth | null = null;

function show(worth: Worth | null): void {
  shown = worth;
  changes.dispatchEvent(new Event(CHANGED));
}

/** Reports the amounts that a page shows to the header, which then shows the same; null for none. */
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
