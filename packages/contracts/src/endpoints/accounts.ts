import { z } from 'zod';
import {
  CreateApiKeyInput,
  CreatedApiKey,
  CreatedSubAccount,
  CreateSubAccountInput,
  FleetKeyList,
  REVOKED_KEYS_LIMIT,
  SubAccountList,
} from '../account.ts';
import { defineEndpoint } from '../endpoint.ts';
import { Done } from '../order.ts';
import { listCost } from '../cost.ts';
import { cursorText, limitText, text } from '../text.ts';
import {
  EXAMPLE_KEY_ID,
  EXAMPLE_SUB_ACCOUNT_ID,
  exampleFleetKey,
  exampleIssuedKey,
  exampleReaderKey,
  exampleSubAccount,
} from '../example-data.ts';

const fleet = { tag: 'Accounts', auth: 'key', permission: 'master', primaryOnly: true } as const;
const RULE =
  "Needs a primary account's key with the master permission; a sub-account's key gets 403 `primary_account_required`. ";

/** A primary account's fleet: sub-accounts and keys. */
export const accountEndpoints = {
  listSubAccounts: defineEndpoint({
    ...fleet,
    id: 'listSubAccounts',
    method: 'get',
    path: '/api/accounts/sub',
    summary: 'Sub-accounts and their keys',
    description: `${RULE}Of each its live keys and the 3 that were revoked last, with revokedAt; all keys are in \`/api/accounts/keys\`.`,
    kind: 'read',
    cost: { base: 20 },
    answer: SubAccountList,
    errors: ['forbidden', 'primary_account_required'],
    example: { answer: { subAccounts: [exampleSubAccount] } },
  }),
  listKeys: defineEndpoint({
    ...fleet,
    id: 'listKeys',
    method: 'get',
    path: '/api/accounts/keys',
    summary: "The fleet's keys",
    description: `${RULE}All live keys of the primary and its sub-accounts, account by account, then the revoked ones, the last revoked first. \`limit\` counts revoked keys. Further pages, of revoked keys alone, by the \`Link: rel="next"\` header. Names of keys are here; raw keys are nowhere.`,
    kind: 'read',
    cost: listCost(10, 50, REVOKED_KEYS_LIMIT, REVOKED_KEYS_LIMIT),
    query: z.object({ limit: limitText(REVOKED_KEYS_LIMIT, REVOKED_KEYS_LIMIT), cursor: cursorText }),
    answer: FleetKeyList,
    errors: ['validation_failed', 'forbidden', 'primary_account_required'],
    example: { query: { limit: '100' }, answer: { keys: [exampleFleetKey] } },
  }),
  createSubAccount: defineEndpoint({
    ...fleet,
    id: 'createSubAccount',
    method: 'post',
    path: '/api/accounts/sub',
    summary: 'Create a sub-account with its first key',
    description: `${RULE}The new account starts with its own starting balance. Its first key is named "default"; apiKey.rawKey is shown here only. At most 50 sub-accounts a primary.`,
    kind: 'command',
    idempotent: true,
    body: CreateSubAccountInput,
    answer: CreatedSubAccount,
    errors: ['validation_failed', 'idempotency_conflict', 'limit_reached', 'forbidden', 'primary_account_required'],
    example: {
      bodies: { 'A bot that reads and trades': { displayName: 'Momentum bot', permissions: ['view', 'trade'] } },
      answer: { subAccount: exampleSubAccount, apiKey: exampleIssuedKey },
    },
  }),
  createSubAccountKey: defineEndpoint({
    ...fleet,
    id: 'createSubAccountKey',
    method: 'post',
    path: '/api/accounts/sub/{id}/keys',
    summary: 'Create a key for a sub-account, or for the primary itself',
    description: `${RULE}The primary's own id gives a further key of the primary, which can have master too; it is listed in \`/api/accounts/keys\`. A key can have no right that its maker lacks, and a sub-account's key never has master. At most 20 live keys an account, and no further one while 200 of the account were revoked within the last 24 hours.`,
    kind: 'command',
    idempotent: true,
    params: z.object({ id: text(1) }),
    body: CreateApiKeyInput,
    answer: CreatedApiKey,
    errors: [
      'validation_failed',
      'idempotency_conflict',
      'limit_reached',
      'forbidden',
      'primary_account_required',
      'account_not_found',
    ],
    example: {
      params: { id: EXAMPLE_SUB_ACCOUNT_ID },
      bodies: { 'A key that only reads': { name: 'dashboard', permissions: ['view'] } },
      answer: { apiKey: exampleReaderKey },
    },
  }),
  revokeKey: defineEndpoint({
    ...fleet,
    id: 'revokeKey',
    method: 'delete',
    path: '/api/accounts/keys/{keyId}',
    summary: 'Revoke a key',
    description: `${RULE}Again gives \`{ok: true}\` again, however long ago; an unknown key, or another fleet's, is 403.`,
    kind: 'command',
    idempotent: true,
    params: z.object({ keyId: text(1) }),
    answer: Done,
    errors: ['validation_failed', 'idempotency_conflict', 'forbidden', 'primary_account_required'],
    example: { params: { keyId: EXAMPLE_KEY_ID }, answer: { ok: true } },
  }),
};
