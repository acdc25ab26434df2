export { createProjectorService, type ProjectorService, type ProjectorServiceOptions } from './projector-service.ts';
export type { Lag, ProjectorState, ProjectorStatus } from './projector-status.ts';
