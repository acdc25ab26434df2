import { ApiError } from '@paper/contracts';

/**
 * Waits for the work at most this long; then throws ApiError unavailable. The work itself continues, and its result is
 * ignored. A result that is there at once is returned at once.
 */
export async function within<T>(ms: number, work: () => T | Promise<T>): Promise<T> {
  const begun = work();
  if (!(begun instanceof Promise)) return begun;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ApiError('unavailable', 'It took too long; try again')), ms);
  });
  try {
    return await Promise.race([begun, late]);
  } finally {
    clearTimeout(timer);
  }
}
