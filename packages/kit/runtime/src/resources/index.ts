export { lowerPriority, lowerThreadPriority } from './priority.ts';
export { withSmallHeap } from './small-heap.ts';
