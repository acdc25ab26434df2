import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endOf, freePort, killAtExit, lifelinePrefix } from '@paper/runtime';
import { readCertificate, replaceCertificate, servedFingerprint } from './certificate.ts';
import type { Certificate } from './certificate.ts';
import type { ServiceName } from './service-names.ts';
import type { ServiceProcess } from './service-process.ts';

const config = path.resolve(import.meta.dirname, '../../../../infra/front-door/haproxy.cfg');

/** A running front door. */
export type FrontDoor = Awaited<ReturnType<typeof startFrontDoor>>;

export interface FrontDoorTls {
  readonly certificate: string;
  readonly host: string;
  readonly port: number;
}

export interface FrontDoorOptions {
  /** A folder that only this user can enter, for the list of servers and HAProxy's socket. */
  readonly folder: string;
  readonly host?: string;
  /** 0 (the default) picks a free port. */
  readonly port?: number;
  readonly tls?: FrontDoorTls | null;
  /** 0 (the default) picks a free port. */
  readonly metricsPort?: number;
}

type ProxiedService = Pick<ServiceProcess, 'name' | 'operationUrl' | 'url'>;

/**
 * Starts the HAProxy of PATH with our configuration; it ends with this process.
 * @throws Error with HAProxy's output when it does not listen.
 */
export async function startFrontDoor(services: readonly ProxiedService[], options: FrontDoorOptions) {
  const { folder, host = '127.0.0.1', metricsPort = 0, port = 0, tls = null } = options;
  const servers = path.join(folder, 'servers.cfg');
  writeFileSync(servers, serversOf(services));
  if (tls !== null) readCertificate(tls.certificate);
  for (;;) {
    const bind = `${host}:${await portOrFree(port)}`;
    const secured =
      tls === null ? null : { ...tls, port: await portOrFree(tls.port), socket: path.join(folder, 'haproxy') };
    const metrics = `127.0.0.1:${await portOrFree(metricsPort)}`;
    const door = run(servers, { bind, metrics, secured });
    const url = `http://${bind}`;
    if (await answers(url, door.child)) {
      return {
        child: door.child,
        url,
        tlsUrl: secured === null ? null : `https://${bindOf(secured)}`,
        /** For Prometheus, reachable only from this machine. */
        metricsUrl: `http://${metrics}/metrics`,
        ended: door.ended,
        /**
         * Reads the certificate's file again for new connections; resolves once it is served.
         * @throws Error when there is no TLS, the file has no certificate with its key, or HAProxy refuses it.
         */
        replaceCertificate: () => serveNewCertificate(secured),
        async stop(): Promise<void> {
          door.child.kill('SIGTERM');
          await door.ended;
        },
      };
    }
    await door.ended;
    // If another process took a chosen port first, another port is chosen.
    const isChosen = port === 0 || metricsPort === 0 || tls?.port === 0;
    if (!isChosen || !door.output().includes('cannot bind socket')) {
      throw new Error(`haproxy ended before it listened at ${bind}:\n${door.output().trimEnd()}`);
    }
  }
}

const portOrFree = (port: number): number | Promise<number> => (port === 0 ? freePort() : port);

interface Secured extends FrontDoorTls {
  readonly socket: string;
}

const bindOf = ({ host, port }: Secured): string => `${host}:${port}`;

async function serveNewCertificate(secured: Secured | null): Promise<Certificate> {
  if (secured === null) throw new Error('The front door has no certificate: set FRONT_DOOR_CERTIFICATE.');
  const { certificate: file, host, port, socket } = secured;
  const certificate = readCertificate(file);
  await replaceCertificate(socket, file, certificate);
  const served = await servedFingerprint({ host: ANY_ADDRESS.get(host) ?? host, port });
  if (served !== certificate.fingerprint256) {
    throw new Error(`The front door serves ${served} and not ${certificate.fingerprint256}, which is in ${file}.`);
  }
  return certificate;
}

/** How this machine reaches a server that listens on every address. */
const ANY_ADDRESS = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
  ['*', '127.0.0.1'],
]);

interface Listening {
  readonly bind: string;
  readonly metrics: string;
  readonly secured: Secured | null;
}

function run(servers: string, { bind, metrics, secured }: Listening) {
  const [program, ...args] = [...lifelinePrefix(), 'haproxy', '-db', '-f', config, '-f', servers];
  const child = spawn(program, args, {
    // HAProxy gets no further variables, since the public reaches this process.
    env: {
      PATH: process.env['PATH'],
      FRONT_DOOR_BIND: bind,
      FRONT_DOOR_METRICS_BIND: metrics,
      ...(secured === null
        ? {}
        : {
            FRONT_DOOR_TLS_BIND: bindOf(secured),
            FRONT_DOOR_CERTIFICATE: secured.certificate,
            FRONT_DOOR_SOCKET: secured.socket,
          }),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  killAtExit(child);
  return { child, ended: endOf(child), output: () => output };
}

async function answers(url: string, door: ChildProcess): Promise<boolean> {
  const runs = (): boolean => door.exitCode === null && door.signalCode === null;
  while (runs() && (await fetch(url).catch(() => null)) === null) await sleep(20);
  return runs();
}

const BACKENDS: Readonly<Record<string, ServiceName>> = {
  commands: 'command-api',
  reads: 'query-api',
  reads_live: 'query-api',
  streams: 'stream-gateway',
  portal: 'portal',
  mcp: 'mcp',
  backtests: 'backtests',
};

function serversOf(services: readonly ProxiedService[]): string {
  const lines = Object.entries(BACKENDS).flatMap(([name, service]) => [
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
