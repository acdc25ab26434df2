import { RateLimited, Unavailable } from '@paper/contracts';
import { FairQueue } from '@paper/runtime/queues';
import type { Lane } from '@paper/runtime/queues';
import { systemClock } from '@paper/timing';
import type { Clock } from '@paper/timing';

interface WorkLimitOptions {
  readonly clock?: Pick<Clock, 'after' | 'monotonic'>;
  /** The limit of commands under way at the start. Default: the minimum. */
  readonly commandsAtFirst?: number;
}

/**
 * The time within which admitted work should be answered: less than the 100 ms that a client with one order at a time
 * waits. With 50 the appends of 400 busy connections were smaller, and a tenth fewer orders were done.
 */
const WORK_MS = 75;
const WAIT_MS_MAX = 5_000;
const WAITING_PER_ACCOUNT = 64;
/** The lowest limit: with fewer commands under way the journal's appends would be small and slow. */
export const COMMANDS_MIN = 64;
const COMMANDS_MAX = 16_384;
const PERIOD_MS = 100;
/** The factor by which the limit grows again in each period, and the slowest answer at which it still grows. */
const GROWTH = 1.1;
const GROWS_UNTIL_MS = WORK_MS / 2;

/**
 * Admits only as many requests with commands as can be answered within 75 ms. The others wait before they are parsed,
 * and their fleets take turns (http-rules, Rate limits). Single commands and batches wait in separate queues, from
 * which as many commands begin of one kind as of the other. A single command of a fleet with nothing under way does not
 * wait, unless all fleets together have twice the limit under way. In each period of 100 ms the limit shrinks in
 * proportion to the slowest answer, if that took longer than 75 ms. It grows if work waited and all answers took less
 * than half of that.
 */
export class WorkLimit {
  readonly #clock: Pick<Clock, 'after' | 'monotonic'>;
  readonly #singles = new FairQueue<Work>();
  readonly #batches = new FairQueue<Work>();
  /** The number of commands by which batches that waited are ahead of single commands that waited. */
  #batchesAhead = 0;
  readonly #fleets = new Map<string, number>();
  #underWay = 0;
  #limit: number;
  #periodStartMs: number;
  #slowestMs = 0;
  #hasWaited = false;
  #commandsWaiting = 0;

  constructor({ clock = systemClock, commandsAtFirst = COMMANDS_MIN }: WorkLimitOptions = {}) {
    this.#clock = clock;
    this.#limit = commandsAtFirst;
    this.#periodStartMs = clock.monotonic();
  }

  get commands(): number {
    return this.#limit;
  }

  /** The commands that wait to begin. A batch is not read yet, so it counts as many as it may have. */
  get commandsWaiting(): number {
    return this.#commandsWaiting;
  }

  now(): number {
    return this.#clock.monotonic();
  }

  request(lane: Lane, commands: number): Work {
    return new Work(lane, commands, this);
  }

  /** Begins work at its turn, as `Work.begin` says. */
  begin(work: Work): void | Promise<void> {
    const { lane } = work;
    const isQuiet = !work.isBatch && !this.#fleets.has(lane.fleet);
    if (this.#underWay < (isQuiet ? 2 * this.#limit : this.#limit)) {
      work.admit();
      return;
    }
    if (this.#singles.depthOf(lane) + this.#batches.depthOf(lane) >= WAITING_PER_ACCOUNT) {
      throw new RateLimited("too many of this account's commands are waiting");
    }
    this.#hasWaited = true;
    const queue = work.isBatch ? this.#batches : this.#singles;
    queue.push(lane, work);
    this.#commandsWaiting += work.commands;
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.after(WAIT_MS_MAX, () => {
        this.#commandsWaiting -= work.commands;
        work.end();
        queue.dropWhile(lane, ({ hasEnded }) => hasEnded);
        reject(new Unavailable('too many commands are waiting; try again'));
      });
      work.onAdmitted = () => {
        this.#commandsWaiting -= work.commands;
        cancel();
        resolve();
      };
    });
  }

  /** Counts commands of a fleet that are under way; `more` is below 0 when they end. */
  count(fleet: string, more: number): void {
    this.#underWay += more;
    const left = (this.#fleets.get(fleet) ?? 0) + more;
    if (left > 0) this.#fleets.set(fleet, left);
    else this.#fleets.delete(fleet);
  }

  #admitWaiting(): void {
    while (this.#underWay < this.#limit) {
      const next = this.#shift();
      if (next === undefined) return;
      if (!next.hasEnded) next.admit();
    }
  }

  #shift(): Work | undefined {
    const bothWait = this.#singles.depth > 0 && this.#batches.depth > 0;
    if (!bothWait) {
      this.#batchesAhead = 0;
      return this.#singles.shift() ?? this.#batches.shift();
    }
    const next = this.#batchesAhead >= 0 ? this.#singles.shift() : this.#batches.shift();
    if (next?.hasEnded === false) this.#batchesAhead += next.isBatch ? next.commands : -next.commands;
    return next;
  }

  /** Adapts the limit to work that has ended, and admits waiting work. */
  ended(startedMs: number): void {
    this.#adapt(startedMs);
    this.#admitWaiting();
  }

  #adapt(startedMs: number): void {
    const nowMs = this.now();
    this.#slowestMs = Math.max(this.#slowestMs, nowMs - startedMs);
    if (nowMs - this.#periodStartMs < PERIOD_MS) return;
    if (this.#slowestMs > WORK_MS) {
      this.#limit = Math.max(COMMANDS_MIN, Math.floor((this.#limit * WORK_MS) / this.#slowestMs));
    } else if (this.#hasWaited && this.#slowestMs < GROWS_UNTIL_MS) {
      this.#limit = Math.min(COMMANDS_MAX, Math.ceil(this.#limit * GROWTH));
    }
    this.#periodStartMs = nowMs;
    this.#slowestMs = 0;
    this.#hasWaited = this.#singles.depth + this.#batches.depth > 0;
  }
}

/** The commands of one request, from their admission to their answer. */
export class Work {
  onAdmitted: (() => void) | null = null;
  readonly isBatch: boolean;
  #hasEnded = false;
  #startedMs: number | null = null;

  constructor(
    readonly lane: Lane,
    public commands: number,
    private readonly limit: WorkLimit,
  ) {
    this.isBatch = commands > 1;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Begins at its turn. Throws RateLimited when its account has too many waiting; Unavailable after 5 s. */
  begin(): void | Promise<void> {
    return this.limit.begin(this);
  }

  admit(): void {
    this.#startedMs = this.limit.now();
    this.limit.count(this.lane.fleet, this.commands);
    this.onAdmitted?.();
  }

  resize(commands: number): void {
    this.limit.count(this.lane.fleet, commands - this.commands);
    this.commands = commands;
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#startedMs === null) return;
    this.limit.count(this.lane.fleet, -this.commands);
    this.limit.ended(this.#startedMs);
  }
}
