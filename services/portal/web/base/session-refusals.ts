/** The type of the events of `sessionRefusals`. */
export const REFUSED = 'refused';

/**
 * Dispatches an event whenever the service refuses a call because it has no session, so that pages notice the end of
 * their session.
 */
export const sessionRefusals = new EventTarget();
