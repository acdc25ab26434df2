export { lowerPriority, lowerThreadPriority } from './priority.ts';
export { withSmallHeap } from './small-heap.ts';
export { startThread } from './start-thread.ts';
