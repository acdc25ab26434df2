export { lowerPriority, lowerThreadPriority } from './priority.ts';
export { startThread } from './start-thread.ts';
