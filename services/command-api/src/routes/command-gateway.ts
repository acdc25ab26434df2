import type { Answer } from '@paper/contracts';
import type { Actor, Command, OrderStatus, EventType, ExchangeEvent } from '@paper/exchange';
import type { DisplayNames, CommandRequest, CommandResult, Outcome } from '@paper/command-side';

/** How an order that is no longer open has ended. */
export interface EndedOrder {
  readonly accountId: string;
  /** The primary of the account that placed the order; null where that is a primary itself. */
  readonly primaryAccountId: string | null;
  readonly status: OrderStatus;
}

/** The owner of a key that the exchange has forgotten. */
export interface KeyOwner {
  readonly accountId: string;
  /** The owner's primary account; null where the owner is a primary itself. */
  readonly primaryAccountId: string | null;
}

/**
 * The command side's reads of the read models: the exchange's state has live orders only, and revoked keys for a
 * limited time.
 */
export interface ReadModel {
  /** Resolves once the projection has reached this sequence. Rejects with `Unavailable` after 2 s. */
  readonly fresh: (seq: number) => Promise<void>;
  readonly endedOrder: (orderId: string) => Promise<EndedOrder | null>;
  readonly keyOwner: (keyId: string) => Promise<KeyOwner | null>;
  /**
   * The display name from the event of an account that was opened before names left the journal; null for other
   * accounts.
   */
  readonly publicName: (accountId: string) => Promise<string | null>;
}

type Untimed<C> = C extends Command ? Omit<C, 'at'> : never;

/** A request of a route. Its command gets its time when it is decided. */
export interface GatewayRequest<T> extends Omit<CommandRequest<T>, 'command'> {
  readonly command: Untimed<Command>;
}

/** What the route handlers use: the writer, the names and the reads. */
export interface CommandGateway {
  readonly submit: <T>(request: GatewayRequest<T>) => Promise<CommandResult<T>>;
  readonly names: DisplayNames;
  readonly readModel: ReadModel;
  /** Whether this caller's Idempotency-Key was used by a single command, outside a batch. */
  readonly usedBySingle: (by: Actor, key: string) => boolean;
  /** The id of the event with this sequence, which must be durable. */
  readonly eventIdAt: (seq: number) => Promise<string>;
}

/** Converts a command's result to an answer of the HTTP pipeline. */
export function toAnswer<T>({ value, seq, hash, replayed }: CommandResult<T>): Answer<T> {
  return { body: value, hash, seq, ...(replayed ? { headers: { 'Idempotent-Replayed': 'true' } } : {}) };
}

/**
 * The events that an answer is made from. Throws where there are none: a caller expects at least one, so this is a bug.
 */
export function eventsOf(outcome: Outcome): readonly ExchangeEvent[] {
  if (outcome.kind === 'accepted' || outcome.kind === 'replayed') return outcome.events;
  throw new Error(`an answer is made of events, and the outcome is ${outcome.kind}`);
}

/** The decision's event of this type. Throws where there is none, which is a bug. */
export function eventOf<T extends EventType>(outcome: Outcome, type: T): Extract<ExchangeEvent, { type: T }> {
  const isIt = (event: ExchangeEvent): event is Extract<ExchangeEvent, { type: T }> => event.type === type;
  const event = eventsOf(outcome).find(isIt);
  if (event === undefined) throw new Error(`the decision has no ${type}`);
  return event;
}
