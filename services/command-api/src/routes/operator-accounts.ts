import { isInScope, OUT_OF_SCOPE, Refused, shownName } from '@paper/contracts';
import type { OperatorCaller } from '@paper/contracts';
import type { AccountBody, OpenedAccountBody } from '@paper/contracts/accounts';
import { accountOfKey, canonicalPermissions, closureView, fleetIds, isOpenedBy } from '@paper/exchange';
import { givenName, issuedKey, knownAccount, nameKeyOf } from '../answers/accounts.ts';
import { assertNotReserved } from '../commands/display-name.ts';
import { newKey } from '../commands/new-key.ts';
import type { StoredName, CommandResult } from '@paper/command-side';
import { forgottenKeyOwner, submitNewKey, submitRevocation } from './accounts.ts';
import { eventOf, submitFor, unitsOf } from '../command-gateway.ts';
import type { CommandGateway } from '../command-gateway.ts';
import type { BodyOf, OperatorCall } from './operator-markets.ts';

/** Stands for a digest of a name: the command for a taken id is never accepted, so no event has this digest. */
const UNUSED_DIGEST = '0'.repeat(64);

/** Refuses a token for the operator's own accounts, if another operator opened this one. @throws Refused forbidden. */
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

/** Repeats the first answer for an id that is taken. @throws Refused when the command is not a replay. */
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
  call: OperatorCall,
  body: BodyOf<'open-account'>,
  { accountId: id, nameDigest }: Pick<StoredName, 'accountId' | 'nameDigest'>,
) {
  const { rawKey, ...key } = newKey();
  assertNotReserved(gateway, call, body.displayName);
  const open = {
    ...key,
    accountId: id,
    nameDigest,
    permissions: canonicalPermissions(body.permissions),
    startingBalanceUnits: unitsOf('startingBalance', body.startingBalance),
    type: 'OpenAccount',
  } as const;
  return submitFor(gateway, call, open, (decision, state) => {
    const { accountId } = eventOf(decision, 'AccountOpened');
    return { accountId, apiKey: issuedKey(decision, state, rawKey), show: knownAccount(state, accountId) };
  });
}

/** Issues a key for a primary account that has lost its own. */
export async function issueKey(gateway: CommandGateway, call: OperatorCall, { id, ...body }: BodyOf<'issue-key'>) {
  assertPermitted(gateway, call.caller, id);
  return submitNewKey(gateway, call, id, body);
}

/** Revokes any key, for instance a stolen one. */
export async function revokeAnyKey(gateway: CommandGateway, call: OperatorCall, keyId: string) {
  const accountId = accountOfKey(gateway.state(), keyId);
  if (accountId !== null) assertPermitted(gateway, call.caller, accountId);
  const result = await submitRevocation(gateway, call, keyId);
  if (!result.value) {
    const owner = await forgottenKeyOwner(gateway, keyId, result.seq);
    if (owner === null) throw new Refused('not_found', `No key has the id ${keyId}`);
    assertPermitted(gateway, call.caller, owner.accountId);
  }
  return { ...result, value: { ok: true } };
}

/** Closes a primary account with its sub-accounts. Answered once all their keys and orders are ended. */
export async function closeAccount(gateway: CommandGateway, call: OperatorCall, accountId: string) {
  assertPermitted(gateway, call.caller, accountId);
  const result = await submitFor(gateway, call, { accountId, type: 'CloseAccount' }, (_decision, state) => {
    const closure = closureView(state, accountId);
    if (closure === null) throw new Error(`account ${accountId} was closed and is open`);
    const { cancelledOrders, revokedKeys } = closure;
    return { cancelledOrders, name: nameKeyOf(state, accountId), revokedKeys, show: knownAccount(state, accountId) };
  });
  const { cancelledOrders, name, revokedKeys, show } = result.value;
  const account = show(await gateway.names.of(name));
  return { ...result, value: { account, cancelledOrders, revokedKeys } };
}

/** Deletes all names of a closed account: by an event, then in the table, which the next start would finish. */
export async function forgetAccount(gateway: CommandGateway, call: OperatorCall, accountId: string) {
  assertPermitted(gateway, call.caller, accountId);
  const result = await submitFor(gateway, call, { accountId, type: 'ForgetDisplayNames' }, (_decision, state) => ({
    fleet: fleetIds(state, accountId),
    show: knownAccount(state, accountId),
  }));
  const { fleet, show } = result.value;
  await gateway.names.forget(fleet);
  return { ...result, value: { account: show(shownName(accountId, null)) } };
}

export async function approveAccount(
  gateway: CommandGateway,
  call: OperatorCall,
  { id: accountId }: BodyOf<'approve-account'>,
): Promise<CommandResult<{ readonly account: AccountBody }>> {
  const result = await submitFor(gateway, call, { accountId, type: 'ApproveAccount' }, (_decision, state) => ({
    name: nameKeyOf(state, accountId),
    show: knownAccount(state, accountId),
  }));
  const { name, show } = result.value;
  return { ...result, value: { account: show(await gateway.names.of(name)) } };
}
