import path from 'node:path';
import { runCommand } from '@paper/testkit';
import { startStandalone } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { ApiAnswer, sendApiRequest } from 'paper-trading-client';

/** The standalone of one build, run from its own source folder on a data folder that later builds use too. */
export class Build {
  #service: RunningStandalone | null = null;

  constructor(
    private readonly sources: string,
    private readonly dataDir: string,
  ) {}

  /** Starts the service of these sources. @throws Error with its output, when it does not become ready */
  async start(): Promise<void> {
    this.#service = await startStandalone({
      dataDir: this.dataDir,
      env: { METRICS_PORT: '0', DATABASE_URL: '', EVENTSTORE_URL: '', JOURNAL_URL: '' },
      program: { args: [path.join(this.sources, 'scripts/run.mjs'), 'start'], cwd: this.sources },
    });
  }

  get operatorToken(): string {
    return this.#service?.operatorToken ?? '';
  }

  /** Sends a request, and returns the answer as JSON. @throws Error for any status but 200 */
  async ask<T>(method: string, target: string, token: string, body?: object, key?: string): Promise<T> {
    const request = { method, path: target, key: token, body, idempotencyKey: key };
    const response = await sendApiRequest(this.#service?.baseUrl ?? '', request);
    return new ApiAnswer<T>(`${method} ${target}`, response).body;
  }

  operate(...args: readonly string[]): ReturnType<typeof runCommand> {
    return runCommand(args, this.dataDir, {}, this.sources);
  }

  /** Stops the service as Ctrl-C does. @throws Error when it does not end with exit code 0 */
  async stop(): Promise<void> {
    const service = this.#service;
    if (service === null || service.child.exitCode !== null) return;
    const code = await service.stop();
    if (code !== 0) throw new Error(`it stopped with ${code}:\n${service.output()}`);
  }
}
