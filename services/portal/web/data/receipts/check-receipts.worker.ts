import { checkReceipts } from './check-receipts.ts';
import { ownJournal } from './journal-page.ts';
import type { CheckProgress, CheckRequest, CheckResult } from './check-receipts.ts';

export type CheckMessage = { readonly progress: CheckProgress } | { readonly result: CheckResult };

const send = (message: CheckMessage): void => self.postMessage(message);

self.addEventListener('message', ({ data }: MessageEvent<CheckRequest>) => {
  void checkReceipts(data, ownJournal(self.location.origin), (progress) => send({ progress })).then((result) =>
    send({ result }),
  );
});
