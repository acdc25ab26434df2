import { createHash } from 'node:crypto';
import { Refused } from '@paper/contracts';
import type { Answer, KeyCaller, OperatorCaller } from '@paper/contracts';
import { replayHeaders } from '@paper/http';
import type { KeyHolder, KeyView } from '@paper/contracts/accounts';
import type { MarketView } from '@paper/contracts/markets';
import type { OrderDetailView } from '@paper/contracts/orders';
import { parseUnits } from '@paper/contracts/units';
import type { Decision, State } from '@paper/exchange';
import type { Actor, CommandBase, CommandOf, CommandType, Idempotency } from '@paper/exchange/commands';
import type { EventType, ExchangeEvent } from '@paper/exchange/events';
import { newId, accountLane, operatorLane } from '@paper/command-side';
import type { DisplayNames, CommandResult, FleetUsage, CommandLane, ItemResult, Writer } from '@paper/command-side';
import { canonicalJson } from '@paper/journal';
import type { Head } from '@paper/journal';
import { noteCommand } from '@paper/tracing';

/** The account that owns an order, or a key that the exchange has forgotten. */
export interface KeyOwner {
  readonly accountId: string;
  /** The owner's primary account; null if the owner is a primary itself. */
  readonly primaryAccountId: string | null;
}

/** An order of the read model, with its owner. */
export type OwnedOrder = OrderDetailView & KeyOwner;

/** The command side's reads of the read models: the state has only live orders, and revoked keys for a while. */
export interface ReadModel {
  /** Resolves once the projection has reached this sequence. Rejects with `Unavailable` after 2 s. */
  readonly fresh: (seq: number) => Promise<void>;
  readonly order: (orderId: string) => Promise<OwnedOrder | null>;
  readonly keyOwner: (keyId: string) => Promise<KeyOwner | null>;
  readonly key: (keyId: string) => Promise<KeyView | null>;
  readonly keyHolder: (keyId: string) => Promise<KeyHolder | null>;
  /** The market as a command's first answer showed it, from `fromSeq` on: see `findMarketRecord`. */
  readonly marketRecord: (marketId: string, fromSeq: number, afterClose: boolean) => Promise<MarketView | null>;
  /** The display name in the opening event of an old account; null for accounts whose events hold no name. */
  readonly publicName: (accountId: string) => Promise<string | null>;
}

/** What the route handlers use: the writer, the names and the reads. */
export interface CommandGateway {
  readonly submit: Writer['submit'];
  readonly submitSequence: Writer['submitSequence'];
  readonly preview: Writer['preview'];
  readonly durable: () => Head;
  readonly names: DisplayNames;
  readonly readModel: ReadModel;
  /** Whether this caller's Idempotency-Key was used by a single command, outside a batch. */
  readonly usedBySingle: (by: Actor, key: string) => boolean;
  /** The state on which commands are decided now. Throws `Unavailable` while this process does not lead. */
  readonly state: () => State;
  /** What each fleet has appended, as of `state`. Throws `Unavailable` while this process does not lead. */
  readonly usage: () => FleetUsage;
  /** The id of the event with this sequence, which must be durable. */
  readonly eventIdAt: (seq: number) => Promise<string>;
}

/** The fields that every command has, except the time, which the writer adds when it decides. */
type UntimedBase = Omit<CommandBase, 'at'>;

export function actorOf(caller: KeyCaller | OperatorCaller): Actor {
  return caller.kind === 'operator'
    ? { kind: 'operator', name: caller.name }
    : { accountId: caller.accountId, keyId: caller.keyId, kind: 'key' };
}

/** The base fields of a request's command. A request is the first of its causation chain, so it is its own cause. */
export function baseOf(caller: KeyCaller | OperatorCaller, idempotency: Idempotency | null): UntimedBase {
  const id = newId();
  noteCommand(id);
  return { by: actorOf(caller), causationId: id, correlationId: id, id, idempotency };
}

export function laneOf(caller: KeyCaller | OperatorCaller): CommandLane {
  return caller.kind === 'operator'
    ? operatorLane(caller.name)
    : accountLane(caller.accountId, caller.primaryAccountId);
}

/** The fields of a command without those that every command has. */
export type CommandFields<T extends CommandType = CommandType> = {
  readonly [N in T]: Omit<CommandOf<N>, keyof CommandBase>;
}[T];

/** The caller and the Idempotency-Key of a request. */
export interface Call {
  readonly caller: KeyCaller | OperatorCaller;
  readonly idempotency: Idempotency | null;
}

export function submitFor<T>(
  gateway: Pick<CommandGateway, 'submit'>,
  { caller, idempotency }: Call,
  fields: CommandFields,
  answer: (decision: Decision, state: State) => T,
): Promise<CommandResult<T>> {
  return gateway.submit(laneOf(caller), { ...baseOf(caller, idempotency), ...fields }, answer);
}

/** The batch's key with the item's index. The fingerprint covers only the item, so others can be added or corrected. */
export function keyOfItem(batch: Idempotency | null, path: string, item: unknown, index: number): Idempotency | null {
  if (batch === null) return null;
  const fingerprint = createHash('sha256')
    .update(`POST ${path}\n${canonicalJson(item)}`)
    .digest('hex');
  return { fingerprint, index, key: batch.key };
}

/** Dollars of a request in units, or null. @throws Refused validation_failed when finer than $0.0001. */
export function unitsOf(field: string, amount: number | undefined): number | null {
  if (amount === undefined) return null;
  const units = parseUnits(amount);
  if (units === null) {
    throw new Refused('validation_failed', `validation failure: ${field}: must be a multiple of 0.0001`);
  }
  return units;
}

export function resultsOf<T>(items: readonly ItemResult<T>[]): readonly CommandResult<T>[] {
  return items.filter((item): item is CommandResult<T> => !(item instanceof Refused));
}

/** The newest position of the journal among these results; without any, the newest durable position. */
export function newestHead(gateway: CommandGateway, results: readonly Head[]): Head {
  let head: Head | null = null;
  for (const { hash, seq } of results) {
    if (head === null || seq >= head.seq) head = { hash, seq };
  }
  return head ?? gateway.durable();
}

/** Converts a command's result to an answer of the HTTP pipeline. */
export function toAnswer<T>({ value, seq, hash, replayed }: CommandResult<T>): Answer<T> {
  return { body: value, hash, seq, ...replayHeaders(replayed) };
}

/** The events that an answer is made from. Throws if there are none, which is a bug: a caller expects at least one. */
export function eventsOf(decision: Decision): readonly ExchangeEvent[] {
  const events = decision.kind === 'accepted' || decision.kind === 'replayed' ? decision.events : undefined;
  if (events === undefined) throw new Error(`an answer is made of events, and the decision is ${decision.kind}`);
  return events;
}

/** The decision's event of this type. Throws if there is none, which is a bug. */
export function eventOf<T extends EventType>(decision: Decision, type: T): Extract<ExchangeEvent, { type: T }> {
  const isIt = (event: ExchangeEvent): event is Extract<ExchangeEvent, { type: T }> => event.type === type;
  const event = eventsOf(decision).find(isIt);
  if (event === undefined) throw new Error(`the decision has no ${type}`);
  return event;
}
