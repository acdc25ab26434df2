import { timeOf } from './exchange-clock.ts';
import type { ExchangeClock } from './exchange-clock.ts';
import type { AdvanceClockInput, AdvancedClock } from './generated/api.ts';

/** The kinds of news that end a wait before its time: an event of the own account, a change of any book, a trade. */
export type Wake = NonNullable<AdvanceClockInput['wake']>[number];

interface ClockRequests {
  /** Reads the clock; its answer is passed to `note`. */
  readonly read: () => Promise<unknown>;
  readonly advance: (input: AdvanceClockInput) => Promise<AdvancedClock>;
  readonly warn: (text: string) => void;
}

type AccountEvents = AdvancedClock['events'];

interface Waiter {
  readonly untilMs: number;
  readonly wakes: readonly Wake[];
  readonly end: (error?: Error) => void;
}

const fleetOf = (isFleet: boolean): { readonly fleet?: true } => (isFleet ? { fleet: true } : {});

/** The API accepts times from 1970 to 2999. */
const TIMES_END_MS = Date.UTC(3000, 0);

/** The time of the clock, which counts whole milliseconds, when `atMs` has come. Infinity: the end of the backtest. */
function dueMsOf(atMs: number): number {
  const dueMs = Math.ceil(atMs);
  return dueMs >= TIMES_END_MS ? Infinity : dueMs;
}

/** A longer pause between two calls is not counted as computation. */
const IDLE_MS_MAX = 1_000;
const IDLE_WARNING =
  'paper-trading-client: more than a second of wall time passed between two calls, and the clock of the backtest stood ' +
  'still. Wait by sleep() or every() of the client.';

/**
 * The clock of a backtest, which moves when all participants wait. This client waits when none of its requests is under
 * way and a caller of `wait` waits. The clock then advances to the earliest awaited time, or to the first event that
 * wakes a caller. Requests are sent in the order of their calls, so that a bot does the same in each run.
 */
export class BacktestClock implements ExchangeClock {
  readonly #waiters = new Set<Waiter>();
  /** The readers of the account's events, and whether each also gets the events of all its sub-accounts. */
  readonly #readers = new Map<(events: AccountEvents) => void, boolean>();
  #nowMs: number | null = null;
  #firstRead: Promise<unknown> | null = null;
  #hasEnded = false;
  /** True while the account may have events that no advance has returned yet. */
  #hasUnread = true;
  #underWay = 0;
  #last: Promise<unknown> = Promise.resolve();
  #isScheduled = false;
  #idleSinceMs: number | null = null;
  #hasWarned = false;

  constructor(private readonly requests: ClockRequests) {}

  /** True once the backtest has ended and every event of the account was read. */
  get hasEnded(): boolean {
    return this.#hasEnded && !(this.#hasUnread && this.#readers.size > 0);
  }

  /** Whether streams show the markets later than reads: `feedLatencyMs` is set. */
  isFeedLate = false;

  note(headers: Headers): void {
    this.isFeedLate ||= headers.has('x-feed-time');
    this.#moveTo(timeOf(headers) ?? -Infinity);
  }

  async now(): Promise<number> {
    // Callers that begin at once share the first read: else one could wait, and the clock move, before another knows it.
    if (this.#nowMs === null) {
      this.#firstRead ??= this.#inTurn(this.requests.read).finally(() => (this.#firstRead = null));
      await this.#firstRead;
    }
    return this.#nowMs ?? 0;
  }

  async waitUntil(atMs: number, signal?: AbortSignal): Promise<boolean> {
    const dueMs = dueMsOf(atMs);
    while ((await this.now()) < dueMs) {
      if (signal?.aborted === true || this.#hasEnded) return false;
      await this.wait(dueMs, [], signal);
    }
    // After the end of a backtest no command is decided, so there is nothing to wait for.
    return signal?.aborted !== true && !this.#hasEnded;
  }

  send<T>(work: () => Promise<T>, changes: boolean): Promise<T> {
    this.#hasUnread ||= changes;
    return this.#inTurn(work);
  }

  /** Waits until a time, or an event of these kinds may have happened. The caller checks that, and waits again. */
  wait(untilMs: number, wakes: readonly Wake[], signal?: AbortSignal): Promise<void> {
    this.#noticeIdle();
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        end: (error) => {
          this.#waiters.delete(waiter);
          signal?.removeEventListener('abort', leave);
          if (error === undefined) resolve();
          else reject(error);
        },
        untilMs,
        wakes,
      };
      const leave = (): void => waiter.end();
      this.#waiters.add(waiter);
      signal?.addEventListener('abort', leave);
      if (signal?.aborted === true) leave();
      this.#schedule();
    });
  }

  /** True while a reader gets the events of all sub-accounts. */
  get followsFleet(): boolean {
    return [...this.#readers.values()].includes(true);
  }

  /** Passes the account's events to a reader; with `isFleet` all readers get all sub-accounts' too. Returns its undo. */
  async follow(read: (events: AccountEvents) => void, isFleet: boolean): Promise<() => void> {
    // Earlier events do not belong to it.
    this.#hasUnread ||= isFleet && !this.followsFleet;
    while (this.#hasUnread) await this.#advance({ until: this.#present, wake: [], ...fleetOf(isFleet) });
    this.#readers.set(read, isFleet);
    return () => void this.#readers.delete(read);
  }

  /** Advances once nothing else is to be done: the awakened callers have made their next calls by then. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const advance = (): void => {
      this.#isScheduled = false;
      if (this.#underWay === 0 && this.#waiters.size > 0) void this.#advanceForAll();
    };
    // Browsers lack setImmediate, which is faster.
    if ('setImmediate' in globalThis) setImmediate(advance);
    else setTimeout(advance, 0);
  }

  async #advanceForAll(): Promise<void> {
    const waiters = [...this.#waiters];
    const untilMs = Math.min(...waiters.map((one) => one.untilMs));
    const wake = [...new Set(waiters.flatMap(({ wakes }) => wakes))];
    const isBehind = this.#hasUnread && this.#readers.size > 0;
    const until = Number.isFinite(untilMs) ? { until: new Date(untilMs).toISOString() } : {};
    try {
      const { events, waiting } = await this.#advance(
        isBehind ? { until: this.#present, wake: [] } : { ...until, wake },
      );
      const now = this.#nowMs ?? 0;
      for (const waiter of waiters) {
        const { wakes } = waiter;
        // The answer does not say what woke. Another participant may change a market without the clock moving.
        const isWoken = wakes.includes('account') ? events.length > 0 : wakes.length > 0 && !waiting;
        if (this.#hasEnded || isWoken || waiter.untilMs <= now) waiter.end();
      }
    } catch (error) {
      for (const waiter of waiters) waiter.end(error instanceof Error ? error : new Error(String(error)));
    }
    this.#schedule();
  }

  async #advance(input: AdvanceClockInput): Promise<AdvancedClock> {
    const whole = { ...input, ...fleetOf(this.followsFleet) };
    const answer = await this.#inTurn(() => this.requests.advance(whole));
    const { ended, events, more, now, waiting } = answer;
    this.#moveTo(Date.parse(now));
    this.#hasEnded ||= ended;
    if (!waiting) this.#hasUnread = more;
    if (events.length > 0) for (const read of this.#readers.keys()) read(events);
    return answer;
  }

  /** The present time, for an advance that moves nothing. */
  get #present(): string {
    return new Date(this.#nowMs ?? 0).toISOString();
  }

  #moveTo(ms: number): void {
    if (ms > (this.#nowMs ?? -Infinity)) this.#nowMs = ms;
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#noticeIdle();
    this.#underWay += 1;
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      this.#underWay -= 1;
      this.#idleSinceMs = performance.now();
      this.#schedule();
    }
  }

  /** Warns once if a bot seems to have slept by the wall clock. */
  #noticeIdle(): void {
    const isIdle = this.#underWay === 0 && this.#waiters.size === 0;
    if (this.#hasWarned || !isIdle || this.#idleSinceMs === null) return;
    if (performance.now() - this.#idleSinceMs <= IDLE_MS_MAX) return;
    this.#hasWarned = true;
    this.requests.warn(IDLE_WARNING);
  }
}
