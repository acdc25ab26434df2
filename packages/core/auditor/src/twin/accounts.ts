import type { CommandOf, Permission } from '../events/judged-commands.ts';
import { accountOf, closuresOf, DAY_MS, isClosed, decidedAt, emit, refuse, UNCHANGED } from './state.ts';
import type { Account, Key, Verdict, TwinState } from './state.ts';

const ALL: readonly Permission[] = ['view', 'trade', 'master', 'reconcile'];

export const hasPermission = (key: Key, permission: Permission): boolean =>
  key.permissions.includes(permission) || (permission === 'view' && key.permissions.includes('trade'));

/** Whether a key may handle the orders of an account: the key's own account, or with `master` a sub-account of it. */
export function mayHandle(state: TwinState, key: Key, accountId: string): boolean {
  if (accountId === key.accountId) return true;
  return state.accounts.get(accountId)?.primary === key.accountId && hasPermission(key, 'master');
}

function exceeds(maker: Key, permissions: readonly Permission[]): boolean {
  const given = permissions.includes('trade') ? [...permissions, 'view' as const] : permissions;
  return given.some((permission) => !hasPermission(maker, permission));
}

/** Whether a further starting balance makes their sum exceed 2^53 - 1 units, the largest exact number. */
const exceedsAllMoney = (state: TwinState, startingBalance: number): boolean =>
  state.granted + BigInt(startingBalance) > BigInt(Number.MAX_SAFE_INTEGER);

const inOrder = (permissions: readonly Permission[]): readonly Permission[] =>
  ALL.filter((permission) => permissions.includes(permission));

function issue(
  state: TwinState,
  accountId: string,
  name: string,
  key: { readonly keyHash: string; readonly keyId: string; readonly last4: string },
  permissions: readonly Permission[],
): Verdict {
  const { keyHash, keyId, last4 } = key;
  const unused = { mandate: null, spentDay: 0, spentUnits: 0 };
  const made: Key = { keyId, accountId, permissions, live: true, revokedAt: null, ...unused };
  state.keys.set(keyId, made);
  state.accounts.get(accountId)?.keys.push(made);
  return emit(state, 'ApiKeyIssued', { accountId, keyHash, keyId, last4, name, permissions });
}

function open(
  state: TwinState,
  id: string,
  primary: string | null,
  startingBalance: number,
  playsTape = false,
): Account {
  const account: Account = {
    id,
    number: state.accounts.size,
    primary,
    playsTape,
    startingBalance,
    cash: startingBalance,
    approved: false,
    keys: [],
    subAccounts: [],
    orders: new Set(),
    cancelsAt: null,
    renamed: null,
    closed: null,
  };
  state.accounts.set(id, account);
  state.granted += BigInt(startingBalance);
  return account;
}

export function openAccount(state: TwinState, command: CommandOf<'OpenAccount'>): Verdict {
  const startingBalance = command.startingBalanceUnits ?? state.settings.startingBalanceUnits;
  const { accountId, nameDigest } = command;
  if (exceedsAllMoney(state, startingBalance)) return refuse('limit_reached');
  const { by } = command;
  open(state, accountId, null, startingBalance, by.kind === 'operator' && by.name === 'backtest:tape');
  emit(state, 'AccountOpened', { accountId, nameDigest, startingBalanceUnits: startingBalance });
  return issue(state, accountId, 'default', command, inOrder(command.permissions));
}

/** The first key gets the given permissions, or those of `view` and `trade` that the caller has. */
export function openSubAccount(state: TwinState, command: CommandOf<'OpenSubAccount'>, maker: Key): Verdict {
  const requested = command.permissions ?? ALL.slice(0, 2).filter((permission) => hasPermission(maker, permission));
  const { accountId, nameDigest } = command;
  const primaryAccountId = maker.accountId;
  if (exceeds(maker, requested)) return refuse('forbidden');
  const siblings = state.accounts.get(primaryAccountId)?.subAccounts ?? [];
  if (siblings.length >= state.settings.subAccountsPerPrimary) return refuse('limit_reached');
  const permissions = inOrder(requested);
  const { startingBalanceUnits } = state.settings;
  if (exceedsAllMoney(state, startingBalanceUnits)) return refuse('limit_reached');
  siblings.push(open(state, accountId, primaryAccountId, startingBalanceUnits));
  emit(state, 'SubAccountOpened', { accountId, nameDigest, permissions, primaryAccountId, startingBalanceUnits });
  return issue(state, accountId, 'default', command, permissions);
}

/** Issues another key for the maker's account or its sub-account; for an operator (maker null) for any account. */
export function issueApiKey(state: TwinState, command: CommandOf<'IssueApiKey'>, maker: Key | null): Verdict {
  const account = state.accounts.get(command.accountId);
  if (account === undefined) return refuse('account_not_found');
  if (maker !== null && ![account.id, account.primary].includes(maker.accountId)) return refuse('account_not_found');
  if (isClosed(state, account.id)) return refuse('forbidden');
  if (account.primary !== null && command.permissions.includes('master')) return refuse('validation_failed');
  if (maker !== null && exceeds(maker, command.permissions)) return refuse('forbidden');
  const live = account.keys.filter((key) => key.live);
  if (live.length >= state.settings.liveKeysPerAccount) return refuse('limit_reached');
  // An operator can always issue a key, even for an account whose revocations have reached the limit.
  if (state.rulesVersion >= 2 && maker !== null) {
    const revoked = account.keys.filter((key) => !key.live && !isForgotten(state, key, command.at));
    if (revoked.length >= state.settings.revokedKeysPerAccount) return refuse('limit_reached');
  }
  return issue(state, account.id, command.name, command, inOrder(command.permissions));
}

const isForgotten = (state: TwinState, { revokedAt }: Key, clock: number): boolean =>
  revokedAt !== null && revokedAt < Math.max(clock, state.lastAt) - state.settings.revokedKeyWindowMs;

/** Revokes a key of the maker's account or its sub-account; for an operator (maker null) any key. */
export function revokeApiKey(state: TwinState, command: CommandOf<'RevokeApiKey'>, maker: Key | null): Verdict {
  const key = state.keys.get(command.keyId);
  const account = key && state.accounts.get(key.accountId);
  const gone = state.rulesVersion >= 2 && key !== undefined && isForgotten(state, key, command.at);
  if (key === undefined || account === undefined || gone) {
    return state.rulesVersion >= 2 ? { kind: 'unknown_key' } : refuse('forbidden');
  }
  const isOwn = maker === null || [account.id, account.primary].includes(maker.accountId);
  if (!isOwn) return refuse('forbidden');
  if (!key.live) return UNCHANGED;
  return endKey(state, key);
}

export function endKey(state: TwinState, key: Key): Verdict {
  const { accountId, keyId } = key;
  key.live = false;
  key.revokedAt = decidedAt(state);
  for (const closed of closuresOf(state, accountId)) closed.revokedKeys += 1;
  return emit(state, 'ApiKeyRevoked', { accountId, keyId });
}

export function approveAccount(state: TwinState, command: CommandOf<'ApproveAccount'>): Verdict {
  const account = state.accounts.get(command.accountId);
  if (account === undefined) return refuse('account_not_found');
  if (account.approved) return UNCHANGED;
  account.approved = true;
  return emit(state, 'AccountApproved', { accountId: account.id });
}

/** Gives the maker's account another display name, if its last change was at least a week ago. */
export function renameAccount(state: TwinState, { nameDigest }: CommandOf<'RenameAccount'>, maker: Key): Verdict {
  const account = accountOf(state, maker.accountId);
  const at = decidedAt(state);
  if (account.renamed !== null && at - account.renamed.at < 7 * DAY_MS) return refuse('limit_reached');
  account.renamed = { at, nameDigest };
  return emit(state, 'AccountRenamed', { accountId: account.id, nameDigest });
}
