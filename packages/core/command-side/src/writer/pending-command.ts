import type { Decision, State } from '@paper/exchange';
import type { Command, Untimed } from '@paper/exchange/commands';
import type { Lane } from '@paper/runtime/queues';
import type { Clock } from '@paper/timing';

/** A command's lane in the queue. Accounts take turns within their fleet; operators and the system are fleets. */
export interface CommandLane extends Lane {
  readonly kind: 'account' | 'operator' | 'system';
}

/** The lane of an account's commands. `primaryAccountId` is null for a primary account. */
export function accountLane(accountId: string, primaryAccountId: string | null): CommandLane {
  return { account: accountId, fleet: `fleet:${primaryAccountId ?? accountId}`, kind: 'account' };
}

export function operatorLane(name: string): CommandLane {
  return { account: name, fleet: `operator:${name}`, kind: 'operator' };
}

export const SYSTEM_LANE: CommandLane = { account: 'system', fleet: 'system', kind: 'system' };

/** An answer that may be sent, since all that it rests on is durable. `hash`: the hash of the event at `seq`. */
export interface CommandResult<T> {
  readonly value: T;
  readonly seq: number;
  readonly hash: string;
  /** True if the client's Idempotency-Key was used before: the first answer is repeated. */
  readonly replayed: boolean;
  /** True if the command appended events, now or when its Idempotency-Key was first used. */
  readonly changed: boolean;
}

/** Makes an answer from a decision and the state that the decision left. */
export type MakeAnswer<T> = (decision: Decision, state: State) => T;

/** A command that waits for its answer. The first answer counts; later ones are ignored. */
export class PendingCommand implements PendingRequest {
  /** The time, by the monotonic clock, after which the command is answered as unavailable. */
  deadlineMs = Infinity;
  /** The time at which the command was queued, by the clock of traces; null when nothing is traced. */
  queuedMs: number | null = null;
  /** The applied decision, with its last sequence; null before. The answer may come much later, at the end of a run. */
  applied: { readonly command: Command; readonly decision: Decision; readonly seq: number } | null = null;
  #settled = false;

  constructor(
    readonly lane: CommandLane,
    readonly command: Untimed,
    /**
     * Called right after the decision was applied; if the command begins a run, after the run has ended. Never called
     * for a rejection. Pure. May throw a `Refused`.
     */
    readonly answer: MakeAnswer<unknown>,
    /** True for a preview, which is decided and answered, and neither applied nor appended. */
    readonly isPreview: boolean,
    private readonly onResolve: (result: CommandResult<unknown>) => void,
    private readonly onReject: (error: Error) => void,
  ) {}

  get answered(): boolean {
    return this.#settled;
  }

  resolve(result: CommandResult<unknown>): void {
    if (this.#settled) return;
    this.#settled = true;
    this.onResolve(result);
  }

  reject(error: Error): void {
    if (this.#settled) return;
    this.#settled = true;
    this.onReject(error);
  }
}

/** A request that waits for its answer: one command, or several that follow each other. */
export interface PendingRequest {
  deadlineMs: number;
  queuedMs: number | null;
  readonly answered: boolean;
  readonly lane: CommandLane;
  reject(error: Error): void;
}

/** A request that has waited this long is answered as unavailable. */
export const LONGEST_WAIT_MS = 5_000;

/**
 * All requests that wait for an answer, in the order of their deadlines. Each new request gets the latest deadline, so
 * this is the order of insertion. One timer, for the oldest request, serves all.
 */
export class UnansweredRequests {
  readonly #pending = new Set<PendingRequest>();
  #cancelTimer: (() => void) | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly expire: (pending: PendingRequest) => void,
  ) {}

  get size(): number {
    return this.#pending.size;
  }

  /** Adds a request, or renews the deadline of one that was already added. */
  add(pending: PendingRequest): void {
    pending.deadlineMs = this.clock.monotonic() + LONGEST_WAIT_MS;
    this.#pending.delete(pending);
    this.#pending.add(pending);
    this.#arm();
  }

  delete(pending: PendingRequest): void {
    this.#pending.delete(pending);
    if (this.#pending.size === 0) this.#disarm();
  }

  all(): readonly PendingRequest[] {
    return [...this.#pending];
  }

  #arm(): void {
    if (this.#cancelTimer !== null) return;
    const [oldest] = this.#pending;
    if (oldest === undefined) return;
    this.#cancelTimer = this.clock.after(Math.max(1, oldest.deadlineMs - this.clock.monotonic()), () => {
      this.#cancelTimer = null;
      this.#sweep();
      this.#arm();
    });
  }

  #disarm(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #sweep(): void {
    const now = this.clock.monotonic();
    for (const pending of this.#pending) {
      if (pending.deadlineMs > now) return;
      this.expire(pending);
    }
  }
}
