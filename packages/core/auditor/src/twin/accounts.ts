import type { CommandOf, Permission } from '../events/judged-commands.ts';
import { closuresOf, isClosed, decidedAt, emit, findAccount, refuse, UNCHANGED } from './world.ts';
import type { Account, Key, Verdict, World } from './world.ts';

const ALL: readonly Permission[] = ['view', 'trade', 'master', 'reconcile'];

export function hasPermission(key: Key, permission: Permission): boolean {
  return key.permissions.includes(permission) || (permission === 'view' && key.permissions.includes('trade'));
}

/** Whether a key may handle the orders of an account: the key's own account, or with `master` a sub-account of it. */
export function mayHandle(world: World, key: Key, accountId: string): boolean {
  if (accountId === key.accountId) return true;
  return findAccount(world, accountId)?.primary === key.accountId && hasPermission(key, 'master');
}

function exceeds(maker: Key, permissions: readonly Permission[]): boolean {
  const given = permissions.includes('trade') ? [...permissions, 'view' as const] : permissions;
  return given.some((permission) => !hasPermission(maker, permission));
}

/** 2^53 - 1 units is the largest exact sum of all starting balances. */
function exceedsAllMoney(world: World, startingBalance: number): boolean {
  return world.granted + BigInt(startingBalance) > BigInt(Number.MAX_SAFE_INTEGER);
}

const inOrder = (permissions: readonly Permission[]): readonly Permission[] =>
  ALL.filter((permission) => permissions.includes(permission));

function issue(
  world: World,
  accountId: string,
  name: string,
  key: { readonly keyHash: string; readonly keyId: string; readonly last4: string },
  permissions: readonly Permission[],
): void {
  const { keyHash, keyId, last4 } = key;
  const unused = { mandate: null, spentDay: 0, spentUnits: 0 };
  const made: Key = { keyId, accountId, permissions, live: true, revokedAt: null, ...unused };
  world.keys.set(keyId, made);
  findAccount(world, accountId)?.keys.push(made);
  emit(world, 'ApiKeyIssued', { accountId, keyHash, keyId, last4, name, permissions });
}

function open(world: World, id: string, primary: string | null, startingBalance: number, playsTape = false): Account {
  const account: Account = {
    id,
    number: world.accounts.size,
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
  world.accounts.set(id, account);
  world.granted += BigInt(startingBalance);
  return account;
}

export function openAccount(world: World, command: CommandOf<'OpenAccount'>): Verdict {
  const startingBalance = command.startingBalanceUnits ?? world.settings.startingBalanceUnits;
  const { accountId, nameDigest } = command;
  if (exceedsAllMoney(world, startingBalance)) return refuse('limit_reached');
  const { by } = command;
  open(world, accountId, null, startingBalance, by.kind === 'operator' && by.name === 'backtest:tape');
  emit(world, 'AccountOpened', { accountId, nameDigest, startingBalanceUnits: startingBalance });
  issue(world, accountId, 'default', command, inOrder(command.permissions));
  return { kind: 'accepted', events: world.emitted };
}

/** The first key gets the given permissions, or those of `view` and `trade` that the caller has. */
export function openSubAccount(world: World, command: CommandOf<'OpenSubAccount'>, maker: Key): Verdict {
  const requested = command.permissions ?? ALL.slice(0, 2).filter((permission) => hasPermission(maker, permission));
  const { accountId, nameDigest } = command;
  const primary = maker.accountId;
  if (exceeds(maker, requested)) return refuse('forbidden');
  const siblings = findAccount(world, primary)?.subAccounts ?? [];
  if (siblings.length >= world.settings.subAccountsPerPrimary) return refuse('limit_reached');
  const permissions = inOrder(requested);
  const startingBalance = world.settings.startingBalanceUnits;
  if (exceedsAllMoney(world, startingBalance)) return refuse('limit_reached');
  siblings.push(open(world, accountId, primary, startingBalance));
  emit(world, 'SubAccountOpened', {
    accountId,
    nameDigest,
    permissions,
    primaryAccountId: primary,
    startingBalanceUnits: startingBalance,
  });
  issue(world, accountId, 'default', command, permissions);
  return { kind: 'accepted', events: world.emitted };
}

/** Issues another key: for an account of the maker's fleet, or by an operator (maker null) for any. */
export function issueApiKey(world: World, command: CommandOf<'IssueApiKey'>, maker: Key | null): Verdict {
  const account = findAccount(world, command.accountId);
  if (account === undefined) return refuse('account_not_found');
  if (maker !== null && ![account.id, account.primary].includes(maker.accountId)) return refuse('account_not_found');
  if (isClosed(world, account.id)) return refuse('forbidden');
  if (account.primary !== null && command.permissions.includes('master')) return refuse('validation_failed');
  if (maker !== null && exceeds(maker, command.permissions)) return refuse('forbidden');
  const live = account.keys.filter((key) => key.live);
  if (live.length >= world.settings.liveKeysPerAccount) return refuse('limit_reached');
  // An operator can always issue a key, even for an account whose revocations have reached the limit.
  if (world.rulesVersion >= 2 && maker !== null) {
    const revoked = account.keys.filter((key) => !key.live && !isForgotten(world, key, command.at));
    if (revoked.length >= world.settings.revokedKeysPerAccount) return refuse('limit_reached');
  }
  issue(world, account.id, command.name, command, inOrder(command.permissions));
  return { kind: 'accepted', events: world.emitted };
}

function isForgotten(world: World, { revokedAt }: Key, clock: number): boolean {
  return revokedAt !== null && revokedAt < Math.max(clock, world.lastAt) - world.settings.revokedKeyWindowMs;
}

/** Revokes a key of the caller's fleet, or for an operator (maker null) any. */
export function revokeApiKey(world: World, command: CommandOf<'RevokeApiKey'>, maker: Key | null): Verdict {
  const key = world.keys.get(command.keyId);
  const account = key && findAccount(world, key.accountId);
  const gone = world.rulesVersion >= 2 && key !== undefined && isForgotten(world, key, command.at);
  if (key === undefined || account === undefined || gone) {
    return world.rulesVersion >= 2 ? { kind: 'unknown_key' } : refuse('forbidden');
  }
  const isOwn = maker === null || [account.id, account.primary].includes(maker.accountId);
  if (!isOwn) return refuse('forbidden');
  if (!key.live) return UNCHANGED;
  endKey(world, key);
  return { kind: 'accepted', events: world.emitted };
}

/** Ends a live key; the closing of its account counts it. */
export function endKey(world: World, key: Key): void {
  const { accountId, keyId } = key;
  key.live = false;
  key.revokedAt = decidedAt(world);
  for (const closed of closuresOf(world, accountId)) closed.revokedKeys += 1;
  emit(world, 'ApiKeyRevoked', { accountId, keyId });
}

export function approveAccount(world: World, command: CommandOf<'ApproveAccount'>): Verdict {
  const account = findAccount(world, command.accountId);
  if (account === undefined) return refuse('account_not_found');
  if (account.approved) return UNCHANGED;
  account.approved = true;
  emit(world, 'AccountApproved', { accountId: account.id });
  return { kind: 'accepted', events: world.emitted };
}
