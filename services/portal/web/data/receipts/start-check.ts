import { startWorker } from '../../base/boot.ts';
import type { CheckProgress, CheckRequest, CheckResult } from './check-receipts.ts';
import type { CheckMessage } from './check-receipts.worker.ts';

/** Starts a check in a worker, so that the page stays responsive. The result is null after `cancel`. */
export function startCheck(request: CheckRequest, onProgress: (progress: CheckProgress) => void) {
  const worker = startWorker('check-receipts');
  let cancel = (): void => undefined;
  const result = new Promise<CheckResult | null>((resolve, reject) => {
    cancel = () => resolve(null);
    worker.addEventListener('message', ({ data }: MessageEvent<CheckMessage>) => {
      if ('progress' in data) onProgress(data.progress);
      else resolve(data.result);
    });
    worker.addEventListener('error', ({ message }) => reject(new Error(`The check stopped: ${message}`)));
  }).finally(() => worker.terminate());
  worker.postMessage(request);
  return { result, cancel: () => cancel() };
}
