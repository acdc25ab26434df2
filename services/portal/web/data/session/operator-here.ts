import { useEffect, useState } from 'preact/hooks';
import { whenIdle } from '../../base/when-idle.ts';

/** Set while an operator is signed in here. It only shows a link: scripts cannot read the session's cookie. */
export const OPERATOR_NOTE = 'paper-operator';

/** Whether an operator is signed in at this browser. False in the first paint. */
export function useOperatorSignedIn(): boolean {
  const [isHere, setIsHere] = useState(false);
  useEffect(() => {
    const read = (): void => {
      try {
        setIsHere(OPERATOR_NOTE in localStorage);
      } catch {
        // The browser does not let this site store anything.
      }
    };
    // Opening the storage takes long, so it waits until the page is interactive.
    const cancel = whenIdle(() => {
      read();
      window.addEventListener('storage', read);
    });
    return () => {
      cancel();
      window.removeEventListener('storage', read);
    };
  }, []);
  return isHere;
}
