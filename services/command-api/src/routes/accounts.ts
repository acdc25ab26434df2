import type { endpoints, Handler } from '@paper/contracts';
import type { IssueApiKey, OpenSubAccount, RevokeApiKey } from '@paper/exchange';
import { issuedKey, openedSubAccount } from '../answers/accounts.ts';
import { baseOf, laneOf, normalPermissions } from '../commands/base.ts';
import { newKey } from '../commands/new-key.ts';
import { toAnswer, type Desk } from './desk.ts';

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

export function revokeKey(desk: Desk): Handler<typeof endpoints.revokeKey> {
  return async (caller, { params, idempotency }) => {
    const revoke: Omit<RevokeApiKey, 'at'> = {
      ...baseOf(caller, idempotency),
      keyId: params.keyId,
      type: 'RevokeApiKey',
    };
    const decided = await desk.submit({
      answer: () => ({ ok: true }),
      command: (at) => ({ ...revoke, at }),
      lane: laneOf(caller),
    });
    return toAnswer(decided);
  };
}
