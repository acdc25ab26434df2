import { useEffect, useState } from 'preact/hooks';
import { whenIdle } from '../../base/when-idle.ts';

/**
 * The key under which the operators' page stores that an operator is signed in at this browser, so that the navigation
 * links to it. It is no secret and opens nothing: the session is in a cookie that no script can read and that goes to
 * operators' calls alone.
 */
export const OPERATOR_NOTE = 'paper-operator';

/** Whether the operators' page has stored that an operator is signed in at this browser. False in the first paint. */
export function useOperatorSignedIn(): boolean {
  const [isHere, setIsHere] = useState(false);
  useEffect(() => {
    const read = (): void => {
      try {
        setIsHere(OPERATOR_NOTE in localStorage);
      } catch {
        // The person's browser allows this site to store nothing.
      }
    };
    // The browser opens the storage at the first use, which takes long before the page has answered to input.
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
