import { useEffect, useState } from 'preact/hooks';

/**
 * Notes that an operator is signed in at this browser, so that the navigation leads to their page. It is no secret and
 * opens nothing: the session is in a cookie that no script can read and that is sent to operators' calls alone.
 */
const KEY = 'paper-operator';
/** The event `storage` comes to the other tabs only. */
const CHANGED = 'paper-operator-changed';

/** Notes that an operator is signed in here, or no more. */
export function noteOperator(isSignedIn: boolean): void {
  const stored = storage();
  if (stored === null || (stored.getItem(KEY) !== null) === isSignedIn) return;
  if (isSignedIn) stored.setItem(KEY, 'signed in');
  else stored.removeItem(KEY);
  window.dispatchEvent(new Event(CHANGED));
}

/** Whether an operator is signed in at this browser, as far as its page has noted. False in the first paint. */
export function useOperatorHere(): boolean {
  const [isHere, setIsHere] = useState(false);
  useEffect(() => {
    const read = (): void => setIsHere(typeof storage()?.getItem(KEY) === 'string');
    read();
    window.addEventListener('storage', read);
    window.addEventListener(CHANGED, read);
    return () => {
      window.removeEventListener('storage', read);
      window.removeEventListener(CHANGED, read);
    };
  }, []);
  return isHere;
}

/** Null where the person's browser allows this site to store nothing. */
function storage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
