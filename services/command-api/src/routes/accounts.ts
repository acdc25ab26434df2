import { ApiError, type endpoints, type Handler, type KeyCaller, type OperatorCaller } from '@paper/contracts';
import type { IssueApiKey, OpenSubAccount, RevokeApiKey } from '@paper/exchange';
import { issuedKey, openedSubAccount } from '../answers/accounts.ts';
import { baseOf, laneOf, normalPermissions } from '../commands/base.ts';
import { newKey } from '../commands/new-key.ts';
import type { Decided } from '../writer/ask.ts';
import { toAnswer, type Desk, type KeyOwner } from './desk.ts';

export function createSubAccount(desk: Desk): Handler<typeof endpoints.createSubAccount> {
  return async (caller, { body, idempotency }) => {
    const { rawKey, ...key } = newKey();
    const kept = await desk.names.keepOne(body.displayName);
    const open: Omit<OpenSubAccount, 'at'> = {
      ...baseOf(caller, idempotency),
      ...key,
      accountId: kept.accountId,
      nameDigest: kept.nameDigest,
      permissions: body.permissions === undefined ? null : normalPermissions(body.permissions),
      type: 'OpenSubAccount',
    };
    const opening = () =>
      desk.submit({
        // A repeated request has the same body, and so the same name.
        answer: (outcome) => ({ apiKey: issuedKey(outcome, rawKey), subAccount: openedSubAccount(outcome, kept.name) }),
        command: (at) => ({ ...open, at }),
        lane: laneOf(caller),
      });
    return toAnswer(await desk.names.open(kept, opening));
  };
}

export function createSubAccountKey(desk: Desk): Handler<typeof endpoints.createSubAccountKey> {
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
    const decided = await desk.submit({
      answer: (outcome) => ({ apiKey: issuedKey(outcome, rawKey) }),
      command: (at) => ({ ...issue, at }),
      lane: laneOf(caller),
    });
    return toAnswer(decided);
  };
}

/** Whether the exchange knows the key that is to be revoked. */
export function submitRevocation(
  desk: Desk,
  caller: KeyCaller | OperatorCaller,
  revoke: Omit<RevokeApiKey, 'at'>,
): Promise<Decided<boolean>> {
  return desk.submit({
    answer: (outcome) => outcome.kind !== 'unknown_key',
    command: (at) => ({ ...revoke, at }),
    lane: laneOf(caller),
  });
}

/**
 * Whose a key was that the exchange does not know: it forgets those that were revoked long ago. The read model is asked
 * when everything that the decision rested on is projected. Null: there never was such a key.
 */
export async function forgottenKeyOwner(desk: Desk, keyId: string, seq: number): Promise<KeyOwner | null> {
  await desk.readModel.fresh(seq);
  return desk.readModel.keyOwner(keyId);
}

export function revokeKey(desk: Desk): Handler<typeof endpoints.revokeKey> {
  return async (caller, { params, idempotency }) => {
    const revoke: Omit<RevokeApiKey, 'at'> = {
      ...baseOf(caller, idempotency),
      keyId: params.keyId,
      type: 'RevokeApiKey',
    };
    const decided = await submitRevocation(desk, caller, revoke);
    if (!decided.value) {
      const owner = await forgottenKeyOwner(desk, params.keyId, decided.seq);
      if (owner === null || ![owner.accountId, owner.primaryAccountId].includes(caller.accountId)) {
        throw new ApiError('forbidden', 'Forbidden');
      }
    }
    return toAnswer({ ...decided, value: { ok: true } });
  };
}
