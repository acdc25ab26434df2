import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export type CuttableProxy = Awaited<ReturnType<typeof createCuttableProxy>>;

/**
 * Starts a proxy in front of a server. A test can cut and restore its connections. The proxy runs on its own thread,
 * so that a test that blocks the main thread does not delay the renewal of a lease.
 */
export async function createCuttableProxy(target: string) {
  const { hostname, port } = new URL(target);
  const orders = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const worker = new Worker(new URL('cuttable-proxy-thread.mjs', import.meta.url), {
    execArgv: [],
    workerData: { hostname, port: Number(port), orders },
  });
  const [ownPort] = (await once(worker, 'message')) as [number];
  const carryOut = (order: { readonly cut: boolean; readonly but?: string | undefined }): void => {
    const before = Atomics.load(orders, 0);
    worker.postMessage(order);
    Atomics.wait(orders, 0, before);
  };
  const url = new URL(target);
  url.host = `127.0.0.1:${ownPort}`;
  return {
    url: url.href,
    /** Cuts every connection, new ones included, except those whose first bytes contain `but`. */
    cut: (but?: string): void => carryOut({ cut: true, but }),
    mend: (): void => carryOut({ cut: false }),
    async close(): Promise<void> {
      await worker.terminate();
    },
  };
}
