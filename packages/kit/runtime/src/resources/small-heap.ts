import { setFlagsFromString } from 'node:v8';

/** How much the heap may grow after a collection, in percent of what was in use. */
const GROWTH_PERCENT = 50;

/**
 * Does the work while V8 collects garbage before the heap has grown by half. By itself it lets the heap grow to four times
 * what is in use, so that work with much garbage takes hundreds of megabytes for good. Collecting costs more meanwhile.
 */
export async function withSmallHeap<T>(work: () => Promise<T>): Promise<T> {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  try {
    return await work();
  } finally {
    // V8 decides by itself.
    setFlagsFromString('--heap-growing-percent=0');
  }
}
