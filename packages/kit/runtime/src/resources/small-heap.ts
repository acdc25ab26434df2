import { setFlagsFromString } from 'node:v8';

const GROWTH_PERCENT = 50;
/** The number of works under way: the heap stays small until the last has ended. */
let underway = 0;

/** Does the work with a smaller heap, which V8 otherwise lets grow to four times what is in use, and keeps so. */
export async function withSmallHeap<T>(work: () => Promise<T>): Promise<T> {
  underway += 1;
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  try {
    return await work();
  } finally {
    underway -= 1;
    if (underway === 0) setFlagsFromString('--heap-growing-percent=0');
  }
}
