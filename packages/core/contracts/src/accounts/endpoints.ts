import { z } from 'zod';
import { listCost } from '../cost.ts';
import { defineEndpoint, withIds } from '../endpoint.ts';
import { Done } from '../orders/order.ts';
import { cursorText, limitText, NEXT_PAGE, text } from '../text.ts';
import {
  CreateApiKeyInput,
  CreatedApiKey,
  CreatedSubAccount,
  CreateSubAccountInput,
  FleetKeyList,
  LimitedApiKey,
  REVOKED_KEYS_LIMIT,
  SubAccountList,
} from './account.ts';
import { MandateInput } from './mandate.ts';

const fleet = { tag: 'Accounts', auth: 'key', permission: 'master', primaryOnly: true } as const;
const RULE =
  "Needs a primary account's key with the master permission; a sub-account's key is 403 `primary_account_required`. ";

export const accountEndpoints = withIds({
  setMandate: defineEndpoint({
    ...fleet,
    grantsRights: true,
    method: 'put',
    path: '/api/accounts/keys/{keyId}/mandate',
    summary: 'Limit what a key may do',
    description:
      "Sets the limits of a key of the fleet, or removes them with the body `null`. They are enforced where orders are decided: an order that passes one is `mandate_exceeded`. Needs a primary account's key with the master permission, which has no mandate itself. Cancelling, and lowering a quantity at the same price, are always allowed. A maker who moves its quotes spends spendPerDay anew with each move.",
    params: z.object({ keyId: text(1).describe('The id of the key, which is not the key itself.') }),
    body: MandateInput,
    answer: LimitedApiKey,
  }),
  listSubAccounts: defineEndpoint({
    ...fleet,
    path: '/api/accounts/sub',
    summary: 'List sub-accounts with their keys',
    description: `${RULE}Each sub-account shows its live keys and its 3 last revoked keys. \`GET /api/accounts/keys\` lists all keys.`,
    cost: { base: 40 },
    answer: SubAccountList.schema,
  }),
  listKeys: defineEndpoint({
    ...fleet,
    path: '/api/accounts/keys',
    summary: "List the fleet's keys",
    description: `${RULE}The answer has every live key of the primary and its sub-accounts, grouped by account, then the revoked keys, last revoked first. \`limit\` counts revoked keys only. ${NEXT_PAGE} Further pages hold revoked keys only. A raw key is never shown here.`,
    cost: listCost(10, 50, REVOKED_KEYS_LIMIT, REVOKED_KEYS_LIMIT),
    query: z.object({ limit: limitText(REVOKED_KEYS_LIMIT, REVOKED_KEYS_LIMIT), cursor: cursorText }),
    answer: FleetKeyList.schema,
  }),
  createSubAccount: defineEndpoint({
    ...fleet,
    grantsRights: true,
    method: 'post',
    path: '/api/accounts/sub',
    summary: 'Create a sub-account with its first key',
    description: `${RULE}The sub-account starts with its own starting balance. Its first key is named "default". Store \`apiKey.rawKey\`: it is shown only once. A primary account can have 50 sub-accounts, closed ones included.`,
    idempotent: true,
    body: CreateSubAccountInput,
    answer: CreatedSubAccount,
    errors: ['limit_reached'],
  }),
  closeSubAccount: defineEndpoint({
    ...fleet,
    grantsRights: true,
    method: 'delete',
    path: '/api/accounts/sub/{id}',
    summary: 'Close a sub-account',
    description: `${RULE}Revokes all keys and cancels all orders of the sub-account; the answer comes when all are ended. From then on it can have no orders and no keys, and is not ranked. Its positions stay, and settle with their markets. It still counts among the 50. Closing it again returns \`{ok: true}\` again. An id that is not of a sub-account of the caller's is 404.`,
    idempotent: true,
    params: z.object({ id: text(1).describe('The id of the sub-account.') }),
    answer: Done,
    errors: ['account_not_found'],
  }),
  createSubAccountKey: defineEndpoint({
    ...fleet,
    grantsRights: true,
    method: 'post',
    path: '/api/accounts/sub/{id}/keys',
    summary: 'Create a key for a sub-account or the primary',
    description: `${RULE}Pass the id of a sub-account, or the primary's own id. Only a primary's key can have the master permission, and no key can have a permission that its maker lacks. An account can have 20 live keys. Creating one is refused while 200 keys of the account were revoked within the last 24 hours. Store \`apiKey.rawKey\`: it is shown only once.`,
    idempotent: true,
    params: z.object({ id: text(1).describe('The id of a sub-account, or of the primary itself.') }),
    body: CreateApiKeyInput,
    answer: CreatedApiKey,
    errors: ['limit_reached', 'account_not_found'],
  }),
  revokeKey: defineEndpoint({
    ...fleet,
    method: 'delete',
    path: '/api/accounts/keys/{keyId}',
    summary: 'Revoke a key of the fleet',
    description: `${RULE}The key stops working at once. Revoking it again returns \`{ok: true}\` again. An unknown key, or a key of another fleet, is 403.`,
    idempotent: true,
    params: z.object({ keyId: text(1).describe('The id of the key, which is not the key itself.') }),
    answer: Done,
  }),
});
