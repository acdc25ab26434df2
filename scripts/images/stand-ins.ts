import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isInstalled } from '@paper/runtime';
import { startCommand, runOrThrow } from './command.ts';
import type { ComposedService } from './compose-file.ts';
import type { Host } from './private-network.ts';

/** The address and the folder of a third-party server. */
export interface ServerLocation {
  readonly host: Host;
  /** An empty folder for only this server. */
  readonly folder: string;
  /** The names and addresses of all containers, in the form of /etc/hosts. */
  readonly hostsFile: string;
}

/** A program of this machine that replaces an image which needs Docker's registry. */
export interface StandIn {
  /** The end of the program's path. */
  readonly program: string;
  /** Null if the program is not installed. */
  readonly version: () => Promise<string | null>;
  /**
   * Creates the server's data if there is none, and returns its command line, derived from the service's. The files that
   * the service mounts are in the folder, and the command line names them there.
   */
  readonly prepare: (service: ComposedService, place: ServerLocation) => Promise<readonly string[]>;
}

/** The names of EventStoreDB's program. */
export const EVENTSTORES = ['eventstored', 'EventStore.ClusterNode', 'kurrentd'];

const asUser = (user: string): readonly string[] => [
  ...['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--'],
];

/** The folder of the newest Postgres that is installed from Debian's packages; null without one. */
export function postgresPrograms(): string | null {
  const versions = '/usr/lib/postgresql';
  if (!existsSync(versions)) return null;
  const newest = readdirSync(versions)
    .filter((version) => existsSync(path.join(versions, version, 'bin/postgres')))
    .sort((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? null : path.join(versions, newest, 'bin');
}

const POSTGRES: StandIn = {
  program: '/postgres',
  version: async () => firstLine([path.join(postgresPrograms() ?? '', 'postgres'), '--version']),
  prepare: async ({ command = [], environment = {} }, { folder }) => {
    const programs = postgresPrograms() ?? '';
    const {
      POSTGRES_DB: database = '',
      POSTGRES_PASSWORD_FILE: passwordFile = '',
      POSTGRES_USER: user = '',
    } = environment;
    const data = path.join(folder, 'data');
    await runOrThrow(['chown', '--recursive', 'postgres:postgres', folder]);
    const initdb = [`${programs}/initdb`, '--pgdata', data, '--username', user, '--pwfile', passwordFile];
    await runOrThrow([...asUser('postgres'), ...initdb, '--auth=scram-sha-256']);
    // The image's entrypoint does the same.
    writeFileSync(path.join(data, 'pg_hba.conf'), 'host all all all scram-sha-256\n', { flag: 'a' });
    const create = `echo 'create database ${database}' | ${programs}/postgres --single -D ${data} postgres`;
    await runOrThrow([...asUser('postgres'), 'sh', '-c', create]);
    const [, ...options] = command;
    const places = ['-c', 'listen_addresses=*', '-c', `unix_socket_directories=${data}`];
    return [...asUser('postgres'), `${programs}/postgres`, '-D', data, ...places, ...options];
  },
};

const REDIS: StandIn = {
  program: '/redis-check-rdb',
  version: () => firstLine(['redis-server', '--version']),
  prepare: async ({ command = [], user = 'redis' }, { folder }) => {
    await runOrThrow(['chown', `${user}:${user}`, folder]);
    // The image listens on every address; Debian's server listens only on this machine.
    return [...asUser(user), ...command, '--bind', '*', '--protected-mode', 'no', '--dir', folder];
  },
};

const HAPROXY: StandIn = {
  program: '/haproxy',
  version: () => firstLine(['haproxy', '-v']),
  prepare: async ({ command = [], environment = {} }, { host, hostsFile }) => {
    const check = await runOrThrow([...command, '-c', '-q'], { env: { ...process.env, ...environment } });
    if (check !== '') throw new Error(`haproxy warns: ${check}`);
    // Docker's engine answers names at this address.
    const names = ['--no-resolv', '--no-hosts', '--addn-hosts', hostsFile, '--listen-address', '127.0.0.11'];
    const own = ['--bind-interfaces', '--keep-in-foreground', '--user=root', '--pid-file='];
    startCommand([...host.prefix, 'dnsmasq', '--conf-file=/dev/null', ...names, ...own]);
    return [...asUser('haproxy'), ...command, '-db'];
  },
};

const EVENTSTORE: StandIn = {
  program: `/${EVENTSTORES[1]}`,
  version: async () => {
    const program = EVENTSTORES.find(isInstalled);
    return program === undefined ? null : firstLine([program, '--version']);
  },
  prepare: (_service, { folder }) => {
    const program = EVENTSTORES.find(isInstalled) ?? '';
    const data = path.join(folder, 'data');
    const logs = path.join(folder, 'logs');
    for (const one of [data, logs]) mkdirSync(one, { recursive: true });
    // The image's own settings name its folders, and make it listen on every address.
    return Promise.resolve([program, '--db', data, '--log', logs, '--node-ip', '0.0.0.0']);
  },
};

/** The stand-ins, by the image's name without its version. */
export const STAND_INS: Readonly<Record<string, StandIn>> = {
  postgres: POSTGRES,
  redis: REDIS,
  haproxy: HAPROXY,
  'eventstore/eventstore': EVENTSTORE,
};

/** The stand-in for an image such as `redis:8.2.6`. @throws Error when there is none. */
export function standInFor(image: string): StandIn {
  const found = STAND_INS[image.slice(0, image.lastIndexOf(':'))];
  if (found === undefined) throw new Error(`no program of this machine is known in place of ${image}`);
  return found;
}

async function firstLine(words: readonly string[]): Promise<string> {
  return (await runOrThrow(words)).split('\n')[0] ?? '';
}
