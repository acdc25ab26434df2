/**
 * A thread does not inherit loaders. Where the TypeScript source runs directly, it must first register the TypeScript
 * loader.
 */
import { tsImport } from 'tsx/esm/api';

await tsImport('./judging-thread.ts', import.meta.url);
