import { ApiError } from '@paper/contracts';

/** Waits for work so long and no longer; then throws ApiError unavailable. The work itself goes on, unheard. */
export async function within<T>(ms: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ApiError('unavailable', 'It took too long; try again')), ms);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
