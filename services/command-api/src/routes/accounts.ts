import { Refused } from '@paper/contracts';
import type { endpoints, Handler, KeyCaller, OperatorCaller } from '@paper/contracts';
import { canonicalPermissions } from '@paper/exchange';
import type { CloseAccount, IssueApiKey, OpenSubAccount, RevokeApiKey, Untimed } from '@paper/exchange/commands';
import { givenName, issuedKey, openedSubAccount } from '../answers/accounts.ts';
import { assertNotReserved } from '../commands/display-name.ts';
import { newKey } from '../commands/new-key.ts';
import type { CommandResult } from '@paper/command-side';
import { toAnswer, baseOf, eventOf, laneOf } from '../command-gateway.ts';
import type { CommandGateway, KeyOwner } from '../command-gateway.ts';

export function createSubAccount(gateway: CommandGateway): Handler<typeof endpoints.createSubAccount> {
  return async (caller, { body, idempotency }) => {
    const { rawKey, ...key } = newKey();
    const base = baseOf(caller, idempotency);
    assertNotReserved(gateway, caller, base, body.displayName);
    const name = await gateway.names.storeOne(body.displayName);
    const open: Untimed<OpenSubAccount> = {
      ...base,
      ...key,
      accountId: name.accountId,
      nameDigest: name.nameDigest,
      permissions: body.permissions === undefined ? null : canonicalPermissions(body.permissions),
      type: 'OpenSubAccount',
    };
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
  return async (caller, { params, body, idempotency }) => {
    const { rawKey, ...key } = newKey();
    const issue: Untimed<IssueApiKey> = {
      ...baseOf(caller, idempotency),
      ...key,
      accountId: params.id,
      name: body.name,
      permissions: canonicalPermissions(body.permissions),
      type: 'IssueApiKey',
    };
    const result = await gateway.submit(laneOf(caller), issue, (decision, state) => ({
      apiKey: issuedKey(decision, state, rawKey),
    }));
    return toAnswer(result);
  };
}

/** Closes a sub-account. Answered when all its keys and orders are ended. */
export function closeSubAccount(gateway: CommandGateway): Handler<typeof endpoints.closeSubAccount> {
  return async (caller, { params, idempotency }) => {
    const close: Untimed<CloseAccount> = {
      ...baseOf(caller, idempotency),
      accountId: params.id,
      type: 'CloseAccount',
    };
    return toAnswer(await gateway.submit(laneOf(caller), close, () => ({ ok: true })));
  };
}

/** Revokes a key that is still in the exchange's state. */
export function submitRevocation(
  gateway: CommandGateway,
  caller: KeyCaller | OperatorCaller,
  revoke: Untimed<RevokeApiKey>,
): Promise<CommandResult<boolean>> {
  return gateway.submit(laneOf(caller), revoke, (decision) => decision.kind !== 'unknown_key');
}

/**
 * Finds the owner of a revoked key that the exchange has already removed from its state, in the read model, once the
 * decision's sequence is projected. Null: the key never existed.
 */
export async function forgottenKeyOwner(gateway: CommandGateway, keyId: string, seq: number): Promise<KeyOwner | null> {
  await gateway.readModel.fresh(seq);
  return gateway.readModel.keyOwner(keyId);
}

export function revokeKey(gateway: CommandGateway): Handler<typeof endpoints.revokeKey> {
  return async (caller, { params, idempotency }) => {
    const revoke: Untimed<RevokeApiKey> = {
      ...baseOf(caller, idempotency),
      keyId: params.keyId,
      type: 'RevokeApiKey',
    };
    const result = await submitRevocation(gateway, caller, revoke);
    if (!result.value) {
      const owner = await forgottenKeyOwner(gateway, params.keyId, result.seq);
      if (owner === null || ![owner.accountId, owner.primaryAccountId].includes(caller.accountId)) {
        throw new Refused('forbidden', 'Forbidden');
      }
    }
    return toAnswer({ ...result, value: { ok: true } });
  };
}
