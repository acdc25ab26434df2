import { useEffect, useState } from 'preact/hooks';
import { whenIdle } from '../../base/when-idle.ts';

/**
 * The key under which the operators' page stores that an operator is signed in at this browser, so that the navigation
 * links to that page. The stored value is no secret and permits nothing. The session is in a cookie that no script can
 * read and that is sent with operators' calls alone.
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
    // Opening the storage takes a browser long, so it waits until the page has become interactive.
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
