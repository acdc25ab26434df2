import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

/** The value of the person's own account, in dollars. */
export interface Worth {
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

/**
 * Reports the amounts that a page shows to the header, so that both always show the same. Null if the page shows none.
 */
export function useShowWorth(worth: Worth | null): void {
  useLayoutEffect(() => show(worth), [worth]);
  useLayoutEffect(() => () => show(null), []);
}

/** The amounts that the page shows; null if it shows none. */
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
