import type { Command, ExchangeEvent, RejectionCode, State } from '@paper/exchange';
import type { Lane } from '@paper/service-kit';

/** What became of a command that was not refused. `replayed` carries the events of the first decision. */
export type Outcome =
  | { readonly kind: 'accepted'; readonly events: readonly ExchangeEvent[] }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'unknown_order' }
  | { readonly kind: 'unknown_key' }
  | { readonly kind: 'replayed'; readonly events: readonly ExchangeEvent[] };

/** Whose turn a command waits for. Each operator takes turns as a fleet does, and so does the system. */
export interface CommandLane extends Lane {
  readonly kind: 'account' | 'operator' | 'system';
}

/** `primaryAccountId`: null for a primary account. */
export function accountLane(accountId: string, primaryAccountId: string | null): CommandLane {
  return { account: accountId, fleet: `fleet:${primaryAccountId ?? accountId}`, kind: 'account' };
}

export function operatorLane(name: string): CommandLane {
  return { account: name, fleet: `operator:${name}`, kind: 'operator' };
}

export const SYSTEM_LANE: CommandLane = { account: 'system', fleet: 'system', kind: 'system' };

/** A question to the writer: a command that lacks only its clock reading, and what its answer is made of. */
export interface Ask<T> {
  readonly lane: CommandLane;
  readonly command: (at: number) => Command;
  /**
   * Called right after the decision was applied (of a close, resolve or void: after its run ended), so that what it
   * reads of the state is what the decision made of it. Pure. May throw an ApiError.
   */
  readonly answer: (outcome: Outcome, state: State) => T;
  /** Refusals that are answered with another status than the error table's. */
  readonly statusOf?: Readonly<Partial<Record<RejectionCode, number>>>;
}

/**
 * An answer that may leave: everything that it rests on is durable. `seq` is what it is true at, `hash` that of the
 * event which stands there.
 */
export interface Decided<T> {
  readonly value: T;
  readonly seq: number;
  readonly hash: string;
  /** The client's Idempotency-Key had been used: this is the first answer again. */
  readonly replayed: boolean;
  /** The command appended events, or did when its Idempotency-Key was first used; false where all was so already. */
  readonly changed: boolean;
}

/** One ask that waits for its answer. It is answered once: whoever comes second is ignored. */
export class Ticket {
  /** By the monotonic clock: from then on it is answered 503. */
  deadlineMs = Infinity;
  /** What it did, and the last sequence of that: who waits for the end of a run did something long before its answer. */
  did: { readonly command: Command; readonly outcome: Outcome; readonly seq: number } | null = null;
  private over = false;

  constructor(
    readonly ask: Ask<unknown>,
    private readonly onResolve: (decided: Decided<unknown>) => void,
    private readonly onReject: (error: Error) => void,
  ) {}

  get answered(): boolean {
    return this.over;
  }

  resolve(decided: Decided<unknown>): void {
    if (this.over) return;
    this.over = true;
    this.onResolve(decided);
  }

  reject(error: Error): void {
    if (this.over) return;
    this.over = true;
    this.onReject(error);
  }
}
