export { ProjectionTrace } from './projection-trace.ts';
export { ProjectorService, type ProjectorServiceOptions } from './projector-service.ts';
export type { ProjectorState, ProjectorStatus } from './projector-status.ts';
export { projectorSettings } from './config.ts';
