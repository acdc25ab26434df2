import {
  accountApproved,
  accountClosed,
  accountOpened,
  apiKeyIssued,
  apiKeyRevoked,
  deadManSwitchSet,
  displayNameForgotten,
  mandateSet,
} from './accounts/apply.ts';
import { closeAccount, continueClosing, forgetDisplayNames } from './accounts/close.ts';
import { fireDeadManSwitch, setDeadManSwitch } from './accounts/dead-man-switch.ts';
import { approveAccount, issueApiKey, openAccount, openSubAccount, revokeApiKey } from './accounts/manage.ts';
import { accountRenamed, renameAccount } from './accounts/rename.ts';
import type { Command, CommandOf, CommandType, PlaceOrder } from './commands.ts';
import type { Decision, Rejection } from './decision.ts';
import { epochStarted, startWriterEpoch } from './epochs/start.ts';
import type { EventOf, EventType, ExchangeEvent } from './events.ts';
import {
  marketActivated,
  marketAmended,
  marketClosed,
  marketListed,
  marketPaused,
  marketResolved,
  marketSettled,
  positionSettled,
} from './markets/apply.ts';
import { amendMarket, listMarket } from './markets/list.ts';
import { activateMarket, closeMarket, pauseMarket } from './markets/phases.ts';
import { resolveMarket, voidMarket } from './markets/resolve.ts';
import { continueRun } from './markets/runs.ts';
import { amendOrder } from './orders/amend.ts';
import { orderAmended, orderCancelled, orderFilled, orderPlaced, orderReplaced, sharesMerged } from './orders/apply.ts';
import { cancelOrder, cancelOrders } from './orders/cancel.ts';
import { expireOrders } from './orders/expire.ts';
import { setMandate } from './orders/mandate.ts';
import { mergeShares } from './orders/merge.ts';
import { placeOrder } from './orders/place.ts';
import { previewOf } from './orders/preview.ts';
import { recordSignal, signalRecorded } from './signals/record.ts';
import { revokedSince } from './state/account.ts';
import { callerOf, keyNameOf, rememberedKeyOf } from './state/idempotency.ts';
import { closedActor, fleetOf } from './state/state.ts';
import type { State } from './state/state.ts';
import type { OrderPreview } from './vocabulary.ts';

/** The decision of each command. */
const DECISIONS: { readonly [T in CommandType]: (state: State, command: CommandOf<T>) => Decision } = {
  PlaceOrder: placeOrder,
  CancelOrder: cancelOrder,
  AmendOrder: amendOrder,
  CancelOrders: cancelOrders,
  MergeShares: mergeShares,
  SetDeadManSwitch: setDeadManSwitch,
  FireDeadManSwitch: fireDeadManSwitch,
  ExpireOrders: expireOrders,
  SetMandate: setMandate,
  OpenSubAccount: openSubAccount,
  RenameAccount: renameAccount,
  IssueApiKey: issueApiKey,
  RevokeApiKey: revokeApiKey,
  OpenAccount: openAccount,
  ApproveAccount: approveAccount,
  CloseAccount: closeAccount,
  ContinueClosing: continueClosing,
  ForgetDisplayNames: forgetDisplayNames,
  ListMarket: listMarket,
  AmendMarket: amendMarket,
  ActivateMarket: activateMarket,
  PauseMarket: pauseMarket,
  CloseMarket: closeMarket,
  ResolveMarket: resolveMarket,
  VoidMarket: voidMarket,
  ContinueRun: continueRun,
  RecordSignal: recordSignal,
  StartWriterEpoch: startWriterEpoch,
};

/** Applies each type of event to the state. */
const CHANGES: {
  readonly [T in EventType]: (state: State, event: EventOf<T>, command: Command | null) => void;
} = {
  OrderPlaced: orderPlaced,
  OrderFilled: orderFilled,
  OrderCancelled: orderCancelled,
  OrderReplaced: orderReplaced,
  OrderAmended: orderAmended,
  SharesMerged: sharesMerged,
  DeadManSwitchSet: deadManSwitchSet,
  MandateSet: mandateSet,
  PositionSettled: positionSettled,
  AccountOpened: accountOpened,
  SubAccountOpened: accountOpened,
  AccountRenamed: accountRenamed,
  AccountApproved: accountApproved,
  AccountClosed: accountClosed,
  DisplayNameForgotten: displayNameForgotten,
  ApiKeyIssued: apiKeyIssued,
  ApiKeyRevoked: apiKeyRevoked,
  MarketListed: marketListed,
  MarketAmended: marketAmended,
  MarketActivated: marketActivated,
  MarketPaused: marketPaused,
  MarketClosed: marketClosed,
  MarketResolved: marketResolved,
  MarketVoided: marketResolved,
  MarketSettled: marketSettled,
  SignalRecorded: signalRecorded,
  WriterEpochStarted: epochStarted,
};

/**
 * Decides a command against this state. Pure: it reads only its arguments, changes nothing, and rejects with a value.
 * Apply the events of an accepted command with `evolve`, one by one and in order, before the next decision.
 */
export function decide(state: State, command: Command): Decision {
  // Commands have many shapes, so each read of their fields here is a slow one: `by` is seldom needed.
  const refusal = state.closings.size === 0 ? null : closedActor(state, command.by);
  // A command's type names the function that takes it, which the compiler cannot follow through a union.
  const decision = DECISIONS[command.type] as (state: State, command: Command) => Decision;
  return refusal ?? decision(state, command);
}

/**
 * Applies one event, in place. `command` comes with the first event of its decision, else it is null. The state then
 * has all that later decisions depend on, so folding a stored journal gives the state of its writer. Throws only when
 * the event cannot follow on this state, which no valid journal contains.
 */
export function evolve(state: State, event: ExchangeEvent, command: Command | null): void {
  // The settings of a new epoch count from the next event on.
  const { settings } = state;
  const { at } = event;
  state.seq += 1;
  state.lastAt = at;
  rememberKeys(state, at, command);
  const change = CHANGES[event.type] as (state: State, event: ExchangeEvent, command: Command | null) => void;
  change(state, event, command);
  // After the event, since its order may have ended: the bound is never passed.
  state.clientOrderIds.evict(at, settings);
}

/**
 * Applies an accepted decision in place: its events in order, the first with the command. When it throws, the state must
 * be dropped.
 */
export function applyDecision(state: State, events: readonly ExchangeEvent[], command: Command): void {
  events.forEach((event, index) => evolve(state, event, index === 0 ? command : null));
}

/**
 * The result that `decide` would give for this order; the state does not change. The command has no Idempotency-Key,
 * since a preview repeats nothing.
 */
export function previewOrder(state: State, command: PlaceOrder): OrderPreview | Rejection {
  const decision = decide(state, command);
  if (decision.kind === 'rejected') return decision;
  if (decision.kind !== 'accepted') throw new Error(`an order was decided as ${decision.kind}`);
  return previewOf(state, decision.events);
}

/** Stores the command's Idempotency-Key, and drops expired Idempotency-Keys and revoked API keys. */
function rememberKeys(state: State, at: number, command: Command | null): void {
  const { idempotency, settings } = state;
  const remembered = command === null ? null : rememberedKeyOf(command);
  if (command !== null && remembered !== null) {
    const { fingerprint, index, key } = remembered;
    const name = keyNameOf(command.by, key, index);
    idempotency.remember(fleetOf(state, callerOf(command.by)), name, fingerprint, at, state.seq);
  }
  if (idempotency.size > 0) {
    const isFair = state.rulesVersion >= 2;
    idempotency.evict(at, settings.idempotencyWindowMs, settings.idempotencyEntries, isFair);
  }
  if (state.rulesVersion >= 2) {
    state.revokedKeys.forgetBefore(revokedSince(settings, at), state.keys);
  }
}
