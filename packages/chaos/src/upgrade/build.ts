import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { refusalOf, sendApiRequest } from '@paper/contracts';

/** The limit is high, since the first start in a fresh worktree installs its dependencies. */
const STARTS_WITHIN_MS = 300_000;
const STOPS_WITHIN_MS = 30_000;

interface ServiceFile {
  readonly baseUrl: string;
  readonly operatorToken: string;
  readonly pid: number;
}

/** The standalone of one build, in its own source folder, on a data folder that later builds use too. */
export class Build {
  #child: ChildProcess | null = null;
  #output = '';
  #service: ServiceFile | null = null;

  constructor(
    private readonly sources: string,
    private readonly dataDir: string,
  ) {}

  /** @throws Error with the service's output, where it does not become ready. */
  async start(): Promise<void> {
    const env = { PORT: '0', METRICS_PORT: '0', DEMO: 'off', HOUSE_BOTS: 'off', RATE_LIMITS: 'off' };
    const child = this.#run(['start'], env);
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.#output += String(chunk)));
    }
    const untilMs = performance.now() + STARTS_WITHIN_MS;
    for (;;) {
      this.#service = this.#readServiceFile();
      if (this.#service !== null) return;
      if (child.exitCode !== null || performance.now() > untilMs) {
        child.kill('SIGKILL');
        throw new Error(`${this.sources} does not start (${child.exitCode}):\n${this.#output}`);
      }
      await wait(50);
    }
  }

  /** The whole output of the build's processes. */
  get output(): string {
    return this.#output;
  }

  get operatorToken(): string {
    return this.#service?.operatorToken ?? '';
  }

  /**
   * The answer as JSON.
   * @throws Error for any status but 200.
   */
  async ask<T>(method: string, target: string, token: string, body?: object, key?: string): Promise<T> {
    const request = { method, path: target, key: token, body, idempotencyKey: key };
    const answer = await sendApiRequest(this.#service?.baseUrl ?? '', request);
    if (answer.status !== 200) throw refusalOf(`${method} ${target}`, answer);
    return answer.body as T;
  }

  /** Runs one of the build's operator commands, and returns its output and exit code. */
  async operate(...args: readonly string[]): Promise<{ readonly code: number | null; readonly said: string }> {
    const child = this.#run(args, {});
    const saying = [child.stdout, child.stderr].map((stream) => (stream === null ? Promise.resolve('') : text(stream)));
    const [out, err] = await Promise.all(saying);
    if (child.exitCode === null) await once(child, 'exit');
    return { code: child.exitCode, said: `${out}${err}`.trim() };
  }

  /**
   * Stops the service as Ctrl-C does.
   *
   * @throws Error where it does not end with exit code 0.
   */
  async stop(): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null) return;
    const killing = setTimeout(() => child.kill('SIGKILL'), STOPS_WITHIN_MS);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const [code] = (await ended) as [number | null];
    clearTimeout(killing);
    if (code !== 0) throw new Error(`it stopped with ${code}:\n${this.#output}`);
  }

  #run(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
    return spawn(process.execPath, [path.join(this.sources, 'scripts/run.mjs'), ...args], {
      cwd: this.sources,
      env: { ...process.env, ...env, DATA_DIR: this.dataDir, DATABASE_URL: '', EVENTSTORE_URL: '', JOURNAL_URL: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** Null until this very process is ready. */
  #readServiceFile(): ServiceFile | null {
    const file = path.join(this.dataDir, 'service.json');
    if (!existsSync(file)) return null;
    const service = JSON.parse(readFileSync(file, 'utf8')) as ServiceFile;
    return service.pid === this.#child?.pid ? service : null;
  }
}
