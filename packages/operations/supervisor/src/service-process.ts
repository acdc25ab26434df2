import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import type { Listening } from '@paper/runtime';
import { killAtExit, endOf } from '@paper/runtime';
import { DATABASE_ROLES } from '@paper/runtime/coordination';
import type { ServiceName } from './service-names.ts';

const root = path.resolve(import.meta.dirname, '../../../..');

/**
 * Variables that a service does not inherit: the passwords and URLs of the database roles (each service gets its own
 * DATABASE_URL), and the former name of JOURNAL_URL (each service gets the present name).
 */
const NOT_INHERITED = new RegExp(
  `^(?:(?:${Object.keys(DATABASE_ROLES).join('|').toUpperCase()})_(?:DATABASE|JOURNAL)_URL|EVENTSTORE_URL)$`,
);

/** Secrets that only one service inherits. */
const SECRETS: Partial<Record<ServiceName, RegExp>> = {
  portal: /^(?:PORTAL_(?:SECRET|SECRET_FILE|TOKEN)|SMTP_URL|COMPANY_CLIENT_SECRET)$/,
  mcp: /^MCP_(?:SECRET|SECRET_FILE)$/,
};

/** A service in a separate process. */
export interface ServiceProcess {
  readonly name: ServiceName;
  readonly child: ChildProcess;
  /** The URL of the service's public API; null if it has none. */
  readonly url: string | null;
  /** The URL of /metrics, /health/live, /health/ready and /health/serving. */
  readonly operationUrl: string;
  /** Resolves with the reason when the process has ended. */
  readonly ended: Promise<string>;
  /** The service's log so far; empty if `onLog` receives the log. */
  output(): string;
  /** Sends the signal and waits for the end of the process. Returns its exit code, or null after a kill. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** A program as arguments of node. */
export interface Program {
  readonly args: readonly string[];
  readonly cwd: string;
  /** Overridden by the service's own settings. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: the user of this process. */
  readonly uid?: number;
}

export interface ServiceProcessOptions {
  /** The built program and its folder, instead of the service's source. */
  readonly program?: Program;
  /** Receives the lines of the service's log, instead of `output`. */
  readonly onLog?: (chunk: Buffer) => void;
  /** Ends a start that still waits for the process to listen. */
  readonly signal?: AbortSignal;
}

/**
 * Starts a service by its `main.ts`, on free ports unless `env` names others, and waits until it listens. The service
 * inherits this process's environment without the secrets of other services. It ends with this process.
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

/**
 * This process's environment, without variables that would give a service another service's database role or secrets.
 */
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
