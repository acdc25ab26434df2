import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@paper/contracts';
import type { ReadModels } from '@paper/read-models';
import type { Logger } from '@paper/service-kit';

export interface BoardSettings<T> {
  /** For the log. */
  readonly name: string;
  readonly readModels: Pick<ReadModels, 'read' | 'generation'>;
  /** Makes it anew from the read models. `minute`: the last whole minute, in ms, at which windows are evaluated. `signal`: the board stops. */
  readonly make: (minute: number, signal: AbortSignal) => Promise<Made<T>>;
  readonly now: () => number;
  readonly logger: Logger;
}

/** What a board shows, and the sequence of the journal that all of it shows. */
export interface Made<T> {
  readonly seq: number;
  readonly value: T;
}

/** What is shown is at most this old. */
const AGE_MS_MAX = 2000;
/** How often it looks whether there is something new. */
const CHECK_MS = 250;
/** From one making to the next, at least. */
const INTERVAL_MS = 1000;
/** Of the age, for a making that takes longer than the one before. */
const MARGIN_MS = 300;
const PAUSE_MS_MIN = 100;
const MINUTE_MS = 60_000;

/**
 * Something that costs too much to be made for each who asks: made anew when the projection has gone on or a minute
 * has begun, at most once a second, and shown in between. While the database is away, or its read models are being
 * swapped, it goes on showing what it has, and tries again.
 */
export class Board<T> {
  #made: Made<T> | null = null;
  #minute = 0;
  #generation = 0;
  #failing = false;
  #running: Promise<void> | null = null;
  readonly #stopping = new AbortController();
  readonly #waiting = new Set<() => void>();

  constructor(private readonly settings: BoardSettings<T>) {}

  start(): void {
    this.#running ??= this.#run();
  }

  /** Resolves when what is being made has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** What it shows now; only the first is waited for. @throws ApiError unavailable when that does not come. */
  current(): Made<T> | Promise<Made<T>> {
    return this.#shown ?? this.#first();
  }

  /** What was made of another journal is not shown any more. */
  get #shown(): Made<T> | null {
    return this.#generation === this.settings.readModels.generation ? this.#made : null;
  }

  async #first(): Promise<Made<T>> {
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
    if (made === null) throw new ApiError('unavailable', `the ${this.settings.name} are not made yet; try again`);
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
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  #logFailure(error: unknown): void {
    const { logger, name } = this.settings;
    // Who starts together with the projector waits for the read models; readiness tells who looks.
    const waits = this.#made === null && error instanceof ApiError && error.code === 'unavailable';
    if (waits) logger.info({ reason: error.message }, `the ${name} wait for the read models`);
    else logger.warn({ err: error }, `the ${name} could not be recomputed; the former answer is shown`);
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Whether it was made anew. */
  async #refresh(signal: AbortSignal): Promise<boolean> {
    const minute = Math.floor(this.settings.now() / MINUTE_MS) * MINUTE_MS;
    const { readModels } = this.settings;
    const { generation } = readModels;
    const seq = await readModels.read((view) => Promise.resolve(view.seq));
    // It can also have gone back: a rebuild may have taken over from read models of another journal.
    if (this.#shown?.seq === seq && this.#minute === minute) return false;
    this.#made = await this.settings.make(minute, signal);
    this.#minute = minute;
    this.#generation = generation;
    for (const done of this.#waiting) done();
    return true;
  }
}

/**
 * Between two makings that take long half of the time is left to others, as far as the age allows: a change that
 * comes just after a start is shown when the next making has ended.
 */
function restAfter(tookMs: number): number {
  const intervalMs = Math.min(Math.max(INTERVAL_MS, 2 * tookMs), AGE_MS_MAX - MARGIN_MS - tookMs);
  return Math.max(PAUSE_MS_MIN, intervalMs - tookMs);
}
