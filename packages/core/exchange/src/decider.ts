import {
  accountClosed,
  accountOpened,
  apiKeyIssued,
  apiKeyRevoked,
  deadManSwitchSet,
  displayNameForgotten,
  mandateSet,
} from './apply-accounts.ts';
import {
  marketActivated,
  marketAmended,
  marketClosed,
  marketListed,
  marketPaused,
  marketResolved,
  marketSettled,
  positionSettled,
} from './apply-markets.ts';
import { orderAmended, orderCancelled, orderFilled, orderPlaced, orderReplaced, sharesMerged } from './apply-orders.ts';
import type { Command } from './commands.ts';
import type { ExchangeEvent } from './events.ts';
import { callerOf, keyNameOf, rememberedKeyOf } from './idempotency.ts';
import { revokedSince } from './account.ts';
import { RULES_VERSION } from './rules.ts';
import { signalKey } from './signals.ts';
import { accountOf, closedActor, fleetOf, touchMarket } from './state.ts';
import type { State } from './state.ts';
import { amendOrder } from './amend-order.ts';
import { cancelOrder, cancelOrders } from './cancel-order.ts';
import { closeAccount, continueClosing, forgetDisplayNames } from './close-account.ts';
import type { Decision } from './decision.ts';
import { amendMarket, listMarket, recordSignal } from './list-market.ts';
import { approveAccount, issueApiKey, openAccount, openSubAccount, revokeApiKey } from './manage-accounts.ts';
import { activateMarket, closeMarket, pauseMarket } from './market-phases.ts';
import { setMandate } from './mandate.ts';
import { mergeShares } from './merge-shares.ts';
import { placeOrder } from './place-order.ts';
import { expireOrders, fireDeadManSwitch, setDeadManSwitch } from './timers.ts';
import { resolveMarket, voidMarket } from './resolve-market.ts';
import { continueRun } from './runs.ts';
import { startWriterEpoch } from './start-epoch.ts';

/**
 * Decides a command against this state. Pure: it reads only its arguments, changes nothing, and rejects with a value.
 * Apply the events of an accepted command with `evolve`, one by one and in order, before the next decision.
 */
export function decide(state: State, command: Command): Decision {
  // Commands have many shapes, so each read of their fields here is a slow one: `by` is seldom needed.
  const refusal = state.closings.size === 0 ? null : closedActor(state, command.by);
  return refusal ?? decideOpen(state, command);
}

function decideOpen(state: State, command: Command): Decision {
  switch (command.type) {
    case 'PlaceOrder':
      return placeOrder(state, command);
    case 'CancelOrder':
      return cancelOrder(state, command);
    case 'AmendOrder':
      return amendOrder(state, command);
    case 'CancelOrders':
      return cancelOrders(state, command);
    case 'MergeShares':
      return mergeShares(state, command);
    case 'SetDeadManSwitch':
      return setDeadManSwitch(state, command);
    case 'FireDeadManSwitch':
      return fireDeadManSwitch(state, command);
    case 'ExpireOrders':
      return expireOrders(state, command);
    case 'SetMandate':
      return setMandate(state, command);
    case 'OpenSubAccount':
      return openSubAccount(state, command);
    case 'IssueApiKey':
      return issueApiKey(state, command);
    case 'RevokeApiKey':
      return revokeApiKey(state, command);
    case 'OpenAccount':
      return openAccount(state, command);
    case 'ApproveAccount':
      return approveAccount(state, command);
    case 'CloseAccount':
      return closeAccount(state, command);
    case 'ContinueClosing':
      return continueClosing(state, command);
    case 'ForgetDisplayNames':
      return forgetDisplayNames(state, command);
    case 'ListMarket':
      return listMarket(state, command);
    case 'AmendMarket':
      return amendMarket(state, command);
    case 'ActivateMarket':
      return activateMarket(state, command);
    case 'PauseMarket':
      return pauseMarket(state, command);
    case 'CloseMarket':
      return closeMarket(state, command);
    case 'ResolveMarket':
      return resolveMarket(state, command);
    case 'VoidMarket':
      return voidMarket(state, command);
    case 'ContinueRun':
      return continueRun(state, command);
    case 'RecordSignal':
      return recordSignal(state, command);
    case 'StartWriterEpoch':
      return startWriterEpoch(state, command);
  }
}

/**
 * Applies one event, in place. `command` comes with the first event of its decision, else it is null. All that decides
 * later is in the state after this, so that folding a stored journal gives the state that wrote it. Throws only when
 * the event cannot follow on this state, which no journal of ours holds.
 */
export function evolve(state: State, event: ExchangeEvent, command: Command | null): void {
  // The settings of a new epoch count from the next event on.
  const { settings } = state;
  const { at } = event;
  state.seq += 1;
  state.lastAt = at;
  rememberKeys(state, at, command);
  apply(state, event, command);
  // After the event, since its order may have ended: the bound is never passed.
  state.clientOrderIds.evict(at, settings);
}

function apply(state: State, event: ExchangeEvent, command: Command | null): void {
  switch (event.type) {
    case 'OrderPlaced':
      orderPlaced(state, event);
      return;
    case 'OrderFilled':
      orderFilled(state, event);
      return;
    case 'OrderCancelled':
      orderCancelled(state, event);
      return;
    case 'OrderReplaced':
      orderReplaced(state, event);
      return;
    case 'OrderAmended':
      orderAmended(state, event);
      return;
    case 'SharesMerged':
      sharesMerged(state, event);
      return;
    case 'DeadManSwitchSet':
      deadManSwitchSet(state, event);
      return;
    case 'MandateSet':
      mandateSet(state, event);
      return;
    case 'PositionSettled':
      positionSettled(state, event);
      return;
    case 'AccountOpened':
    case 'SubAccountOpened':
      accountOpened(state, event, command);
      return;
    case 'AccountApproved':
      accountOf(state, event.accountId).approved = true;
      return;
    case 'AccountClosed':
      accountClosed(state, event, command?.id ?? '');
      return;
    case 'DisplayNameForgotten':
      displayNameForgotten(state, event);
      return;
    case 'ApiKeyIssued':
      apiKeyIssued(state, event);
      return;
    case 'ApiKeyRevoked':
      apiKeyRevoked(state, event);
      return;
    case 'MarketListed':
      marketListed(state, event);
      return;
    case 'MarketAmended':
      marketAmended(state, event);
      return;
    case 'MarketActivated':
      marketActivated(state, event);
      return;
    case 'MarketPaused':
      marketPaused(state, event);
      return;
    case 'MarketClosed':
      marketClosed(state, event, command?.id ?? '');
      return;
    case 'MarketResolved':
    case 'MarketVoided':
      marketResolved(state, event, command?.id ?? '');
      return;
    case 'MarketSettled':
      marketSettled(state, event);
      return;
    case 'SignalRecorded':
      state.signals.set(signalKey(event.source, event.externalId), state.seq);
      if (event.marketId !== null) {
        touchMarket(state, event.marketId);
      }
      return;
    case 'WriterEpochStarted':
      epochStarted(state, event);
  }
}

/**
 * Applies an accepted decision in place: its events in order, the first with the command. When it throws, the state must
 * be dropped.
 */
export function applyDecision(state: State, events: readonly ExchangeEvent[], command: Command): void {
  events.forEach((event, index) => evolve(state, event, index === 0 ? command : null));
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

function epochStarted(state: State, event: Extract<ExchangeEvent, { readonly type: 'WriterEpochStarted' }>): void {
  if (event.rulesVersion > RULES_VERSION) {
    throw new Error(
      `epoch ${event.epoch} is decided by rules version ${event.rulesVersion}, this build (rules up to version ` +
        `${RULES_VERSION}) is older: run the build that wrote it`,
    );
  }
  state.epoch = event.epoch;
  state.rulesVersion = event.rulesVersion;
  state.settings = event.settings;
}
