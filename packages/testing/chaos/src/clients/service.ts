import { freePort } from '@paper/runtime';
import { startStandalone, temporaryDataDir } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';

/** A standalone at one address that can be killed and started again over the same data. */
export class KilledService {
  readonly #folder = temporaryDataDir();
  #running: RunningStandalone | null = null;

  private constructor(private readonly port: number) {}

  static async start(): Promise<KilledService> {
    const service = new KilledService(await freePort());
    await service.restart();
    return service;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get operatorToken(): string {
    return this.#running?.operatorToken ?? '';
  }

  /** Kills the process if it runs, and starts it again. */
  async restart(): Promise<void> {
    await this.#running?.stop('SIGKILL');
    this.#running = await startStandalone({ dataDir: this.#folder.dataDir, env: { PORT: String(this.port) } });
  }

  async discard(): Promise<void> {
    await this.#running?.stop('SIGKILL');
    this.#folder.remove();
  }
}
