/** Whether the first paint is rendered here: the server knows no person's time zone, and has no document. */
export const IS_SERVER = typeof document === 'undefined';
