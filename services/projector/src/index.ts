export {
  createProjectorService,
  type Lag,
  type ProjectorService,
  type ProjectorServiceOptions,
  type ProjectorState,
  type ProjectorStatus,
} from './projector-service.ts';
