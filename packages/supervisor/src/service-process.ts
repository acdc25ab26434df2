import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Listening } from '@paper/service-kit';
import { diesWithUs } from './dies-with-us.ts';
import type { ServiceName } from './service-names.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/**
 * What the one who starts all of them may know of the database's roles, where each service is told its own DATABASE_URL;
 * and the former name of JOURNAL_URL, which each is told by its name of today.
 */
const NOT_INHERITED = /^(?:(?:COMMAND|PROJECTOR|READER)_(?:PASSWORD|DATABASE_URL)|EVENTSTORE_URL)$/;

/** A service on its own, as a process of its own. */
export interface ServiceProcess {
  readonly name: ServiceName;
  readonly child: ChildProcess;
  /** The URL of its public API; null where it has none. */
  readonly url: string | null;
  /** The URL of /metrics, /health/live, /health/ready and /health/serving. */
  readonly operationUrl: string;
  /** When it has ended, in words. */
  readonly ended: Promise<string>;
  /** Everything it has logged so far, where nobody takes its log. */
  output(): string;
  /** Sends the signal and waits for the end of the process; gives its exit code, null after a kill. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** The arguments of node. */
export interface Program {
  readonly args: readonly string[];
  readonly cwd: string;
  /** Under that of the service's own settings. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: that of this process. */
  readonly uid?: number;
}

export interface ServiceProcessOptions {
  /** The built program and its folder, in place of the service's source. */
  readonly program?: Program;
  /** Takes the lines of its log, in place of `output`. */
  readonly onLog?: (chunk: Buffer) => void;
}

/**
 * Starts a service by its `main.ts`, on free ports unless `env` names others, and waits until it listens. It has the
 * environment of this process besides, but for the passwords and URLs of the database's roles. It ends when this process
 * does, however that ends.
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
    env: { ...ownEnvironment(), ...program.env, PORT: '0', METRICS_PORT: '0', ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // A Ctrl-C at the terminal is for the one who started it: it says who stops when.
    detached: true,
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  let output = '';
  child.stderr?.on('data', options.onLog ?? ((chunk: Buffer) => (output += chunk.toString())));
  // A process that is suspended (SIGSTOP) would not notice that this one has ended.
  diesWithUs(child);
  const ended = endOf(child);
  const listening = await Promise.race([listeningOf(child), ended]);
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

/** This process's environment, without settings that would give a service another's database role. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !NOT_INHERITED.test(name)));
}

async function endOf(child: ChildProcess): Promise<string> {
  // All that it said is there by then.
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
}

function listeningOf(child: ChildProcess): Promise<Listening> {
  return new Promise((resolve) => {
    child.on('message', (message) => {
      const listening = message as Listening & { readonly kind: string };
      if (listening.kind === 'listening') resolve(listening);
    });
  });
}
