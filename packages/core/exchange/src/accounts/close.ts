import type { CommandOf } from '../commands.ts';
import { FORBIDDEN, UNCHANGED, accept, invalid, reject } from '../decision.ts';
import type { Decision } from '../decision.ts';
import type { ExchangeEvent } from '../events.ts';
import { restingCancelled } from '../orders/cancel.ts';
import type { Account } from '../state/account.ts';
import { openOrdersOf } from '../state/book.ts';
import { replayOf } from '../state/idempotency.ts';
import { decisionTime, grantingKey, operatorOnly } from '../state/state.ts';
import type { State } from '../state/state.ts';
import { noAccount } from './manage.ts';

const NO_SUB_ACCOUNT = reject('account_not_found', 'No sub-account of yours has this id');

/**
 * Closes a primary account with its sub-accounts (the operator), or one sub-account (a primary's master key). Ends the
 * first of their keys and orders; `continueClosing` ends the others. Positions stay, and settle with their markets.
 */
export function closeAccount(state: State, command: CommandOf<'CloseAccount'>): Decision {
  const isByKey = command.by.kind === 'key' && state.rulesVersion >= 6;
  const account = isByKey ? ownSubAccount(state, command) : operatorsPrimary(state, command);
  if ('kind' in account) return account;
  if (account.closure !== null) return UNCHANGED;
  const at = decisionTime(state, command.at);
  const open = account.fleet.filter(({ closure }) => closure === null);
  const events = open.map(({ id }): ExchangeEvent => ({ accountId: id, at, type: 'AccountClosed' }));
  pushEnds(events, account, state.settings.runChunk, at);
  return accept(events);
}

/** Ends the next keys and orders of a closed account. There is nothing to do when the closing is over. */
export function continueClosing(state: State, command: CommandOf<'ContinueClosing'>): Decision {
  if (command.by.kind !== 'system') return FORBIDDEN;
  const account = state.closings.get(command.accountId);
  if (account === undefined) return UNCHANGED;
  const events: ExchangeEvent[] = [];
  pushEnds(events, account, state.settings.runChunk, decisionTime(state, command.at));
  return accept(events);
}

/** Marks a closed account's display names as forgotten, for the operator; the name store deletes them afterwards. */
export function forgetDisplayNames(state: State, command: CommandOf<'ForgetDisplayNames'>): Decision {
  const account = operatorsPrimary(state, command);
  if ('kind' in account) return account;
  if (account.closure === null) return invalid('id', 'must be of an account that was closed; close it first');
  if (account.closure.forgottenSeq !== null) return UNCHANGED;
  const at = decisionTime(state, command.at);
  return accept(account.fleet.map(({ id }) => ({ accountId: id, at, type: 'DisplayNameForgotten' })));
}

function ownSubAccount(state: State, command: CommandOf<'CloseAccount'>): Account | Decision {
  const key = grantingKey(state, command.by);
  if ('kind' in key) return key;
  const replay = replayOf(state.idempotency, command);
  if (replay !== null) return replay;
  const account = state.accounts.get(command.accountId);
  return account === undefined || account.primary !== key.account ? NO_SUB_ACCOUNT : account;
}

/** The primary account that an operator's command names, or the decision that answers the command. */
function operatorsPrimary(
  state: State,
  command: CommandOf<'CloseAccount'> | CommandOf<'ForgetDisplayNames'>,
): Account | Decision {
  const refusal = operatorOnly(command.by) ?? replayOf(state.idempotency, command);
  if (refusal !== null) return refusal;
  const account = state.accounts.get(command.accountId);
  if (account === undefined) return noAccount(command.accountId);
  return account.primary === null ? account : invalid('id', 'is of a sub-account; give the id of its primary account');
}

/** Appends up to `count` revocations, and up to `count` cancels, of the primary and then of each sub-account. */
function pushEnds(events: ExchangeEvent[], { fleet }: Account, count: number, at: number): void {
  const keys = fleet.flatMap(({ liveKeys }) => liveKeys).slice(0, count);
  for (const key of keys) events.push({ accountId: key.account.id, at, keyId: key.id, type: 'ApiKeyRevoked' });
  let left = count;
  for (const account of fleet) {
    for (const order of openOrdersOf(account).slice(0, left)) {
      events.push(restingCancelled(order, at, 'account_closed'));
      left -= 1;
    }
    if (left === 0) return;
  }
}
