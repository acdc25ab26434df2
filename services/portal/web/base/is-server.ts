/** Whether this code renders the first paint on the server, which knows no person's time zone and has no document. */
export const IS_SERVER = typeof document === 'undefined';
