import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from '@paper/embedded-postgres';
import { freePort } from '@paper/runtime';
import type { EmbeddedPostgres } from '@paper/embedded-postgres';

const RESTART_MS = 1_000;

/** A Postgres that flushes, and is restarted at the same address whenever it ends, as by a service manager. */
export class SupervisedPostgres {
  #running: EmbeddedPostgres;
  #isWanted = true;

  private constructor(
    private readonly dataDir: string,
    private readonly port: string,
    running: EmbeddedPostgres,
  ) {
    this.#running = running;
    this.#watch();
  }

  /** `dataDir`: the folder of the cluster, which this call creates. */
  static async start(dataDir: string): Promise<SupervisedPostgres> {
    const port = String(await freePort());
    return new SupervisedPostgres(dataDir, port, await startEmbeddedPostgres({ dataDir, settings: { port } }));
  }

  /** The connection string, which is the same after each restart: the password belongs to the cluster. */
  get connectionString(): string {
    return this.#running.connectionString;
  }

  async stop(): Promise<void> {
    this.#isWanted = false;
    await this.#running.stop();
  }

  #watch(): void {
    this.#running.onExit(() => void this.#startAgain());
  }

  async #startAgain(): Promise<void> {
    while (this.#isWanted) {
      await sleep(RESTART_MS);
      try {
        this.#running = await startEmbeddedPostgres({ dataDir: this.dataDir, settings: { port: this.port } });
        this.#watch();
        return;
      } catch {
        // The start failed, for example because the disk is full: it is repeated.
      }
    }
  }
}
