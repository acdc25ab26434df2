export { startEmbeddedPostgres, type EmbeddedPostgres, type EmbeddedPostgresOptions } from './server.ts';
export { FolderInUse, lockFolder } from './folder-lock.ts';
export { freePort } from './free-port.ts';
export { runningPostgres } from './handover.ts';
export { lifelinePrefix } from './lifeline.ts';
export { writePrivateFile } from './private-file.ts';
export { randomSecret, storedSecret } from './stored-secret.ts';
