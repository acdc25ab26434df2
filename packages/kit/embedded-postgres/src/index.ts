export { fillNewCluster } from './beside.ts';
export { assertOwnCluster } from './cluster-owner.ts';
export { clusterIn } from './data-folder.ts';
export { startEmbeddedPostgres, type EmbeddedPostgres } from './server.ts';
export { runningPostgres } from './handover.ts';
export { keepEmbeddedPostgres, type KeptPostgres } from './keep-running.ts';
export { DiskFull, freeBytes, isFull } from './disk-space.ts';
