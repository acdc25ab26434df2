/** Receives the progress in events. It may throw, which ends the work and undoes it. */
export type OnProgress = (doing: string, done: number, of: number) => void;

export const ignoreProgress: OnProgress = () => undefined;
