import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** A way to a server that can be cut and mended, for those who must outlive it. */
export interface CuttableProxy {
  readonly url: string;
  /** Cuts every connection, and every new one at once; `but`: those whose first bytes contain this. */
  cut(but?: string): void;
  mend(): void;
  close(): Promise<void>;
}

/**
 * On a thread of its own: a test that works for a second must not be a second's outage to those behind the proxy, who
 * lose a lease by it.
 */
export async function createCuttableProxy(target: string): Promise<CuttableProxy> {
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
    cut: (but) => carryOut({ cut: true, but }),
    mend: () => carryOut({ cut: false }),
    async close() {
      await worker.terminate();
    },
  };
}
