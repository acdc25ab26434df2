import { runningPostgres } from '@paper/embedded-postgres';
import { readSecret } from '@paper/runtime/coordination';
import { showProgress, startCommand } from '@paper/commands';
import { runCommand } from '@paper/testkit';
import { startStandalone, temporaryDataDir } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { Client, CONNECTIONS } from './client.ts';
import type { Finding } from './client.ts';
import { fuzz } from './fuzz.ts';
import { makeRequest } from './make.ts';
import { checkReceipts } from './receipts.ts';
import type { FuzzContext } from './request.ts';

/**
 * `npm run fuzz` sends requests of every kind, made from the served OpenAPI document, to a standalone, and judges every
 * answer, the journal, the log and the memory. The same seed sends the same requests.
 */
const [count = 50_000, seed = 1] = startCommand('fuzz').args as readonly number[];

/** The heap limit of the process in MB. A memory leak reaches this limit and ends the process, which is a finding. */
const HEAP_MB_MAX = 256;
/** The limits of commands and reads a second: more than the fuzzer sends. */
const LIMITS_RAISED = '1000000/1000000';
/** The limits of the last part: fewer requests than the slowest machine sends. */
const LIMITS_LOW = '3/3';

/** A line of level error and above, or a line of a stack trace or a warning, which is no log line. */
const LOG_FAULT = /"level":"(error|fatal)"|^\s+at |Warning:/;

const number = (value: number): string => Math.round(value).toLocaleString('en');
const folder = temporaryDataDir();
const problems: string[] = [];
const note = (findings: readonly Finding[]): void => {
  for (const { index, text } of findings) {
    problems.push(`Request ${index}: ${text}\n  Again: npm run fuzz -- ${index + 1} ${seed}`);
  }
};

async function fuzzEverything(service: RunningStandalone): Promise<FuzzContext> {
  const startedMs = performance.now();
  const progress = showProgress('requests');
  const { api, client, memory, context } = await fuzz(service, {
    count,
    seed,
    cursorSecret: await readSecret(runningPostgres(folder.dataDir) ?? '', 'cursors'),
    onProgress: (sent) => progress.show('sending', sent, count),
  });
  progress.clear();
  client.close();
  note(client.findings);
  const seconds = (performance.now() - startedMs) / 1000;
  const { coverage, receipts } = client;
  console.log(
    `${number(coverage.answers)} answers to ${coverage.kinds} kinds of requests in ${number(seconds)} s; they have the hash ` +
      `${client.trace()}.\n${coverage.table(api)}`,
  );
  const never = coverage.neverAnswered(api);
  if (never.length > 0) problems.push(`Never answered with 200, so hardly tested: ${never.join(', ')}.`);
  const journal = await service.openJournal();
  let decisions: number;
  try {
    decisions = await checkReceipts(journal, receipts);
  } finally {
    await journal.close();
  }
  console.log(
    `Journal: ${number(decisions)} decisions, each of an accepted command; ${number(receipts.length)} receipts, each names its event.`,
  );
  console.log(
    `Memory: ${number(memory.residentBytesMax / 1024 ** 2)} MB resident at most, under a heap limit of ${HEAP_MB_MAX} MB.`,
  );
  return context;
}

/** Sends requests as fast as possible to a service with low limits, over which each must get 429 and change nothing. */
async function fuzzWithLimits(service: RunningStandalone, context: FuzzContext): Promise<void> {
  const client = new Client(service.baseUrl, context.api, context.pool);
  const most = Math.max(1_000, Math.round(count / 10));
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < most && client.findings.length === 0) {
      const index = next;
      next += 1;
      // The answers depend on time, so no ids are collected and nothing is repeated.
      const request = makeRequest(seed, index, index % 2 === 0, context);
      if (request.expected?.repeats === undefined) await client.ask(request, index);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  client.close();
  note(client.findings);
  const refused = client.coverage.count(429);
  if (refused === 0) problems.push('With low rate limits nothing was refused by them.');
  console.log(
    `With rate limits of ${LIMITS_LOW}: ${number(client.coverage.answers)} answers, ${number(refused)} of them 429.`,
  );
  const audit = await runCommand(['audit', 'verify'], service.dataDir);
  console.log(`Audit: ${audit.output}`);
  if (audit.code !== 0) problems.push('The audit found a fault.');
}

/** Runs a part on a new service, which must be ready afterwards, without errors in its log. */
async function onService<T>(rateLimits: string, part: (service: RunningStandalone) => Promise<T>): Promise<T> {
  const env = { LOG_LEVEL: 'warn', NODE_OPTIONS: `--max-old-space-size=${HEAP_MB_MAX}`, RATE_LIMITS: rateLimits };
  const service = await startStandalone({ dataDir: folder.dataDir, env });
  try {
    const done = await part(service);
    const ready = await fetch(new URL('/health/ready', service.metricsUrl));
    if (!ready.ok) problems.push(`The service is not ready any more: ${await ready.text()}`);
    const lines = service
      .output()
      .split('\n')
      .filter((line) => LOG_FAULT.test(line));
    problems.push(...lines.map((line) => `In the log: ${line}`));
    return done;
  } finally {
    await service.stop();
  }
}

try {
  const context = await onService(LIMITS_RAISED, fuzzEverything);
  await onService(LIMITS_LOW, (service) => fuzzWithLimits(service, context));
} catch (error) {
  problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
} finally {
  folder.remove();
}
for (const problem of problems) console.log(`\n${problem}`);
if (problems.length > 0) process.exitCode = 1;
else console.log('Nothing found.');
