/** A thread does not inherit loaders, so it registers the TypeScript loader when it runs from source. */
import { tsImport } from 'tsx/esm/api';

await tsImport('./judging-thread.ts', import.meta.url);
