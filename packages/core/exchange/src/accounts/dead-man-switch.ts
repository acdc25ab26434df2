import type { CommandOf } from '../commands.ts';
import { FORBIDDEN, UNCHANGED, accept, invalid } from '../decision.ts';
import type { Decision } from '../decision.ts';
import type { ExchangeEvent } from '../events.ts';
import { isOutside } from '../money.ts';
import { restingCancelled } from '../orders/cancel.ts';
import { openOrdersOf } from '../state/book.ts';
import { decisionTime, tradingKey } from '../state/state.ts';
import type { State } from '../state/state.ts';

const SECONDS_MIN = 5;
const SECONDS_MAX = 3_600;

/** Arms the dead-man switch of the key's account for this many seconds from now, or turns it off. */
export function setDeadManSwitch(state: State, command: CommandOf<'SetDeadManSwitch'>): Decision {
  const key = tradingKey(state, command.by);
  if ('kind' in key) return key;
  const { seconds } = command;
  if (seconds !== 0 && isOutside(seconds, SECONDS_MIN, SECONDS_MAX)) {
    return invalid('seconds', 'must be 0 to turn it off, or a whole number, 5 to 3600');
  }
  const { account } = key;
  if (seconds === 0 && account.cancelsAt === null) return UNCHANGED;
  const at = decisionTime(state, command.at);
  const cancelsAt = seconds === 0 ? null : at + seconds * 1_000;
  return accept([{ accountId: account.id, at, cancelsAt, type: 'DeadManSwitchSet' }]);
}

/**
 * Cancels up to `runChunk` open orders of an account whose dead-man switch is due, in the order of acceptance. The
 * switch stays due until the decision that cancels the last of them, which turns it off.
 */
export function fireDeadManSwitch(state: State, command: CommandOf<'FireDeadManSwitch'>): Decision {
  if (command.by.kind !== 'system') return FORBIDDEN;
  const at = decisionTime(state, command.at);
  const account = state.accounts.get(command.accountId);
  if (account?.cancelsAt === undefined || account.cancelsAt === null || account.cancelsAt > at) return UNCHANGED;
  const orders = openOrdersOf(account);
  const events: ExchangeEvent[] = orders
    .slice(0, state.settings.runChunk)
    .map((order) => restingCancelled(order, at, 'dead_man_switch'));
  if (orders.length === events.length) {
    events.push({ accountId: account.id, at, cancelsAt: null, type: 'DeadManSwitchSet' });
  }
  return accept(events);
}
