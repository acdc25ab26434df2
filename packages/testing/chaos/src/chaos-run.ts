import { openReadOnly } from '@paper/auditor';
import { runningPostgres } from '@paper/embedded-postgres';
import type { Journal } from '@paper/journal';
import { isTransient } from '@paper/read-models';
import { eventually } from '@paper/testkit';
import type { Random } from '@paper/testkit';
import { eventBlocks } from '@paper/testkit/http';
import { inTime } from '@paper/timing';
import { GivenUp } from './findings.ts';
import type { Findings } from './findings.ts';
import type { Judge } from './judge.ts';
import type { Load } from './load.ts';
import type { Recoveries } from './recoveries.ts';
import type { SupervisedStandalone } from './standalone.ts';

/** Longer than any recovery of a machine under load. */
const RECOVERS_WITHIN_MS = 90_000;

/** The URLs of the API, and of metrics and health. */
export interface Addresses {
  readonly baseUrl: string;
  readonly metricsUrl: string;
}

/** The service under test, its clients and its judge. */
export interface ChaosRun {
  /** The random numbers of one kind of fault, which depend only on the seed and this name. */
  readonly randomOf: (name: string) => Random;
  readonly log: (line: string) => void;
  readonly addresses: Addresses;
  readonly standalone: SupervisedStandalone;
  readonly load: Load;
  readonly judge: Judge;
  readonly findings: Findings;
  readonly recoveries: Recoveries;
}

/**
 * Waits until every client is served again: commands sent after `sinceMs`, and reads. Records the time under the
 * fault's name, judges all answers, and returns the time. @throws GivenUp when that does not come, or after a finding
 */
export async function recover(
  { findings, judge, load, recoveries, standalone }: ChaosRun,
  fault: string,
  sinceMs: number,
): Promise<number> {
  const served = load.servedSince(sinceMs).then(() => true);
  const recovered = await inTime(served, RECOVERS_WITHIN_MS, () => false);
  const tookMs = performance.now() - sinceMs;
  if (!recovered) {
    findings.failed(`${RECOVERS_WITHIN_MS / 1000} s after ${fault} not every client was served`);
  } else {
    recoveries.note(fault, tookMs);
    await readJournal(standalone, (journal) => judge.readOn(journal));
  }
  if (findings.all.length > 0) throw new GivenUp(`after ${fault}`);
  return tookMs;
}

/** Reads the running standalone's journal. Retries until its Postgres has noticed that a process of it was killed. */
export async function readJournal(
  { dataDir }: SupervisedStandalone,
  read: (journal: Pick<Journal, 'head' | 'read'>) => Promise<void>,
): Promise<void> {
  const readOnce = async (): Promise<boolean> => {
    const journal = await openReadOnly(connectionStringOf(dataDir), 'main', 'audit');
    try {
      await read(journal);
      return true;
    } finally {
      await journal.close();
    }
  };
  await eventually('the journal is read', readOnce, { isNotYet: isTransient });
}

/** The URL of the embedded Postgres that runs in this folder. @throws Error while none runs */
export function connectionStringOf(dataDir: string): string {
  const connectionString = runningPostgres(dataDir);
  if (connectionString === null) throw new Error(`no Postgres runs in ${dataDir}`);
  return connectionString;
}

/** Whether the live stream sends an event with an id and JSON data. */
export async function sendsPulse(baseUrl: string): Promise<boolean> {
  const pulse = eventBlocks(await fetch(`${baseUrl}/api/stream`));
  const block = await pulse.next();
  await pulse.leave();
  return /^id: \d+\ndata: \{/m.test(block ?? '');
}
