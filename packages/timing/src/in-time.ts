/**
 * Waits for the work at most this long; after that, `late` gives the result or throws. The work itself continues, and
 * its outcome is ignored.
 */
export function inTime<T, L>(work: Promise<T>, ms: number, late: () => L): Promise<T | L> {
  // One promise, where a race of the work with a timer takes five: every request is waited for in this way.
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      try {
        resolve(late());
      } catch (error) {
        reject(error);
      }
    }, ms);
    work.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
