import * as accountEvents from './accounts/apply.ts';
import { closeAccount, continueClosing, forgetDisplayNames } from './accounts/close.ts';
import { fireDeadManSwitch, setDeadManSwitch } from './accounts/dead-man-switch.ts';
import { approveAccount, issueApiKey, openAccount, openSubAccount, revokeApiKey } from './accounts/manage.ts';
import { accountRenamed, renameAccount } from './accounts/rename.ts';
import type { Command, CommandOf, CommandType } from './commands.ts';
import type { Decision, Rejection } from './decision.ts';
import { epochStarted, startWriterEpoch } from './epochs/start.ts';
import type { EventOf, EventType, ExchangeEvent } from './events.ts';
import * as marketEvents from './markets/apply.ts';
import { amendMarket, listMarket } from './markets/list.ts';
import { activateMarket, closeMarket, pauseMarket } from './markets/phases.ts';
import { resolveMarket, voidMarket } from './markets/resolve.ts';
import { continueRun } from './markets/runs.ts';
import { amendOrder } from './orders/amend.ts';
import { orderAmended, orderCancelled, orderFilled, orderPlaced, orderReplaced, sharesMerged } from './orders/apply.ts';
import { cancelOrder, cancelOrders, expireOrders } from './orders/cancel.ts';
import { setMandate } from './orders/mandate.ts';
import { mergeShares } from './orders/merge.ts';
import { placeOrder } from './orders/place.ts';
import { previewOf } from './orders/preview.ts';
import type { OrderPreview } from './orders/preview.ts';
import { recordSignal, signalRecorded } from './signals/record.ts';
import { revokedSince } from './state/account.ts';
import { callerOf, keyNameOf, rememberedKeyOf } from './state/idempotency.ts';
import { closedActor, fleetOf } from './state/state.ts';
import type { State } from './state/state.ts';

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

const CHANGES: {
  readonly [T in EventType]: (state: State, event: EventOf<T>, command: Command | null) => void;
} = {
  OrderPlaced: orderPlaced,
  OrderFilled: orderFilled,
  OrderCancelled: orderCancelled,
  OrderReplaced: orderReplaced,
  OrderAmended: orderAmended,
  SharesMerged: sharesMerged,
  DeadManSwitchSet: accountEvents.deadManSwitchSet,
  MandateSet: accountEvents.mandateSet,
  PositionSettled: marketEvents.positionSettled,
  AccountOpened: accountEvents.accountOpened,
  SubAccountOpened: accountEvents.accountOpened,
  AccountRenamed: accountRenamed,
  AccountApproved: accountEvents.accountApproved,
  AccountClosed: accountEvents.accountClosed,
  DisplayNameForgotten: accountEvents.displayNameForgotten,
  ApiKeyIssued: accountEvents.apiKeyIssued,
  ApiKeyRevoked: accountEvents.apiKeyRevoked,
  MarketListed: marketEvents.marketListed,
  MarketAmended: marketEvents.marketAmended,
  MarketActivated: marketEvents.marketActivated,
  MarketPaused: marketEvents.marketPaused,
  MarketClosed: marketEvents.marketClosed,
  MarketResolved: marketEvents.marketResolved,
  MarketVoided: marketEvents.marketResolved,
  MarketSettled: marketEvents.marketSettled,
  SignalRecorded: signalRecorded,
  WriterEpochStarted: epochStarted,
};

/**
 * Decides a command against this state, without changing it; a refusal is a value. Apply the events of an accepted
 * command with `evolve`, one by one and in order, before the next decision.
 */
export function decide(state: State, command: Command): Decision {
  // Commands have many shapes, so each read of a field here is slow: read `by` only while an account is being closed.
  const refusal = state.closings.size === 0 ? null : closedActor(state, command.by);
  // The compiler cannot follow a command's type through a union to the function that takes the command.
  const decision = DECISIONS[command.type] as (state: State, command: Command) => Decision;
  return refusal ?? decision(state, command);
}

/**
 * Applies one event to the state, in place. `command` comes with the first event of its decision; for the others it is
 * null. Throws only when the event cannot follow this state, which no valid journal contains.
 */
export function evolve(state: State, event: ExchangeEvent, command: Command | null): void {
  // An epoch's settings apply from the event after its start.
  const { settings } = state;
  const { at } = event;
  state.seq += 1;
  state.lastAt = at;
  rememberKeys(state, at, command);
  const change = CHANGES[event.type] as (state: State, event: ExchangeEvent, command: Command | null) => void;
  change(state, event, command);
  // Evicts after the event, since the event may have ended an order: the bound is never exceeded.
  state.clientOrderIds.evict(at, settings);
}

/** Applies an accepted decision in place. When this throws, the caller must drop the state. */
export function applyDecision(state: State, events: readonly ExchangeEvent[], command: Command): void {
  events.forEach((event, index) => evolve(state, event, index === 0 ? command : null));
}

/** The result that `decide` would give for this order. The command has no Idempotency-Key: a preview stores nothing. */
export function previewOrder(state: State, command: CommandOf<'PlaceOrder'>): OrderPreview | Rejection {
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
    const caller = callerOf(command.by);
    const name = keyNameOf(command.by, key, index, state.accounts.get(caller)?.keyScope);
    idempotency.remember(fleetOf(state, caller), name, fingerprint, at, state.seq);
  }
  if (idempotency.size > 0) {
    const isFair = state.rulesVersion >= 2;
    idempotency.evict(at, settings.idempotencyWindowMs, settings.idempotencyEntries, isFair);
  }
  if (state.rulesVersion >= 2) state.revokedKeys.forgetBefore(revokedSince(settings, at), state.keys);
}
