/**
 * One read serves all that wait for it. Whoever comes while one is under way waits for the next: the one under way may
 * have looked before something that this caller knows of.
 */
export function shareReads<T>(read: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const begin = (): Promise<T> => {
    const reading = read();
    current = reading;
    const done = (): void => {
      if (current === reading) current = null;
    };
    reading.then(done, done);
    return reading;
  };
  const start = (): Promise<T> => {
    next = null;
    return begin();
  };
  return () => {
    if (current === null) return begin();
    next ??= current.then(start, start);
    return next;
  };
}
