export { FairQueue, type Lane } from './fair-queue.ts';
export { Fifo } from './fifo.ts';
