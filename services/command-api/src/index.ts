export { createCommandSide, type CommandSide, type CommandSideOptions } from './command-side.ts';
export type { EndedOrder, ProjectionStatus, ReadModel } from './routes/desk.ts';
export { systemClock, type Clock } from './writer/clock.ts';
