/**
 * A thread begins without what its parent has loaded: where the source itself is run, it first needs the loader of
 * TypeScript.
 */
import { workerData } from 'node:worker_threads';
import { tsImport } from 'tsx/esm/api';

await tsImport(workerData.module, import.meta.url);
