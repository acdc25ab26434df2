/**
 * A thread begins without what its parent has loaded: where the source itself is run, it first needs the loader of
 * TypeScript.
 */
import { tsImport } from 'tsx/esm/api';

await tsImport('./judging-thread.ts', import.meta.url);
