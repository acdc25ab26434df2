import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { RunningStandalone } from '@paper/testkit';
import { checkReceipts, type Receipt } from './receipts.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** How many decisions the journal holds. Throws where one is nobody's, or a receipt is wrong. */
export async function heldAgainstReceipts(service: RunningStandalone, receipts: readonly Receipt[]): Promise<number> {
  const journal = await service.openJournal();
  try {
    return await checkReceipts(journal, receipts);
  } finally {
    await journal.close();
  }
}

/** What the operators' command says of the journal and the read models: `npm run audit -- verify`. */
export async function audited({
  dataDir,
}: RunningStandalone): Promise<{ readonly holds: boolean; readonly text: string }> {
  const command = spawn(process.execPath, [path.join(root, 'scripts/run.mjs'), 'audit', 'verify'], {
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', JOURNAL_URL: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said, ended] = await Promise.all([text(command.stdout), once(command, 'exit')]);
  return { holds: ended[0] === 0, text: said.trim() };
}

/** Why the service is not ready any more; nothing where it is. */
export async function unready({ metricsUrl }: RunningStandalone): Promise<readonly string[]> {
  const answer = await fetch(new URL('/health/ready', metricsUrl));
  const said = await answer.text();
  return answer.ok ? [] : [`The service is not ready any more: ${said}`];
}

/** What the service says of faults of its own: lines of the level error and above, and what is no line of a log. */
export function faultsInLog(service: RunningStandalone): readonly string[] {
  return service
    .output()
    .split('\n')
    .filter((line) => /"level":(5|6)0/.test(line) || /^\s+at |Warning:/.test(line))
    .map((line) => `In the log: ${line}`);
}
