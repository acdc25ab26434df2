import { isInScope, OUT_OF_SCOPE, Refused, shownName } from '@paper/contracts';
import type { OperatorCaller } from '@paper/contracts';
import type { AccountBody, ClosedAccountBody, IssuedApiKeyBody } from '@paper/contracts/accounts';
import { accountOfKey, canonicalPermissions, closureView, fleetIds, isOpenedBy } from '@paper/exchange';
import type {
  ApproveAccount,
  CloseAccount,
  ForgetDisplayNames,
  IssueApiKey,
  OpenAccount,
  Untimed,
} from '@paper/exchange/commands';
import { givenName, issuedKey, knownAccount, nameKeyOf } from '../answers/accounts.ts';
import { assertNotReserved } from '../commands/display-name.ts';
import { newKey } from '../commands/new-key.ts';
import type { StoredName, CommandResult } from '@paper/command-side';
import { forgottenKeyOwner, submitRevocation } from './accounts.ts';
import { baseOf, eventOf, laneOf, unitsOf } from '../command-gateway.ts';
import type { CommandGateway } from '../command-gateway.ts';
import type { BodyOf, OperatorCall } from './operator-markets.ts';

/** The answer to the opening of an account. */
interface OpenedAccountBody {
  readonly account: AccountBody;
  readonly apiKey: IssuedApiKeyBody;
}

/**
 * Stands for a digest in a command whose id is taken. Such a command is never accepted, so no event has this digest.
 */
const UNUSED_DIGEST = '0'.repeat(64);

/**
 * Refuses a token that permits only the operator's own accounts, if another operator opened the account. An unknown
 * account is left to the decision, which refuses it.
 * @throws Refused forbidden.
 */
function assertPermitted(gateway: CommandGateway, { name, scopes }: OperatorCaller, accountId: string): void {
  if (isInScope(scopes, ['accounts'])) return;
  if (isOpenedBy(gateway.state(), accountId, name) === false) throw new Refused('forbidden', OUT_OF_SCOPE);
}

/** Opens an account. `name` is its display name, which is stored before the command is decided. */
export async function openAccount(
  gateway: CommandGateway,
  call: OperatorCall,
  body: BodyOf<'open-account'>,
  name: StoredName,
): Promise<CommandResult<OpenedAccountBody>> {
  const result = await gateway.names.open(name, () => submitOpening(gateway, call, body, name));
  const { accountId, apiKey, show } = result.value;
  return {
    ...result,
    value: { account: show(await givenName(gateway, result, { accountId, digest: '' }, name)), apiKey },
  };
}

/**
 * Repeats the first answer to an Idempotency-Key that opened an account with a given id. Stores no name, since the
 * account has one.
 * @throws Refused when the command is not a replay: the id is taken.
 */
export async function repeatOpening(
  gateway: CommandGateway,
  call: OperatorCall,
  body: BodyOf<'open-account'>,
  id: string,
): Promise<CommandResult<OpenedAccountBody>> {
  const result = await submitOpening(gateway, call, body, { accountId: id, nameDigest: UNUSED_DIGEST });
  const { accountId, apiKey, show } = result.value;
  return { ...result, value: { account: show(await gateway.names.of({ accountId, digest: '' })), apiKey } };
}

function submitOpening(
  gateway: CommandGateway,
  { caller, idempotency }: OperatorCall,
  body: BodyOf<'open-account'>,
  { accountId: id, nameDigest }: Pick<StoredName, 'accountId' | 'nameDigest'>,
) {
  const { rawKey, ...key } = newKey();
  const base = baseOf(caller, idempotency);
  assertNotReserved(gateway, caller, base, body.displayName);
  const open: Untimed<OpenAccount> = {
    ...base,
    ...key,
    accountId: id,
    nameDigest,
    permissions: canonicalPermissions(body.permissions),
    startingBalanceUnits: unitsOf('startingBalance', body.startingBalance),
    type: 'OpenAccount',
  };
  return gateway.submit(laneOf(caller), open, (decision, state) => {
    const { accountId } = eventOf(decision, 'AccountOpened');
    return { accountId, apiKey: issuedKey(decision, state, rawKey), show: knownAccount(state, accountId) };
  });
}

/** Issues a key for a primary account that has lost its own. */
export async function issueKey(
  gateway: CommandGateway,
  { caller, idempotency }: OperatorCall,
  body: BodyOf<'issue-key'>,
): Promise<CommandResult<{ readonly apiKey: IssuedApiKeyBody }>> {
  assertPermitted(gateway, caller, body.id);
  const { rawKey, ...key } = newKey();
  const issue: Untimed<IssueApiKey> = {
    ...baseOf(caller, idempotency),
    ...key,
    accountId: body.id,
    name: body.name,
    permissions: canonicalPermissions(body.permissions),
    type: 'IssueApiKey',
  };
  return gateway.submit(laneOf(caller), issue, (decision, state) => ({
    apiKey: issuedKey(decision, state, rawKey),
  }));
}

/** Revokes any key, for instance a stolen one. */
export async function revokeAnyKey(
  gateway: CommandGateway,
  { caller, idempotency }: OperatorCall,
  keyId: string,
): Promise<CommandResult<{ readonly ok: true }>> {
  const accountId = accountOfKey(gateway.state(), keyId);
  if (accountId !== null) assertPermitted(gateway, caller, accountId);
  const result = await submitRevocation(gateway, caller, {
    ...baseOf(caller, idempotency),
    keyId,
    type: 'RevokeApiKey',
  });
  if (!result.value) {
    const owner = await forgottenKeyOwner(gateway, keyId, result.seq);
    if (owner === null) throw new Refused('not_found', `No key has the id ${keyId}`);
    assertPermitted(gateway, caller, owner.accountId);
  }
  return { ...result, value: { ok: true } };
}

/** Closes a primary account with its sub-accounts. Answered once all their keys and orders are ended. */
export async function closeAccount(
  gateway: CommandGateway,
  { caller, idempotency }: OperatorCall,
  accountId: string,
): Promise<CommandResult<ClosedAccountBody>> {
  assertPermitted(gateway, caller, accountId);
  const close: Untimed<CloseAccount> = { ...baseOf(caller, idempotency), accountId, type: 'CloseAccount' };
  const result = await gateway.submit(laneOf(caller), close, (_decision, state) => {
    const closure = closureView(state, accountId);
    if (closure === null) throw new Error(`account ${accountId} was closed and is open`);
    const { cancelledOrders, revokedKeys } = closure;
    return { cancelledOrders, name: nameKeyOf(state, accountId), revokedKeys, show: knownAccount(state, accountId) };
  });
  const { cancelledOrders, name, revokedKeys, show } = result.value;
  const account = show(await gateway.names.of(name));
  return { ...result, value: { account, cancelledOrders, revokedKeys } };
}

/**
 * Deletes the names of a closed account and of its sub-accounts, former names too: first by an event, then in the table
 * of names. So the next start finishes what this process leaves undone.
 */
export async function forgetAccount(
  gateway: CommandGateway,
  { caller, idempotency }: OperatorCall,
  accountId: string,
): Promise<CommandResult<{ readonly account: AccountBody }>> {
  assertPermitted(gateway, caller, accountId);
  const forget: Untimed<ForgetDisplayNames> = {
    ...baseOf(caller, idempotency),
    accountId,
    type: 'ForgetDisplayNames',
  };
  const result = await gateway.submit(laneOf(caller), forget, (_decision, state) => ({
    fleet: fleetIds(state, accountId),
    show: knownAccount(state, accountId),
  }));
  const { fleet, show } = result.value;
  await gateway.names.forget(fleet);
  return { ...result, value: { account: show(shownName(accountId, null)) } };
}

export async function approveAccount(
  gateway: CommandGateway,
  { caller, idempotency }: OperatorCall,
  { id: accountId }: BodyOf<'approve-account'>,
): Promise<CommandResult<{ readonly account: AccountBody }>> {
  const approve: Untimed<ApproveAccount> = { ...baseOf(caller, idempotency), accountId, type: 'ApproveAccount' };
  const result = await gateway.submit(laneOf(caller), approve, (_decision, state) => ({
    name: nameKeyOf(state, accountId),
    show: knownAccount(state, accountId),
  }));
  const { name, show } = result.value;
  return { ...result, value: { account: show(await gateway.names.of(name)) } };
}
