/** The event of `sessionRefusals`. */
export const REFUSED = 'refused';

/**
 * Dispatches an event whenever the service refuses a call without a session, so that pages notice that it has ended.
 */
export const sessionRefusals = new EventTarget();
