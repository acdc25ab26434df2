import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The bytes of this process in use after a garbage collection: in the heap, and in buffers outside of it. */
export function memoryInUse(): { readonly heap: number; readonly buffers: number } {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let n = 0; n < 3; n += 1) collect();
  const { external, heapUsed } = process.memoryUsage();
  return { heap: heapUsed, buffers: external };
}
