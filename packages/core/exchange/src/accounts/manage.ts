import type { CommandOf } from '../commands.ts';
import { ACCOUNT_CLOSED, FORBIDDEN, UNCHANGED, UNKNOWN_KEY, accept, invalid, reject } from '../decision.ts';
import type { Decision, Rejection } from '../decision.ts';
import type { ApiKeyIssued } from '../events.ts';
import { isOutside } from '../money.ts';
import { canonicalPermissions, defaultSubPermissions, rightsOf } from '../permissions.ts';
import { revokedSince, wasRevokedBefore } from '../state/account.ts';
import type { Account } from '../state/account.ts';
import { replayOf } from '../state/idempotency.ts';
import { decisionTime, grantingKey, masterKey, operatorOnly } from '../state/state.ts';
import type { State } from '../state/state.ts';
import type { Permission } from '../vocabulary.ts';

const KEY_NAME_MAX = 40;
const STARTING_BALANCE_UNITS_MIN = 10_000;
const STARTING_BALANCE_UNITS_MAX = 100_000_000_000;
const FIRST_KEY_NAME = 'default';
const NO_ACCOUNT = reject('account_not_found', 'No account of yours has this id');
const ID_TAKEN = reject('idempotency_conflict', 'An account has this id already');
const SUB_MASTER = invalid('permissions', 'a sub-account cannot have master; give any of view, trade, reconcile');

/** Opens a primary account with its first key, for the operator. */
export function openAccount(state: State, command: CommandOf<'OpenAccount'>): Decision {
  const startingBalanceUnits = command.startingBalanceUnits ?? state.settings.startingBalanceUnits;
  const refusal =
    operatorOnly(command.by) ??
    digestFault(command.nameDigest) ??
    (isOutside(startingBalanceUnits, STARTING_BALANCE_UNITS_MIN, STARTING_BALANCE_UNITS_MAX)
      ? invalid('startingBalance', 'must be 1 to 10000000, in steps of 0.0001')
      : replayOf(state.idempotency, command)) ??
    (state.accounts.has(command.accountId) ? ID_TAKEN : null) ??
    grantFault(state, startingBalanceUnits);
  if (refusal !== null) return refusal;
  const at = decisionTime(state, command.at);
  const { accountId, nameDigest } = command;
  return accept([
    { accountId, at, nameDigest, startingBalanceUnits, type: 'AccountOpened' },
    keyIssued(command, FIRST_KEY_NAME, canonicalPermissions(command.permissions), at),
  ]);
}

/** Opens a sub-account with its first key, which can do no more than the primary's master key that asks for it. */
export function openSubAccount(state: State, command: CommandOf<'OpenSubAccount'>): Decision {
  const key = grantingKey(state, command.by);
  if ('kind' in key) return key;
  const primary = key.account;
  const permissions =
    command.permissions === null ? defaultSubPermissions(key.rights) : canonicalPermissions(command.permissions);
  const { startingBalanceUnits, subAccountsPerPrimary } = state.settings;
  const refusal =
    digestFault(command.nameDigest) ??
    (permissions.includes('master') ? SUB_MASTER : replayOf(state.idempotency, command)) ??
    (exceeds(permissions, key.rights) ? FORBIDDEN : null) ??
    (primary.subAccounts.length >= subAccountsPerPrimary
      ? reject('limit_reached', `A primary account can have ${subAccountsPerPrimary} sub-accounts.`)
      : grantFault(state, startingBalanceUnits));
  if (refusal !== null) return refusal;
  const at = decisionTime(state, command.at);
  const { accountId, nameDigest } = command;
  return accept([
    {
      accountId,
      at,
      nameDigest,
      permissions,
      primaryAccountId: primary.id,
      startingBalanceUnits,
      type: 'SubAccountOpened',
    },
    keyIssued(command, FIRST_KEY_NAME, permissions, at),
  ]);
}

/** Issues a further key: a master key for its own fleet, within its own rights; the operator for any account. */
export function issueApiKey(state: State, command: CommandOf<'IssueApiKey'>): Decision {
  let fleet: Account | null = null;
  let makerRights = -1;
  if (command.by.kind !== 'operator') {
    const key = grantingKey(state, command.by);
    if ('kind' in key) return key;
    fleet = key.account;
    makerRights = key.rights;
  }
  const refusal = keyFault(command) ?? replayOf(state.idempotency, command);
  if (refusal !== null) return refusal;
  const account = state.accounts.get(command.accountId);
  if (account === undefined || (fleet !== null && account.owner !== fleet)) return NO_ACCOUNT;
  if (account.isClosed) return ACCOUNT_CLOSED;
  const permissions = canonicalPermissions(command.permissions);
  if (account.primary !== null && permissions.includes('master')) return SUB_MASTER;
  if (exceeds(permissions, makerRights)) return FORBIDDEN;
  const { liveKeysPerAccount } = state.settings;
  if (account.liveKeys.length >= liveKeysPerAccount) {
    return reject('limit_reached', `An account can have ${liveKeysPerAccount} live keys; revoke one first.`);
  }
  const at = decisionTime(state, command.at);
  return (
    (fleet === null ? null : revocationsFault(state, account, at)) ??
    accept([keyIssued(command, command.name, permissions, at)])
  );
}

/**
 * Limits revocations, because keys that are issued and revoked again and again would fill memory and lists. The
 * operator is exempt, so that an owner returns after a thief has used up the revocations with a stolen key.
 */
function revocationsFault(state: State, account: Account, at: number): Rejection | null {
  const { revokedKeysPerAccount } = state.settings;
  const { revokedKeys } = account;
  const counted = revokedKeys[revokedKeys.length - revokedKeysPerAccount];
  if (state.rulesVersion < 2 || counted === undefined || wasRevokedBefore(counted, revokedSince(state.settings, at))) {
    return null;
  }
  return reject(
    'limit_reached',
    `${revokedKeysPerAccount} keys of this account were revoked within 24 hours; a further key can be issued later, or by the operator.`,
  );
}

/** Revokes a key: of the caller's fleet, or any for the operator; itself only, if the caller's key has a mandate. */
export function revokeApiKey(state: State, command: CommandOf<'RevokeApiKey'>): Decision {
  let fleet: Account | null = null;
  if (command.by.kind !== 'operator' || state.rulesVersion < 2) {
    const isOther = state.rulesVersion >= 5 && command.by.kind === 'key' && command.keyId !== command.by.keyId;
    const maker = isOther ? grantingKey(state, command.by) : masterKey(state, command.by);
    if ('kind' in maker) return maker;
    fleet = maker.account;
  }
  const replay = replayOf(state.idempotency, command);
  if (replay !== null) return replay;
  const at = decisionTime(state, command.at);
  const key = state.keys.get(command.keyId);
  if (key === undefined || (state.rulesVersion >= 2 && wasRevokedBefore(key, revokedSince(state.settings, at)))) {
    return state.rulesVersion < 2 ? FORBIDDEN : UNKNOWN_KEY;
  }
  if (fleet !== null && key.account.owner !== fleet) return FORBIDDEN;
  if (key.revokedAt !== null) return UNCHANGED;
  return accept([{ accountId: key.account.id, at, keyId: key.id, type: 'ApiKeyRevoked' }]);
}

/** Lifts `kyc_required` from an account, for the operator. */
export function approveAccount(state: State, command: CommandOf<'ApproveAccount'>): Decision {
  const refusal = operatorOnly(command.by) ?? replayOf(state.idempotency, command);
  if (refusal !== null) return refusal;
  const account = state.accounts.get(command.accountId);
  if (account === undefined) return noAccount(command.accountId);
  if (account.approved) return UNCHANGED;
  return accept([{ accountId: account.id, at: decisionTime(state, command.at), type: 'AccountApproved' }]);
}

/** Rejects an account id that was never opened. */
export function noAccount(accountId: string): Rejection {
  return reject('account_not_found', `No account has the id ${accountId}`);
}

function keyIssued(
  command: Pick<CommandOf<'OpenAccount'>, 'accountId' | 'keyHash' | 'keyId' | 'last4'>,
  name: string,
  permissions: readonly Permission[],
  at: number,
): ApiKeyIssued {
  const { accountId, keyHash, keyId, last4 } = command;
  return { accountId, at, keyHash, keyId, last4, name, permissions, type: 'ApiKeyIssued' };
}

function exceeds(permissions: readonly Permission[], makerRights: number): boolean {
  return (rightsOf(permissions) & ~makerRights) !== 0;
}

function keyFault(command: CommandOf<'IssueApiKey'>): Rejection | null {
  if (isOutside(Array.from(command.name).length, 1, KEY_NAME_MAX)) {
    return invalid('name', 'must have 1 to 40 characters');
  }
  return command.permissions.length === 0 ? invalid('permissions', 'must name at least one') : null;
}

/** Refuses a grant that would raise the sum of all grants above the safe integers: every sum of money is exact. */
function grantFault(state: State, startingBalanceUnits: number): Rejection | null {
  return startingBalanceUnits > Number.MAX_SAFE_INTEGER - state.grantedUnits
    ? reject('limit_reached', 'The exchange has granted as much money as it can count exactly.')
    : null;
}

/** The API checks the name itself; the exchange has only the name's digest. */
export function digestFault(nameDigest: string): Rejection | null {
  return /^[0-9a-f]{64}$/.test(nameDigest) ? null : invalid('nameDigest', 'must be a SHA-256 in hex');
}
