import { checkReceipts } from './check-receipts.ts';
import type { CheckProgress, CheckRequest, CheckResult } from './check-receipts.ts';

export type CheckMessage = { readonly progress: CheckProgress } | { readonly result: CheckResult };

const send = (message: CheckMessage): void => self.postMessage(message);
const access = {
  origin: self.location.origin,
  pause: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
};

self.addEventListener('message', ({ data }: MessageEvent<CheckRequest>) => {
  void checkReceipts(data, access, (progress) => send({ progress })).then((result) => send({ result }));
});
