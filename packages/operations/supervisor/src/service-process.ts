import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import type { Listening } from '@paper/runtime';
import { killAtExit, endOf } from '@paper/runtime';
import { DATABASE_ROLES } from '@paper/runtime/coordination';
import type { ServiceName } from './service-names.ts';

const root = path.resolve(import.meta.dirname, '../../../..');

/** Roles' passwords and URLs (each service gets its own DATABASE_URL), and JOURNAL_URL's former name. */
const NOT_INHERITED = new RegExp(
  `^(?:(?:${Object.keys(DATABASE_ROLES).join('|').toUpperCase()})_(?:DATABASE|JOURNAL)_URL|EVENTSTORE_URL)$`,
);

const SECRETS: Partial<Record<ServiceName, RegExp>> = {
  portal: /^(?:PORTAL_(?:SECRET|SECRET_FILE|TOKEN)|SMTP_URL|COMPANY_CLIENT_SECRET)$/,
  mcp: /^MCP_(?:SECRET|SECRET_FILE)$/,
};

export interface ServiceProcess {
  readonly name: ServiceName;
  readonly child: ChildProcess;
  readonly url: string | null;
  /** The base URL of /metrics, /health/live, /health/ready and /health/serving. */
  readonly operationUrl: string;
  /** Resolves with the reason of the end. */
  readonly ended: Promise<string>;
  /** The log so far; empty if `onLog` receives it. */
  output(): string;
  /** Resolves at the end of the process, with its exit code; null after a kill. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** A program as arguments of node. */
export interface Program {
  readonly args: readonly string[];
  readonly cwd: string;
  /** Variables of the program. The variables of the service override them. */
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
}

export interface ServiceProcessOptions {
  /** A built program; default: the service's source. */
  readonly program?: Program;
  readonly onLog?: (chunk: Buffer) => void;
  readonly signal?: AbortSignal;
}

/**
 * Starts a service, on free ports unless `env` names others, and waits until it listens. It inherits the environment
 * without secrets of other services, and ends with this process.
 */
export async function startServiceProcess(
  name: ServiceName,
  env: Readonly<Record<string, string>>,
  options: ServiceProcessOptions = {},
): Promise<ServiceProcess> {
  const program = options.program ?? sourceOf(name);
  const { args, cwd, uid } = program;
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...environmentOf(name), ...program.env, PORT: '0', METRICS_PORT: '0', ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Ctrl-C at the terminal reaches only this process, which decides the order of stops.
    detached: true,
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  let output = '';
  child.stderr?.on('data', options.onLog ?? ((chunk: Buffer) => (output += chunk.toString())));
  // A suspended process (SIGSTOP) would not notice that this one has ended, so it is killed.
  killAtExit(child);
  const ended = endOf(child);
  const end = (): boolean => child.kill();
  options.signal?.addEventListener('abort', end);
  const listening = await Promise.race([listeningOf(child), ended]);
  options.signal?.removeEventListener('abort', end);
  if (typeof listening === 'string') throw new Error(`${name} ${listening} before it listened\n${output}`.trimEnd());
  return {
    name,
    child,
    url: listening.url ?? null,
    operationUrl: new URL(listening.metricsUrl).origin,
    ended,
    output: () => output,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      await ended;
      return child.exitCode;
    },
  };
}

const sourceOf = (name: ServiceName): Program => ({
  args: ['--import', 'tsx', path.join(root, `services/${name}/src/main.ts`)],
  cwd: root,
});

/** This process's environment without another service's database role or secrets. */
function environmentOf(service: ServiceName): NodeJS.ProcessEnv {
  const isInherited = (name: string): boolean =>
    !NOT_INHERITED.test(name) &&
    Object.entries(SECRETS).every(([owner, secrets]) => owner === service || !secrets.test(name));
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => isInherited(name)));
}

function listeningOf(child: ChildProcess): Promise<Listening> {
  return new Promise((resolve) => {
    child.on('message', (message) => {
      const listening = message as Listening & { readonly kind: string };
      if (listening.kind === 'listening') resolve(listening);
    });
  });
}
