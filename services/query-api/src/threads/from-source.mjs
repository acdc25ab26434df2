/**
 * A thread does not inherit loaders. When the TypeScript source runs directly, the thread must first register the
 * TypeScript loader.
 */
import { workerData } from 'node:worker_threads';
import { tsImport } from 'tsx/esm/api';

await tsImport(workerData.module, import.meta.url);
