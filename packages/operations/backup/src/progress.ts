/**
 * Gets how far a step has come, in events, some times a second. It may throw: that ends the work, which undoes what it
 * has begun.
 */
export type OnProgress = (doing: string, done: number, of: number) => void;

/** For callers that show nothing. */
export const unseen: OnProgress = () => undefined;
