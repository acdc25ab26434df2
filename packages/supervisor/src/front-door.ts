import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, lifelinePrefix } from '@paper/embedded-postgres';
import { diesWithUs, endOf } from './dies-with-us.ts';
import type { ServiceName } from './service-names.ts';
import type { ServiceProcess } from './service-process.ts';

const config = path.resolve(import.meta.dirname, '../../../infra/front-door/haproxy.cfg');

export interface FrontDoor {
  readonly child: ChildProcess;
  readonly url: string;
  /** Resolves with the reason when the front door has ended. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

export interface FrontDoorOptions {
  /** The folder that holds the front door's list of servers. */
  readonly folder: string;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0, which picks a free one. */
  readonly port?: number;
}

type Behind = Pick<ServiceProcess, 'name' | 'operationUrl' | 'url'>;

/**
 * Starts the HAProxy from PATH with the product's configuration in front of these services. It ends with this process.
 * @throws Error with HAProxy's output, when it does not listen.
 */
export async function startFrontDoor(services: readonly Behind[], options: FrontDoorOptions): Promise<FrontDoor> {
  const { folder, host = '127.0.0.1', port = 0 } = options;
  const servers = path.join(folder, 'servers.cfg');
  writeFileSync(servers, serversOf(services));
  for (;;) {
    const chosen = port === 0 ? await freePort() : port;
    const door = run(servers, `${host}:${chosen}`);
    const url = `http://${host}:${chosen}`;
    if (await answers(url, door.child)) {
      return {
        child: door.child,
        url,
        ended: door.ended,
        async stop() {
          door.child.kill('SIGTERM');
          await door.ended;
        },
      };
    }
    await door.ended;
    // Another process took the chosen port first: choose again.
    if (port !== 0 || !door.output().includes('cannot bind socket')) {
      throw new Error(`haproxy ended before it listened at ${host}:${chosen}:\n${door.output().trimEnd()}`);
    }
  }
}

function run(servers: string, bind: string): { child: ChildProcess; ended: Promise<string>; output: () => string } {
  const [program, ...args] = [...lifelinePrefix(), 'haproxy', '-db', '-f', config, '-f', servers];
  const child = spawn(program, args, {
    // No further variables, since the public reaches this process.
    env: { PATH: process.env['PATH'], FRONT_DOOR_BIND: bind },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  diesWithUs(child);
  return { child, ended: endOf(child), output: () => output };
}

/** Waits until the front door answers; false when it has ended before. */
async function answers(url: string, door: ChildProcess): Promise<boolean> {
  const runs = (): boolean => door.exitCode === null && door.signalCode === null;
  while (runs() && (await fetch(url).catch(() => null)) === null) await sleep(20);
  return runs();
}

interface Backend {
  /** The backend's name in haproxy.cfg. */
  readonly name: string;
  readonly service: ServiceName;
}

const BACKENDS: readonly Backend[] = [
  { name: 'commands', service: 'command-api' },
  { name: 'reads', service: 'query-api' },
  { name: 'reads_live', service: 'query-api' },
  { name: 'streams', service: 'stream-gateway' },
  { name: 'portal', service: 'portal' },
  { name: 'mcp', service: 'mcp' },
];

function serversOf(services: readonly Behind[]): string {
  const lines = BACKENDS.flatMap(({ name, service }) => [
    `backend ${name} from ${name}`,
    ...services
      .filter((one) => one.name === service)
      .map(
        ({ url, operationUrl }, index) =>
          `  server ${service}-${index + 1} ${new URL(url ?? '').host} check port ${new URL(operationUrl).port}`,
      ),
  ]);
  return `${lines.join('\n')}\n`;
}
