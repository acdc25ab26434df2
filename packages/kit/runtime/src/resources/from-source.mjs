/** Registers the TypeScript loader, which a thread does not inherit, when the source runs directly. */
import { workerData } from 'node:worker_threads';
import { tsImport } from 'tsx/esm/api';

await tsImport(workerData.module, import.meta.url);
