import { eventually, runCommand } from '@paper/testkit';
import type { Findings } from './findings.ts';
import { leftoversOf } from './processes.ts';
import { compareSchemas } from './compare-schemas.ts';
import type { SupervisedStandalone } from './standalone.ts';
import { connectionStringOf, sendsPulse } from './chaos-run.ts';
import type { Addresses } from './chaos-run.ts';

/** Checks the audit, rebuilt read models, readiness and a pulse, and that a stop leaves no process. */
export async function finishAndJudge(
  standalone: SupervisedStandalone,
  { baseUrl, metricsUrl }: Addresses,
  findings: Findings,
) {
  const fail = (text: string): void => findings.failed(text);
  const { dataDir } = standalone;
  const ready = await fetch(new URL('/health/ready', metricsUrl));
  if (ready.status !== 200) fail(`it is not ready: ${await ready.text()}`);
  const health = (await (await fetch(`${baseUrl}/api/health`)).json()) as { readonly status: string };
  if (health.status !== 'ok') fail(`its health is ${JSON.stringify(health)}`);
  const audit = await runCommand(['audit', 'verify'], dataDir);
  if (audit.code !== 0) fail(`the audit found a fault:\n${audit.output}`);
  const rebuild = await runCommand(['rebuild'], dataDir);
  if (rebuild.code !== 0) fail(`the rebuild ended with ${rebuild.code}:\n${rebuild.output}`);
  const comparison = await compareSchemas(connectionStringOf(dataDir));
  for (const difference of comparison.differences) fail(difference);
  if (!(await sendsPulse(baseUrl))) fail('it sends no pulse');
  await standalone.stop();
  await eventually('nothing is left', () => leftoversOf(dataDir).length === 0, { withinMs: 5_000 }).catch(() =>
    fail(`processes ${leftoversOf(dataDir).join(', ')} still run`),
  );
  return { audit: audit.output, comparison: comparison.text };
}
