import { BackOff, pause } from '@paper/timing';
import { DiskFull, explainBySpace, isAnyFull } from './disk-space.ts';
import { ServerKilled, startEmbeddedPostgres } from './server.ts';
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from './server.ts';

interface KeptPostgresOptions extends EmbeddedPostgresOptions {
  /** Called when the server has ended by itself, and after each failed start, with `DiskFull` if that is the reason. */
  readonly onDown: (error: Error) => void;
  /** Called whenever the server accepts connections, including the first time. */
  readonly onUp: () => void;
}

export type KeptPostgres = Pick<EmbeddedPostgres, 'connectionString' | 'stop'>;

export const RESTART_BACK_OFF = { firstMs: 100, longestMs: 5_000 };
/** The interval of checks whether a full disk has space again. */
const LOOK_MS = 250;

/**
 * Starts the Postgres of the data folder and keeps it running until `stop`, with pauses of at most 5 s after it ends by
 * itself; while the disk is full, it waits for space. Throws as `startEmbeddedPostgres` at the first start.
 */
export async function keepEmbeddedPostgres(options: KeptPostgresOptions): Promise<KeptPostgres> {
  const keeper = new Keeper(options);
  const passes = (error: Error): boolean => error instanceof DiskFull || error instanceof ServerKilled;
  const { connectionString } = await keeper.start(options.settings, passes);
  return { connectionString, stop: () => keeper.stop() };
}

class Keeper {
  readonly #stopping = new AbortController();
  readonly #backOff = new BackOff(RESTART_BACK_OFF);
  #server: EmbeddedPostgres | null = null;
  #restarting: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: KeptPostgresOptions) {}

  /** Resolves when the server accepts connections. Throws the first error that is not temporary. */
  async start(settings: KeptPostgresOptions['settings'], isTemporary: (error: Error) => boolean) {
    for (;;) {
      try {
        return await this.#startOnce(settings);
      } catch (caught) {
        const error = explainBySpace(caught, this.options.dataDir);
        if (this.#stopping.signal.aborted || !isTemporary(error)) throw error;
        this.options.onDown(error);
        await this.#pauseAfter(error);
      }
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#restarting;
    await this.#server?.stop();
  }

  async #startOnce(settings: KeptPostgresOptions['settings']): Promise<EmbeddedPostgres> {
    this.#stopping.signal.throwIfAborted();
    const server = await startEmbeddedPostgres({ ...this.options, ...(settings === undefined ? {} : { settings }) });
    const startedMs = performance.now();
    this.#server = server;
    this.options.onUp();
    server.onExit((reason) => {
      // A server that ends soon after its start may end soon again, so its pauses go on growing.
      if (performance.now() - startedMs > RESTART_BACK_OFF.longestMs) this.#backOff.reset();
      this.#restarting = this.#restart(server, new Error(reason)).catch(() => undefined);
    });
    return server;
  }

  async #restart({ connectionString }: EmbeddedPostgres, ended: Error): Promise<void> {
    const error = explainBySpace(ended, this.options.dataDir);
    this.options.onDown(error);
    await this.#pauseAfter(error);
    await this.start({ ...this.options.settings, port: new URL(connectionString).port }, () => true);
  }

  async #pauseAfter(error: Error): Promise<void> {
    const { signal } = this.#stopping;
    const untilMs = performance.now() + this.#backOff.next();
    const isOver = (): boolean =>
      signal.aborted || performance.now() >= untilMs || (error instanceof DiskFull && !isAnyFull(this.options.dataDir));
    do await pause(Math.min(LOOK_MS, Math.max(0, untilMs - performance.now())), { signal });
    while (!isOver());
  }
}
