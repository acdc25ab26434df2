import type { FrontDoor } from '../front-door.ts';
import type { SupervisedProcess } from '../keep-running.ts';
import type { ServiceProcess } from '../service-process.ts';
import { z } from 'zod';

export const serviceStatusSchema = z.object({
  name: z.string(),
  pid: z.number().nullable(),
  /** `silent`: it runs but does not answer within a second. */
  state: z.enum(['running', 'silent', 'down']),
  /** The last start or end, in ms since 1970 UTC. */
  sinceMs: z.number(),
  restarts: z.number(),
  url: z.string(),
  /** `ready`, or the reason why not. */
  readiness: z.string(),
});

/** The status of one process of `npm run start:services`. */
export type ServiceStatus = z.output<typeof serviceStatusSchema>;

const ANSWER_MS = 1_000;
const READY = 'ready';

export async function statusOf(
  name: string,
  kept: SupervisedProcess<ServiceProcess> | SupervisedProcess<FrontDoor>,
): Promise<ServiceStatus> {
  const { running, restarts, sinceMs } = kept.status();
  const one = running ?? kept.first;
  const about = { name, sinceMs, restarts, url: addressOf(one) };
  if (running === null) return { ...about, pid: null, state: 'down', readiness: await startOf(one) };
  const pid = running.child.pid ?? null;
  try {
    return { ...about, pid, state: 'running', readiness: await readinessOf(one) };
  } catch (error) {
    return { ...about, pid, state: 'silent', readiness: `no answer within ${ANSWER_MS / 1_000} s: ${String(error)}` };
  }
}

/** A process that waits for a server says so on its operators' port before it listens. */
async function startOf(one: ServiceProcess | FrontDoor): Promise<string> {
  try {
    return `it is being started: ${await readinessOf(one)}`;
  } catch {
    return 'it is being started again';
  }
}

/** True if the process is ready, or stands by. */
export const hasSettled = ({ state, readiness }: ServiceStatus): boolean =>
  state === 'running' && (readiness === READY || /^standby at sequence \d+: /.test(readiness));

const addressOf = (one: ServiceProcess | FrontDoor) => one.url ?? ('operationUrl' in one ? one.operationUrl : '');

async function readinessOf(one: ServiceProcess | FrontDoor): Promise<string> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  if ('operationUrl' in one) {
    const answer = await fetch(`${one.operationUrl}/health/ready`, { signal });
    const { checks } = (await answer.json()) as { readonly checks: Readonly<Record<string, string>> };
    const missing = Object.values(checks).filter((verdict) => verdict !== 'ok');
    return missing.length === 0 ? READY : missing.join('; ');
  }
  const answer = await fetch(`${one.url}/api/health`, { signal });
  const { status } = (await answer.json()) as { readonly status?: string };
  return status === 'ok' ? READY : `health is ${status ?? 'not known'}`;
}
