import { Worker } from 'node:worker_threads';

const SOURCE = import.meta.url.endsWith('.ts');
const FROM_SOURCE = new URL('from-source.mjs', import.meta.url);

/** Starts a thread that runs the module `name` beside `base`, with this `data`. It does not keep the process alive. */
export function startThread(name: string, base: string, data: unknown): Worker {
  const module = new URL(`${name}.${SOURCE ? 'ts' : 'js'}`, base);
  const worker = new Worker(SOURCE ? FROM_SOURCE : module, { workerData: { module: module.href, data }, execArgv: [] });
  worker.unref();
  return worker;
}
