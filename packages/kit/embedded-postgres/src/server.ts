import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, lifelinePrefix, lockFolder, writePrivateFile } from '@paper/runtime';
import { inTime } from '@paper/timing';
import { accountFor } from './account.ts';
import type { Account } from './account.ts';
import { clearUnfinished, clusterIn, LOCK } from './data-folder.ts';
import { binariesIn, prepareBinaries } from './binaries.ts';
import { ensureCluster, SERVER_ENV, SUPERUSER } from './cluster.ts';
import { assertOwnCluster, repairOwner } from './cluster-owner.ts';
import { clearLeftover, readPidFile } from './leftover.ts';
import { handoverFile } from './handover.ts';
import { tieServerToProcess } from './lifeline.ts';
import { boundLog, lastLogLines, openLog } from './server-log.ts';
import { watchRecovery } from './stuck-recovery.ts';

export interface EmbeddedPostgresOptions {
  /** The folder of `postgres/` (the cluster), `postgres.log`, and a running server's `postgres.json` and lock. */
  readonly dataDir: string;
  /** The folder with `initdb` and `postgres` of another version, for tests. Default: the programs from npm. */
  readonly binaries?: string | undefined;
  readonly logger?: { info(message: string): void };
  /** Settings of postgresql.conf that override ours. `port` defaults to a free one. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface EmbeddedPostgres {
  /** The address `postgresql://…` on 127.0.0.1, with the superuser's password. */
  readonly connectionString: string;
  readonly pid: number;
  /** Calls the listener when the server ends without `stop`; at once if it has ended already. */
  onExit(listener: (reason: string) => void): void;
  /** Stops the server by a fast shutdown. A second call returns the same promise. */
  stop(): Promise<void>;
}

/** TCP on loopback, since a socket's path is limited to 107 bytes. The generated password keeps other users out. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  // An acknowledged commit must be on disk.
  fsync: 'on',
  synchronous_commit: 'on',
  // An embedded server has no replicas, so the WAL contains only the data for recovery.
  wal_level: 'minimal',
  max_wal_senders: '0',
  min_wal_size: '128MB',
  max_wal_size: '1GB',
  checkpoint_timeout: '15min',
  // JIT compilation costs more than it saves on our small queries.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
};

/** The server was killed before it accepted connections: by the system because memory was short, or by a person. */
export class ServerKilled extends Error {
  override readonly name = 'ServerKilled';
}

const START_WITHIN_MS = 120_000;
const FAST_STOP_WITHIN_MS = 3_000;

/**
 * Starts the Postgres of the data folder, and creates the cluster first if there is none; it ends with this process.
 * Throws FolderInUse, and StartRefused for a cluster of another user or an unfinished one.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const dataDir = realpathSync(options.dataDir);
  const unlock = lockFolder(dataDir, LOCK);
  try {
    return await start(dataDir, options, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

async function start(dataDir: string, options: EmbeddedPostgresOptions, unlock: () => void): Promise<EmbeddedPostgres> {
  const startedMs = performance.now();
  clearUnfinished(dataDir);
  const cluster = clusterIn(dataDir);
  const settings = { ...SETTINGS, ...options.settings };
  const account = accountFor(cluster);
  assertOwnCluster(dataDir);
  repairOwner(cluster, account);
  const binaries = options.binaries ? binariesIn(options.binaries) : prepareBinaries(account.ids !== null);
  const password = ensureCluster(cluster, binaries, account, settings['fsync'] === 'on');
  await clearLeftover(cluster);
  const { child, port, pid } = await launch(binaries.postgres, cluster, dataDir, settings, account);
  // The child must not keep this process alive.
  child.unref();
  const releaseLifeline = tieServerToProcess(pid, cluster, account);
  const releaseLog = boundLog(dataDir);
  const stopWatching = watchRecovery(pid, () => {
    options.logger?.info(`Postgres (pid ${pid}) neither serves nor recovers; it is ended`);
    child.kill('SIGKILL');
  });
  const connectionString = `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`;
  const handover = handoverFile(dataDir);
  writePrivateFile(handover, `${JSON.stringify({ connectionString })}\n`);
  options.logger?.info(`Postgres (pid ${pid}) is ready after ${Math.round(performance.now() - startedMs)} ms`);

  let stopping: Promise<void> | null = null;
  let ended: string | null = null;
  const listeners: ((reason: string) => void)[] = [];
  const exited = new Promise<true>((resolve) => {
    child.once('exit', (code, signal) => {
      releaseLifeline();
      releaseLog();
      stopWatching();
      rmSync(handover, { force: true });
      unlock();
      ended = `Postgres (pid ${pid}) ended by ${signal ?? `exit code ${code ?? 'unknown'}`}: ${lastLogLines(dataDir)}`;
      if (stopping === null) for (const listener of listeners) listener(ended);
      resolve(true);
    });
  });
  const stop = async (): Promise<void> => {
    stopWatching();
    for (const [signal, waitMs] of [
      ['SIGINT', FAST_STOP_WITHIN_MS],
      ['SIGQUIT', 1_000],
      ['SIGKILL', 5_000],
    ] as const) {
      child.kill(signal);
      if (await inTime(exited, waitMs, () => false)) break;
    }
    options.logger?.info(`Postgres (pid ${pid}) has stopped`);
  };
  return {
    connectionString,
    pid,
    onExit: (listener) => {
      if (ended !== null && stopping === null) listener(ended);
      else listeners.push(listener);
    },
    stop: () => (stopping ??= ended === null ? stop() : Promise.resolve()),
  };
}

async function launch(
  postgres: string,
  cluster: string,
  dataDir: string,
  settings: Readonly<Record<string, string>>,
  account: Account,
): Promise<{ readonly child: ChildProcess; readonly pid: number; readonly port: number }> {
  const until = performance.now() + START_WITHIN_MS;
  for (let attempt = 1; ; attempt += 1) {
    const port = Number(settings['port'] ?? (await freePort()));
    const child = spawnServer(postgres, cluster, dataDir, { ...settings, port: String(port) }, account);
    const failure = await readyOrFailure(child, cluster, until);
    if (failure === null && child.pid !== undefined) return { child, pid: child.pid, port };
    const log = lastLogLines(dataDir);
    // Retries because another process took the port meanwhile, or children of a killed server still hold shared memory.
    if (attempt >= 20 || !/Address already in use|pre-existing shared memory block/.test(log)) {
      const message = `Postgres did not start (${failure ?? 'no pid'}): ${log}`;
      throw failure === 'SIGKILL' ? new ServerKilled(message) : new Error(message);
    }
    await sleep(250);
  }
}

function spawnServer(
  postgres: string,
  cluster: string,
  dataDir: string,
  settings: Readonly<Record<string, string>>,
  account: Account,
): ChildProcess {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [program = postgres, ...args] = [...lifelinePrefix(), postgres, '-D', account.pathOf(cluster), ...options];
  const log = openLog(dataDir);
  try {
    return spawn(program, args, {
      cwd: cluster,
      env: SERVER_ENV,
      stdio: ['ignore', log, log],
      // The server has a session of its own, so that Ctrl-C in the terminal reaches only this process, which stops the
      // server last.
      detached: true,
      ...(account.ids ?? {}),
    });
  } finally {
    closeSync(log);
  }
}

async function readyOrFailure(child: ChildProcess, cluster: string, until: number): Promise<string | null> {
  const seen: { failure: string | null } = { failure: null };
  child.once('error', (error) => (seen.failure = error.message));
  child.once('exit', (code, signal) => (seen.failure ??= signal ?? `exit code ${code ?? 'unknown'}`));
  for (;;) {
    if (seen.failure !== null) return seen.failure;
    const state = readPidFile(cluster);
    if (state?.ready === true && state.pid === child.pid) return null;
    if (performance.now() > until) {
      child.kill('SIGQUIT');
      return 'it took too long';
    }
    await sleep(10);
  }
}
