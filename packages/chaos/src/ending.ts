import { spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { eventBlocks } from '@paper/testkit';
import type { Findings } from './findings.ts';
import { leftoversOf } from './processes.ts';
import { compareSchemas } from './compare-schemas.ts';
import type { SupervisedStandalone } from './standalone.ts';
import { connectionStringOf } from './world.ts';
import type { Addresses } from './world.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** Findings of the final checks, line by line. */
export interface Ending {
  readonly audit: string;
  readonly comparison: string;
}

/**
 * The final checks. The audit finds no fault in the journal and in the rows of the read models. Rebuilt read models
 * equal those that existed during the run. The service is ready and sends a pulse. It stops on request, and leaves no
 * process.
 */
export async function judgeEnding(
  standalone: SupervisedStandalone,
  { baseUrl, metricsUrl }: Addresses,
  findings: Findings,
): Promise<Ending> {
  const fail = (text: string): void => findings.add('ends, starts and recoveries that failed', text);
  const { dataDir } = standalone;
  const ready = await fetch(new URL('/health/ready', metricsUrl));
  if (ready.status !== 200) fail(`it is not ready: ${await ready.text()}`);
  const health = (await (await fetch(`${baseUrl}/api/health`)).json()) as { readonly status: string };
  if (health.status !== 'ok') fail(`its health is ${JSON.stringify(health)}`);
  const audit = await operate('audit', ['verify'], dataDir);
  if (audit.code !== 0) fail(`the audit found a fault:\n${audit.output}`);
  const rebuild = await operate('rebuild', [], dataDir);
  if (rebuild.code !== 0) fail(`the rebuild ended with ${rebuild.code}:\n${rebuild.output}`);
  const comparison = await compareSchemas(connectionStringOf(dataDir));
  for (const difference of comparison.differences) fail(difference);
  const pulse = eventBlocks(await fetch(`${baseUrl}/api/stream`));
  const told = await pulse.next();
  await pulse.leave();
  if (!/^id: \d+\ndata: \{/m.test(told ?? '')) fail(`its pulse is ${told}`);
  await standalone.stop();
  const left = await leftAfter(dataDir);
  if (left.length > 0) fail(`processes ${left.join(', ')} still run`);
  return { audit: audit.output.trim(), comparison: comparison.text };
}

async function leftAfter(dataDir: string): Promise<readonly number[]> {
  const untilMs = performance.now() + 5_000;
  let left = leftoversOf(dataDir);
  while (left.length > 0 && performance.now() < untilMs) {
    await wait(100);
    left = leftoversOf(dataDir);
  }
  return left;
}

/** Runs an operator's command on the running service, as a process of its own. */
function operate(
  command: string,
  args: readonly string[],
  dataDir: string,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path.join(root, 'scripts/run.mjs'), command, ...args], {
      cwd: root,
      env: { ...process.env, DATABASE_URL: '', DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
