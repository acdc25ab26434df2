import { Unavailable } from '@paper/contracts';
import { MINUTE_MS } from '@paper/contracts/units';
import type { ReadModels } from '@paper/read-models';
import type { Logger } from '@paper/runtime';
import { pause } from '@paper/timing';

export interface BoardSettings<T> {
  readonly name: string;
  readonly readModels: Pick<ReadModels, 'read' | 'generation'>;
  /** Computes the content. `minute`: when the current minute began, in ms. `signal` aborts when the board stops. */
  readonly make: (minute: number, signal: AbortSignal) => Promise<BoardContent<T>>;
  readonly now: () => number;
  /** True: the content is computed only for a request, when it is due, so that no answer depends on the wall clock. */
  readonly onDemand?: boolean;
  readonly logger: Logger;
}

export interface BoardContent<T> {
  readonly seq: number;
  readonly value: T;
}

const AGE_MS_MAX = 2000;
const CHECK_MS = 250;
const INTERVAL_MS = 1000;
/** The time that is reserved for a computation that takes longer than the last one. */
const MARGIN_MS = 300;
const PAUSE_MS_MIN = 100;

/**
 * Content that costs too much for each request: computed when the projection has advanced or a minute has begun, at
 * most once a second. While the database is unreachable, the last content is served.
 */
export class Board<T> {
  #made: BoardContent<T> | null = null;
  #minute = 0;
  #generation = 0;
  #failing = false;
  #running: Promise<void> | null = null;
  readonly #stopping = new AbortController();
  readonly #waiting = new Set<() => void>();

  constructor(private readonly settings: BoardSettings<T>) {}

  start(): void {
    if (this.settings.onDemand !== true) this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** The present content. Only the first content is awaited. @throws Unavailable when it does not come. */
  current(): BoardContent<T> | Promise<BoardContent<T>> {
    if (this.settings.onDemand === true) return this.#demanded();
    return this.#shown ?? this.#first();
  }

  #demanded(): Promise<BoardContent<T>> {
    const refreshed = (this.#running ?? Promise.resolve()).then(() => this.#refresh(this.#stopping.signal));
    this.#running = refreshed.then(
      () => undefined,
      () => undefined,
    );
    return refreshed.then(() => this.#shown ?? this.#first());
  }

  /** The content, unless it belongs to another journal. */
  get #shown(): BoardContent<T> | null {
    return this.#generation === this.settings.readModels.generation ? this.#made : null;
  }

  async #first(): Promise<BoardContent<T>> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, AGE_MS_MAX);
      this.#waiting.add(done);
    });
    const made = this.#shown;
    if (made === null) throw new Unavailable(`the ${this.settings.name} are not made yet; try again`);
    return made;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!this.#isStopping()) {
      const startedMs = performance.now();
      let pauseMs = CHECK_MS;
      try {
        if (await this.#refresh(signal)) pauseMs = restAfter(performance.now() - startedMs);
        this.#failing = false;
      } catch (error) {
        if (this.#isStopping()) return;
        if (!this.#failing) this.#logFailure(error);
        this.#failing = true;
      }
      await pause(pauseMs, { signal });
    }
  }

  #logFailure(error: unknown): void {
    const { logger, name } = this.settings;
    // When all processes start together, the read models may be ready later than this process; readiness shows that.
    const waits = this.#made === null && error instanceof Unavailable;
    if (waits) logger.info({ reason: error.message }, `the ${name} wait for the read models`);
    else logger.warn({ err: error }, `the ${name} could not be recomputed; the former answer is shown`);
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #refresh(signal: AbortSignal): Promise<boolean> {
    const minute = Math.floor(this.settings.now() / MINUTE_MS) * MINUTE_MS;
    const { readModels } = this.settings;
    const { generation } = readModels;
    const seq = await readModels.read((view) => Promise.resolve(view.seq));
    // The sequence can go back: a rebuild may have replaced read models of another journal.
    if (this.#shown?.seq === seq && this.#minute === minute) return false;
    this.#made = await this.settings.make(minute, signal);
    this.#minute = minute;
    this.#generation = generation;
    for (const done of this.#waiting) done();
    return true;
  }
}

/** How long to pause after a computation: half of the time is left to other work, unless content would get too old. */
function restAfter(tookMs: number): number {
  const intervalMs = Math.min(Math.max(INTERVAL_MS, 2 * tookMs), AGE_MS_MAX - MARGIN_MS - tookMs);
  return Math.max(PAUSE_MS_MIN, intervalMs - tookMs);
}
