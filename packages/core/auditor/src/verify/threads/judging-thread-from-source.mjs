/**
 * A thread does not inherit loaders. When the TypeScript source runs directly, the thread must first register the
 * TypeScript loader.
 */
import { tsImport } from 'tsx/esm/api';

await tsImport('./judging-thread.ts', import.meta.url);
