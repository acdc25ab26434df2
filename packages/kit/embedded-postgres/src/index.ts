export { fillNewCluster } from './beside.ts';
export { assertOwnCluster } from './cluster-owner.ts';
export { startEmbeddedPostgres, type EmbeddedPostgres, type EmbeddedPostgresOptions } from './server.ts';
export { runningPostgres } from './handover.ts';
