import { OPERATOR_NOTE } from '../../data/session/operator-here.ts';

/** Stores, for the navigation of all tabs, whether an operator is signed in at this browser. */
export function noteOperator(isSignedIn: boolean): void {
  try {
    if (isSignedIn) localStorage.setItem(OPERATOR_NOTE, 'signed in');
    else localStorage.removeItem(OPERATOR_NOTE);
  } catch {
    // The person's browser allows this site to store nothing: the navigation has no entry then.
  }
  // The browser notifies the other tabs only, so this one is notified here.
  window.dispatchEvent(new Event('storage'));
}
