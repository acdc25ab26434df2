/** Whether this code renders the first paint on the server, which has no document and knows no person's time zone. */
export const IS_SERVER = typeof document === 'undefined';
