/**
 * Receives the progress of a step, in events, several times a second. It may throw, which ends the work; the work then
 * undoes what it has begun.
 */
export type OnProgress = (doing: string, done: number, of: number) => void;

/** Ignores the progress. */
export const unseen: OnProgress = () => undefined;
