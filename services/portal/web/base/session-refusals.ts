/** The event of `sessionRefusals`. */
export const REFUSED = 'refused';

/** Has an event whenever the service refuses a call because no one is signed in, also where a page believes otherwise. */
export const sessionRefusals = new EventTarget();
