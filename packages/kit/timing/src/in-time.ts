/** Waits for the work at most this long; after that, `late` provides the result or throws, and the work continues. */
export function inTime<T, L>(work: Promise<T>, ms: number, late: () => L): Promise<T | L> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => void Promise.resolve().then(late).then(resolve, reject), ms);
    const stop = (): void => clearTimeout(timer);
    work.then(resolve, reject);
    // Cheaper than `finally`, which waits for the result of its function.
    work.then(stop, stop);
  });
}
