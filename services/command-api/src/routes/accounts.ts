import { Refused } from '@paper/contracts';
import type { endpoints, Handler, KeyCaller, OperatorCaller } from '@paper/contracts';
import type { IssueApiKey, OpenSubAccount, RevokeApiKey } from '@paper/exchange';
import { issuedKey, openedSubAccount } from '../answers/accounts.ts';
import { baseOf, laneOf, normalPermissions } from '../commands/base.ts';
import { newKey } from '../commands/new-key.ts';
import type { CommandResult } from '@paper/command-side';
import { toAnswer } from './command-gateway.ts';
import type { CommandGateway, KeyOwner } from './command-gateway.ts';

export function createSubAccount(gateway: CommandGateway): Handler<typeof endpoints.createSubAccount> {
  return async (caller, { body, idempotency }) => {
    const { rawKey, ...key } = newKey();
    const name = await gateway.names.storeOne(body.displayName);
    const open: Omit<OpenSubAccount, 'at'> = {
      ...baseOf(caller, idempotency),
      ...key,
      accountId: name.accountId,
      nameDigest: name.nameDigest,
      permissions: body.permissions === undefined ? null : normalPermissions(body.permissions),
      type: 'OpenSubAccount',
    };
    const opening = () =>
      gateway.submit({
        // A repeated request has the same body, so its name is the same too.
        answer: (outcome) => ({ apiKey: issuedKey(outcome, rawKey), subAccount: openedSubAccount(outcome, name.name) }),
        command: open,
        lane: laneOf(caller),
      });
    return toAnswer(await gateway.names.open(name, opening));
  };
}

export function createSubAccountKey(gateway: CommandGateway): Handler<typeof endpoints.createSubAccountKey> {
  return async (caller, { params, body, idempotency }) => {
    const { rawKey, ...key } = newKey();
    const issue: Omit<IssueApiKey, 'at'> = {
      ...baseOf(caller, idempotency),
      ...key,
      accountId: params.id,
      name: body.name,
      permissions: normalPermissions(body.permissions),
      type: 'IssueApiKey',
    };
    const result = await gateway.submit({
      answer: (outcome) => ({ apiKey: issuedKey(outcome, rawKey) }),
      command: issue,
      lane: laneOf(caller),
    });
    return toAnswer(result);
  };
}

/** Revokes a key that is still in the exchange's state. */
export function submitRevocation(
  gateway: CommandGateway,
  caller: KeyCaller | OperatorCaller,
  revoke: Omit<RevokeApiKey, 'at'>,
): Promise<CommandResult<boolean>> {
  return gateway.submit({
    answer: (outcome) => outcome.kind !== 'unknown_key',
    command: revoke,
    lane: laneOf(caller),
  });
}

/**
 * Finds the owner of a key that was revoked so long ago that the exchange has removed it. Reads the read model, once
 * the decision's sequence is projected. Null: the key never existed.
 */
export async function forgottenKeyOwner(gateway: CommandGateway, keyId: string, seq: number): Promise<KeyOwner | null> {
  await gateway.readModel.fresh(seq);
  return gateway.readModel.keyOwner(keyId);
}

export function revokeKey(gateway: CommandGateway): Handler<typeof endpoints.revokeKey> {
  return async (caller, { params, idempotency }) => {
    const revoke: Omit<RevokeApiKey, 'at'> = {
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
