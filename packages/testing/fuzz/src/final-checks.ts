import type { RunningStandalone } from '@paper/testkit/exchange';
import { checkReceipts } from './receipts.ts';
import type { Receipt } from './receipts.ts';

/** Compares the journal with the receipts; returns the number of decisions. @throws Error when they differ */
export async function compareWithReceipts(service: RunningStandalone, receipts: readonly Receipt[]): Promise<number> {
  const journal = await service.openJournal();
  try {
    return await checkReceipts(journal, receipts);
  } finally {
    await journal.close();
  }
}

/** The reasons why the service is not ready; empty if it is ready. */
export async function unreadyReasons({ metricsUrl }: RunningStandalone): Promise<readonly string[]> {
  const answer = await fetch(new URL('/health/ready', metricsUrl));
  const said = await answer.text();
  return answer.ok ? [] : [`The service is not ready any more: ${said}`];
}

/** Lines of level error and above, and lines that are not log lines. */
export function faultsInLog(service: RunningStandalone): readonly string[] {
  return service
    .output()
    .split('\n')
    .filter((line) => /"level":"(error|fatal)"/.test(line) || /^\s+at |Warning:/.test(line))
    .map((line) => `In the log: ${line}`);
}
