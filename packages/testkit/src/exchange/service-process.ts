import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

const root = path.resolve(import.meta.dirname, '../../../..');

export type ServiceName = 'command-api' | 'projector' | 'query-api' | 'stream-gateway';

/** A service on its own, as a process of its own. */
export interface ServiceProcess {
  readonly name: ServiceName;
  readonly child: ChildProcess;
  /** Of its public API; null of one that has none. */
  readonly url: string | null;
  /** Of /metrics, /health/live and /health/ready. */
  readonly operationUrl: string;
  /** Everything it has logged so far. */
  output(): string;
  /** Sends the signal and waits for the end of the process; gives its exit code, null after a kill. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts a service by its `main.ts`, on free ports unless `env` names others, and waits until it listens. */
export async function startServiceProcess(
  name: ServiceName,
  env: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', path.join(root, `services/${name}/src/main.ts`)], {
    cwd: root,
    env: { ...process.env, PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  let output = '';
  const listening = await new Promise<Listening>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      output += `${line}\n`;
      const found = listeningIn(line);
      if (found !== null) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`${name} ended (${code}) before it listened:\n${output}`)));
  });
  return {
    name,
    child,
    url: listening.url ?? null,
    operationUrl: new URL(listening.metricsUrl).origin,
    output: () => output,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill(signal);
        await ended;
      }
      return child.exitCode;
    },
  };
}

interface Listening {
  readonly url?: string;
  readonly metricsUrl: string;
}

/** Where a service listens, if this line of its log says so. */
function listeningIn(line: string): Listening | null {
  if (!line.includes('"msg":"listening"')) return null;
  return JSON.parse(line) as Listening;
}
