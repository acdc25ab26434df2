export { startEmbeddedPostgres, type EmbeddedPostgres, type EmbeddedPostgresOptions } from './server.ts';
export { FolderInUse, lockFolder } from './folder-lock.ts';
export { writePrivateFile } from './private-file.ts';
