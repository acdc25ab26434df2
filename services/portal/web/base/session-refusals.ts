export const REFUSED = 'refused';

/** Dispatches an event when the service refuses a call for lack of a session. */
export const sessionRefusals = new EventTarget();
