import { Refused } from '@paper/contracts';
import type { endpoints, Handler } from '@paper/contracts';
import type { CreatedApiKeyBody } from '@paper/contracts/accounts';
import { canonicalPermissions } from '@paper/exchange';
import { givenName, issuedKey, openedSubAccount } from '../answers/accounts.ts';
import { assertNotReserved } from '../commands/display-name.ts';
import { newKey } from '../commands/new-key.ts';
import type { CommandResult } from '@paper/command-side';
import { toAnswer, baseOf, eventOf, laneOf, submitFor } from '../command-gateway.ts';
import type { Call, CommandGateway, KeyOwner } from '../command-gateway.ts';
import type { BodyOf } from './operator-markets.ts';

export function createSubAccount(gateway: CommandGateway): Handler<typeof endpoints.createSubAccount> {
  return async (caller, { body, idempotency }) => {
    const { rawKey, ...key } = newKey();
    const base = baseOf(caller, idempotency);
    assertNotReserved(gateway, { caller, idempotency }, body.displayName);
    const name = await gateway.names.storeOne(body.displayName);
    const open = {
      ...base,
      ...key,
      accountId: name.accountId,
      nameDigest: name.nameDigest,
      permissions: body.permissions === undefined ? null : canonicalPermissions(body.permissions),
      type: 'OpenSubAccount',
    } as const;
    const opening = () =>
      gateway.submit(laneOf(caller), open, (decision, state) => ({
        accountId: eventOf(decision, 'SubAccountOpened').accountId,
        apiKey: issuedKey(decision, state, rawKey),
        show: openedSubAccount(decision, state),
      }));
    const result = await gateway.names.open(name, opening);
    const { accountId, apiKey, show } = result.value;
    const subAccount = show(await givenName(gateway, result, { accountId, digest: '' }, name));
    return toAnswer({ ...result, value: { apiKey, subAccount } });
  };
}

export function createSubAccountKey(gateway: CommandGateway): Handler<typeof endpoints.createSubAccountKey> {
  return async (caller, { params, body, idempotency }) =>
    toAnswer(await submitNewKey(gateway, { caller, idempotency }, params.id, body));
}

export function submitNewKey(
  gateway: CommandGateway,
  call: Call,
  accountId: string,
  { name, permissions }: Omit<BodyOf<'issue-key'>, 'id'>,
): Promise<CommandResult<CreatedApiKeyBody>> {
  const { rawKey, ...key } = newKey();
  const issue = {
    ...key,
    accountId,
    name,
    permissions: canonicalPermissions(permissions),
    type: 'IssueApiKey',
  } as const;
  return submitFor(gateway, call, issue, (decision, state) => ({ apiKey: issuedKey(decision, state, rawKey) }));
}

/** Closes a sub-account. Answered when its keys are revoked and its orders cancelled. */
export function closeSubAccount(gateway: CommandGateway): Handler<typeof endpoints.closeSubAccount> {
  return async (caller, { params, idempotency }) => {
    const close = { accountId: params.id, type: 'CloseAccount' } as const;
    return toAnswer(await submitFor(gateway, { caller, idempotency }, close, () => ({ ok: true })));
  };
}

/** Revokes a key; false where the exchange's state no longer has it. */
export function submitRevocation(gateway: CommandGateway, call: Call, keyId: string): Promise<CommandResult<boolean>> {
  return submitFor(gateway, call, { keyId, type: 'RevokeApiKey' }, (decision) => decision.kind !== 'unknown_key');
}

/** Finds the owner of a revoked key that has left the exchange's state, in the read model at `seq`; null: unknown. */
export async function forgottenKeyOwner(gateway: CommandGateway, keyId: string, seq: number): Promise<KeyOwner | null> {
  await gateway.readModel.fresh(seq);
  return gateway.readModel.keyOwner(keyId);
}

export function revokeKey(gateway: CommandGateway): Handler<typeof endpoints.revokeKey> {
  return async (caller, { params: { keyId }, idempotency }) => {
    const result = await submitRevocation(gateway, { caller, idempotency }, keyId);
    if (!result.value) {
      const owner = await forgottenKeyOwner(gateway, keyId, result.seq);
      if (owner === null || ![owner.accountId, owner.primaryAccountId].includes(caller.accountId)) {
        throw new Refused('forbidden', 'Forbidden');
      }
    }
    return toAnswer({ ...result, value: { ok: true } });
  };
}
