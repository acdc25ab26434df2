/**
 * Single flight: one read serves all callers that wait. A caller that comes while a read is in flight waits for the
 * next, since the one in flight may have begun before a change that the caller has seen.
 */
export function coalesceReads<T>(read: () => Promise<T>): () => Promise<T> {
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
