/**
 * Waits for the work at most this long; after that, `late` gives the result or throws. The work itself continues, and
 * its outcome is ignored.
 */
export async function inTime<T, L>(work: Promise<T>, ms: number, late: () => L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    return await Promise.race([work, waited.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
