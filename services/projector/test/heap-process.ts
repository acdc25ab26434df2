import { withSmallHeap } from '../src/small-heap.ts';

/** Prints the largest size of the heap, in bytes, while garbage is made: with a small heap, and after that without. */

const ROUNDS = 200;
const ROWS = 2_000;
const COLUMNS = 100;
/** The rounds for which rows are in use: long enough to leave the young generation. */
const KEPT = 12;

async function peakBytes(): Promise<number> {
  const inUse: object[] = [];
  let peak = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    inUse.push(Array.from({ length: ROWS }, () => new Array<number>(COLUMNS).fill(round)));
    if (inUse.length > KEPT) inUse.shift();
    peak = Math.max(peak, process.memoryUsage().heapTotal);
  }
  return Promise.resolve(peak);
}

process.stdout.write(JSON.stringify({ small: await withSmallHeap(peakBytes), free: await peakBytes() }));
