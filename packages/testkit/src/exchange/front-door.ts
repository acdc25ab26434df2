import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import type { ServiceName, ServiceProcess } from './service-process.ts';

const config = path.resolve(import.meta.dirname, '../../../../infra/front-door/haproxy.cfg');

export interface FrontDoor {
  readonly url: string;
  stop(): Promise<void>;
}

/** HAProxy with the configuration of the product before these services. `folder` is for its list of servers. */
export async function startFrontDoor(services: readonly ServiceProcess[], folder: string): Promise<FrontDoor> {
  const servers = path.join(folder, 'servers.cfg');
  writeFileSync(servers, serversOf(services));
  for (;;) {
    const port = await freePort();
    const door = spawn('haproxy', ['-db', '-f', config, '-f', servers], {
      env: { ...process.env, FRONT_DOOR_BIND: `127.0.0.1:${port}` },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    door.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const kill = (): void => void door.kill('SIGKILL');
    process.once('exit', kill);
    const ended = once(door, 'exit').finally(() => process.off('exit', kill));
    const url = `http://127.0.0.1:${port}`;
    if (await Promise.race([answers(url), ended.then(() => false)])) {
      return {
        url,
        async stop() {
          door.kill('SIGTERM');
          await ended;
        },
      };
    }
    // Somebody else was faster to the port.
    if (!said.includes('cannot bind socket')) throw new Error(`haproxy ended before it listened:\n${said}`);
  }
}

async function answers(url: string): Promise<boolean> {
  while ((await fetch(url).catch(() => null)) === null) await sleep(20);
  return true;
}

const BACKENDS: readonly (readonly [backend: string, service: ServiceName])[] = [
  ['commands', 'command-api'],
  ['reads', 'query-api'],
  ['reads_live', 'query-api'],
  ['streams', 'stream-gateway'],
];

function serversOf(services: readonly ServiceProcess[]): string {
  const lines = BACKENDS.flatMap(([backend, service]) => [
    `backend ${backend} from ${backend}`,
    ...services
      .filter(({ name }) => name === service)
      .map(({ url, operationUrl }, index) => {
        const { host } = new URL(url ?? '');
        return `  server ${service}-${index + 1} ${host} check port ${new URL(operationUrl).port}`;
      }),
  ]);
  return `${lines.join('\n')}\n`;
}
