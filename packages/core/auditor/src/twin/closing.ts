import type { CommandOf } from '../events/judged-commands.ts';
import { endKey } from './accounts.ts';
import { cancelResting } from './cancels.ts';
import { closuresOf, emit, oldestOrders, refuse, UNCHANGED } from './state.ts';
import type { Account, Key, Verdict, TwinState } from './state.ts';

/** Closes a primary account with its open sub-accounts (maker null: an operator), or a sub-account of the maker. */
export function closeAccount(state: TwinState, { accountId }: CommandOf<'CloseAccount'>, maker: Key | null): Verdict {
  const account = state.accounts.get(accountId);
  if (account === undefined) return refuse('account_not_found');
  if (maker !== null && account.primary !== maker.accountId) return refuse('account_not_found');
  if (maker === null && account.primary !== null) return refuse('validation_failed');
  if (account.closed !== null) return UNCHANGED;
  const open = fleet(account).filter(({ closed }) => closed === null);
  account.closed = { cancelledOrders: 0, isForgotten: false, revokedKeys: 0 };
  for (const { id } of open) emit(state, 'AccountClosed', { accountId: id });
  endChunk(state, account);
  return { kind: 'accepted', events: state.emitted };
}

/** Carries out the next piece of a closing: ends a chunk of keys and a chunk of orders, until neither is left. */
export function continueClosing(state: TwinState, { accountId }: CommandOf<'ContinueClosing'>): Verdict {
  const account = state.accounts.get(accountId);
  if (!account?.closed) return UNCHANGED;
  endChunk(state, account);
  return state.emitted.length === 0 ? UNCHANGED : { kind: 'accepted', events: state.emitted };
}

export function forgetDisplayNames(state: TwinState, { accountId }: CommandOf<'ForgetDisplayNames'>): Verdict {
  const account = state.accounts.get(accountId);
  if (account === undefined) return refuse('account_not_found');
  if (account.primary !== null || account.closed === null) return refuse('validation_failed');
  if (account.closed.isForgotten) return UNCHANGED;
  account.closed.isForgotten = true;
  for (const { id } of fleet(account)) emit(state, 'DisplayNameForgotten', { accountId: id });
  return { kind: 'accepted', events: state.emitted };
}

const fleet = (primary: Account): readonly Account[] => [primary, ...primary.subAccounts];

/** Ends a chunk of live keys in the order of issue, and a chunk of orders in the order of acceptance. */
function endChunk(state: TwinState, primary: Account): void {
  const most = state.settings.runChunk;
  const live = fleet(primary).flatMap(({ keys }) => keys.filter((key) => key.live));
  for (const key of live.slice(0, most)) endKey(state, key);
  const open = fleet(primary).flatMap((account) => oldestOrders(account, most, () => true));
  for (const order of open.slice(0, most)) {
    for (const closed of closuresOf(state, order.accountId)) closed.cancelledOrders += 1;
    cancelResting(state, order, 'account_closed');
  }
}
