export { FolderInUse, lockFolder } from './folder-lock.ts';
export { freePort } from './free-port.ts';
export { lifelinePrefix } from './lifeline.ts';
export { writePrivateFile } from './private-file.ts';
export { isProcessOf, processStartedAt } from './process-identity.ts';
export { randomSecret, storedSecret } from './stored-secret.ts';
