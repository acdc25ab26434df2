import { Worker } from 'node:worker_threads';

const SOURCE = import.meta.url.endsWith('.ts');
const FROM_SOURCE = new URL('from-source.mjs', import.meta.url);

/**
 * Starts a thread that runs the module `name` beside `base`, with this `data`. It does not keep the process alive.
 * @param youngMb the limit of V8's young generation in megabytes; default: V8's
 */
export function startThread(name: string, base: string, data: unknown, youngMb?: number): Worker {
  const module = new URL(`${name}.${SOURCE ? 'ts' : 'js'}`, base);
  const worker = new Worker(SOURCE ? FROM_SOURCE : module, {
    workerData: { module: module.href, data },
    execArgv: [],
    ...(youngMb === undefined ? {} : { resourceLimits: { maxYoungGenerationSizeMb: youngMb } }),
  });
  worker.unref();
  return worker;
}
