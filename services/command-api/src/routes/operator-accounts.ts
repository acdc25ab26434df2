import { isInScope, OUT_OF_SCOPE, Refused } from '@paper/contracts';
import type { AccountBody, IssuedApiKeyBody, OperatorCaller } from '@paper/contracts';
import { accountOfKey, canonicalPermissions, isOpenedBy } from '@paper/exchange';
import type { ApproveAccount, IssueApiKey, OpenAccount, Untimed } from '@paper/exchange';
import { issuedKey, knownAccount, openedAccount } from '../answers/accounts.ts';
import { newKey } from '../commands/new-key.ts';
import type { StoredName, CommandResult } from '@paper/command-side';
import { forgottenKeyOwner, submitRevocation } from './accounts.ts';
import { baseOf, laneOf, unitsOf } from './command-gateway.ts';
import type { CommandGateway } from './command-gateway.ts';
import type { BodyOf, OperatorCall } from './operator-markets.ts';

/**
 * Refuses a token that permits only the operator's own accounts, for an account that another operator opened. An unknown
 * account is left to the decision, which refuses it.
 * @throws Refused forbidden.
 */
function assertPermitted(gateway: CommandGateway, { name, scopes }: OperatorCaller, accountId: string): void {
  if (isInScope(scopes, ['accounts'])) return;
  if (isOpenedBy(gateway.state(), accountId, name) === false) throw new Refused('forbidden', OUT_OF_SCOPE);
}

/** Opens an account. `name` is its display name, which is stored before the command is decided. */
export function openAccount(
  gateway: CommandGateway,
  { caller, idempotency }: OperatorCall,
  body: BodyOf<'open-account'>,
  name: StoredName,
): Promise<CommandResult<{ readonly account: AccountBody; readonly apiKey: IssuedApiKeyBody }>> {
  return gateway.names.open(name, () => {
    const { rawKey, ...key } = newKey();
    const open: Untimed<OpenAccount> = {
      ...baseOf(caller, idempotency),
      ...key,
      accountId: name.accountId,
      nameDigest: name.nameDigest,
      permissions: canonicalPermissions(body.permissions),
      startingBalanceUnits: unitsOf('startingBalance', body.startingBalance),
      type: 'OpenAccount',
    };
    return gateway.submit(laneOf(caller), open, (decision) => ({
      account: openedAccount(decision, name.name),
      apiKey: issuedKey(decision, rawKey),
    }));
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
  return gateway.submit(laneOf(caller), issue, (decision) => ({ apiKey: issuedKey(decision, rawKey) }));
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

export async function approveAccount(
  gateway: CommandGateway,
  { caller, idempotency }: OperatorCall,
  { id: accountId }: BodyOf<'approve-account'>,
): Promise<CommandResult<{ readonly account: AccountBody }>> {
  const approve: Untimed<ApproveAccount> = { ...baseOf(caller, idempotency), accountId, type: 'ApproveAccount' };
  const result = await gateway.submit(laneOf(caller), approve, (_decision, state) => knownAccount(state, accountId));
  return { ...result, value: { account: result.value(await gateway.names.of(accountId)) } };
}
