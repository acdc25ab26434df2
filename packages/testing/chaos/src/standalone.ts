import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '@paper/testkit';
import { hasEnded } from '@paper/testkit/servers';
import { GivenUp } from './findings.ts';
import type { Findings } from './findings.ts';
import { backendsOf, kill, postmasterOf } from './processes.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
/** systemd's default pause before a restart. */
const RESTART_MS = 100;
const STARTS_WITHIN_MS = 90_000;

export type Target = 'the process' | 'its Postgres' | 'a backend of Postgres' | 'the process and Postgres';

export interface StandaloneSettings {
  readonly dataDir: string;
  readonly logFile: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The process of `npm start`, restarted when it ends. An end without a cause, or a failed start, is a finding. */
export class SupervisedStandalone {
  #child: ChildProcess | null = null;
  /** The reason why the present process may end; null while it must not end. */
  #excuse: string | null = null;
  /** Resolves to how the process ended. */
  #ended = Promise.resolve('never started');
  #wanted = false;
  lives = 0;
  kills = 0;
  /** The duration of the last start, until the process reports that it is ready. */
  startMs = 2_000;

  constructor(
    private settings: StandaloneSettings,
    private readonly findings: Findings,
  ) {}

  get dataDir(): string {
    return this.settings.dataDir;
  }

  get env(): StandaloneSettings['env'] {
    return this.settings.env;
  }

  /** The reason (a full disk) why starts and processes may fail now; null while they must not fail. */
  excused: string | null = null;

  /** Starts the process, and restarts it until `stop`. Resolves when the process is ready for the first time. */
  async start(settings: Partial<StandaloneSettings> = {}): Promise<void> {
    this.settings = { ...this.settings, ...settings };
    this.#wanted = true;
    const startedMs = performance.now();
    this.#spawn();
    while (!this.#isReady()) {
      if (this.findings.all.length > 0 || performance.now() - startedMs > STARTS_WITHIN_MS) {
        throw new GivenUp(`life ${this.lives} does not start`);
      }
      await wait(20);
    }
    this.startMs = performance.now() - startedMs;
  }

  /**
   * Sends SIGKILL to the target, or to the process itself while there is no Postgres; returns what was killed. A
   * process that serves must survive the end of its Postgres; one that is starting may end, and must succeed at the
   * next start.
   */
  kill(target: Target, random: Random, serves: boolean): Target | null {
    const killed = this.#kill(target, random, serves);
    if (killed !== null) this.kills += 1;
    return killed;
  }

  /** Stops the service as an operator does, which must leave no process. */
  async stop(): Promise<void> {
    this.#wanted = false;
    const child = this.#child;
    if (child === null || hasEnded(child)) return;
    child.kill('SIGTERM');
    const how = await this.#ended;
    if (how !== 'exit code 0' && this.excused === null) this.findings.failed(`asked to stop, it ended with ${how}`);
  }

  async discard(): Promise<void> {
    this.#wanted = false;
    this.#child?.kill('SIGKILL');
    await this.#ended;
  }

  #kill(target: Target, random: Random, serves: boolean): Target | null {
    const postmaster = postmasterOf(this.dataDir);
    const backends = postmaster === null ? [] : backendsOf(postmaster);
    if (target === 'a backend of Postgres' && backends.length > 0) {
      if (!serves) this.#excuse = target;
      return kill(random.pick(backends)) ? target : null;
    }
    // A process that serves restarts its Postgres.
    if (target !== 'its Postgres' || !serves || postmaster === null) this.#excuse = target;
    const ofPostgres = target !== 'the process' && postmaster !== null && kill(postmaster);
    if (ofPostgres && target !== 'the process and Postgres') return 'its Postgres';
    const ofProcess = this.#child?.kill('SIGKILL') === true;
    if (ofProcess) return ofPostgres ? target : 'the process';
    return ofPostgres ? 'its Postgres' : null;
  }

  #spawn(): void {
    const { dataDir, env, logFile } = this.settings;
    this.lives += 1;
    this.#excuse = null;
    const log = openSync(logFile, 'a');
    const child = spawn(process.execPath, [path.join(root, 'scripts/run.mjs'), 'start'], {
      cwd: root,
      env: { ...process.env, ...env, DATA_DIR: dataDir, DATABASE_URL: '', ACCEPT_CLOCK: 'journal' },
      // When this process ends, its IPC channel closes and ends the service.
      stdio: ['ignore', log, log, 'ipc'],
    });
    closeSync(log);
    this.#child = child;
    this.#ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        const how = signal ?? `exit code ${code}`;
        resolve(how);
        if (this.#child !== child || !this.#wanted) return;
        if (this.#excuse === null && this.excused === null) {
          this.findings.failed(`life ${this.lives} ended by itself with ${how}`);
        }
        setTimeout(() => {
          if (this.#wanted) this.#spawn();
        }, RESTART_MS);
      });
    });
  }

  #isReady(): boolean {
    try {
      const { pid } = JSON.parse(readFileSync(path.join(this.dataDir, 'service.json'), 'utf8')) as { pid: number };
      return pid === this.#child?.pid;
    } catch {
      return false;
    }
  }
}
