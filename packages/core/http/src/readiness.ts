import type { IncomingMessage, ServerResponse } from 'node:http';
import { within } from './answer.ts';
import { pathOf } from './call.ts';
import { apiHeaders } from './security-headers.ts';

/** A condition for traffic: `check` rejects with the reason while the condition does not hold. */
export interface ReadinessCheck {
  readonly name: string;
  /** False: /health/serving leaves this check out, since the process can answer without it. Default true. */
  readonly forTraffic?: boolean;
  readonly check: () => Promise<void>;
}

/** Makes a check that fails with the last error of `open`, until the opened thing replaces the check by its own. */
export function untilOpened<T>(
  name: string,
  open: () => Promise<T>,
): { check: ReadinessCheck; open: () => Promise<T> } {
  let reason = 'it is not open yet';
  return {
    check: { name, check: () => Promise.reject(new Error(`the ${name} cannot be used: ${reason}`)) },
    async open() {
      try {
        return await open();
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error);
        throw error;
      }
    },
  };
}

const CHECK_MS = 1_000;
const REUSED_MS = 1_000;

export async function verdictsOf(checks: readonly ReadinessCheck[]): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries(await Promise.all(checks.map(async (one) => [one.name, await verdictOf(one)] as const)));
}

export const isReady = (verdicts: Readonly<Record<string, string>>): boolean =>
  Object.values(verdicts).every((verdict) => verdict === 'ok');

async function verdictOf(one: ReadinessCheck): Promise<string> {
  try {
    await within(CHECK_MS, () => one.check());
    return 'ok';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Answers /health/live and /health/ready at the users' port without reasons, which are for operators. Checks at most
 * once a second. The returned function says whether it has answered.
 */
export function publicProbes(
  checks: readonly ReadinessCheck[],
): (request: IncomingMessage, response: ServerResponse) => boolean {
  let latest: { readonly atMs: number; readonly ready: Promise<boolean> } | null = null;
  const ready = (): Promise<boolean> => {
    const atMs = performance.now();
    if (latest === null || atMs - latest.atMs >= REUSED_MS) latest = { atMs, ready: verdictsOf(checks).then(isReady) };
    return latest.ready;
  };
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const path = pathOf(request);
    if (path === '/health/live') sendStatus(response, 200, 'live');
    else if (path !== '/health/ready') return false;
    else void ready().then((holds) => sendStatus(response, holds ? 200 : 503, holds ? 'ready' : 'unready'));
    return true;
  };
}

const HEADERS = [...apiHeaders(), 'content-type', 'application/json; charset=utf-8', 'cache-control', 'no-store'];

function sendStatus(response: ServerResponse, code: 200 | 503, status: string): void {
  response.writeHead(code, HEADERS).end(JSON.stringify({ status }));
}
