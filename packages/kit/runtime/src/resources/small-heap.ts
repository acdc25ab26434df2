import { setFlagsFromString } from 'node:v8';

/** How much the heap may grow after a collection, in percent of what was in use. */
const GROWTH_PERCENT = 50;

/**
 * Does the work while V8 collects garbage before the heap has grown by half. By default V8 lets the heap grow to four
 * times what is in use, so that work with much garbage keeps hundreds of megabytes for good. Collecting costs more
 * meanwhile.
 */
export async function withSmallHeap<T>(work: () => Promise<T>): Promise<T> {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  try {
    return await work();
  } finally {
    // Gives the decision back to V8.
    setFlagsFromString('--heap-growing-percent=0');
  }
}
