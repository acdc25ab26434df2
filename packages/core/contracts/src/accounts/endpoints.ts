import { z } from 'zod';
import { listCost } from '../cost.ts';
import { defineEndpoint, withIds } from '../endpoint.ts';
import { Done } from '../orders/order.ts';
import { cursorText, limitText, NEXT_PAGE, text, utcText } from '../text.ts';
import { AccountEvent } from './account-event.ts';
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
import { LeaderboardEntry } from './leaderboard.ts';
import { MandateInput } from './mandate.ts';
import { Me, RenameAccountInput } from './me.ts';
import { Trader } from './trader.ts';

const fleet = { tag: 'Accounts', auth: 'key', permission: 'master', primaryOnly: true } as const;
const granting = { ...fleet, grantsRights: true, idempotent: true } as const;
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
    ...granting,
    method: 'post',
    path: '/api/accounts/sub',
    summary: 'Create a sub-account with its first key',
    description: `${RULE}The sub-account starts with its own starting balance. Its first key is named "default". Store \`apiKey.rawKey\`: it is shown only once. A primary account can have 50 sub-accounts, closed ones included.`,
    body: CreateSubAccountInput,
    answer: CreatedSubAccount,
    errors: ['limit_reached'],
  }),
  closeSubAccount: defineEndpoint({
    ...granting,
    method: 'delete',
    path: '/api/accounts/sub/{id}',
    summary: 'Close a sub-account',
    description: `${RULE}Revokes all keys and cancels all orders of the sub-account; the answer comes when all are ended. From then on it can have no orders and no keys, and is not ranked. Its positions stay, and settle with their markets. It still counts among the 50. Closing it again returns \`{ok: true}\` again. An id that is not of a sub-account of the caller's is 404.`,
    params: z.object({ id: text(1).describe('The id of the sub-account.') }),
    answer: Done,
    errors: ['account_not_found'],
  }),
  createSubAccountKey: defineEndpoint({
    ...granting,
    method: 'post',
    path: '/api/accounts/sub/{id}/keys',
    summary: 'Create a key for a sub-account or the primary',
    description: `${RULE}Pass the id of a sub-account, or the primary's own id. Only a primary's key can have the master permission, and no key can have a permission that its maker lacks. An account can have 20 live keys. Creating one is refused while 200 keys of the account were revoked within the last 24 hours. Store \`apiKey.rawKey\`: it is shown only once.`,
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

export const ownAccountEndpoints = withIds({
  getMe: defineEndpoint({
    path: '/api/me',
    tag: 'Accounts',
    summary: 'Get the account and the key of this request',
    description: 'Which account the key belongs to, what the key may do, and what it has spent today.',
    auth: 'key',
    answer: Me.schema,
  }),
  renameAccount: defineEndpoint({
    ...fleet,
    method: 'patch',
    path: '/api/me',
    summary: "Change the account's display name",
    description:
      "Needs a primary account's key with the master permission, and changes the name of its own account; a sub-account's key is 403 `primary_account_required`. The name is shown from then on. A name can be changed once in 7 days, else 400 `limit_reached`. Reads of the past show the name of then. Former names are deleted with the account's other names. The answer is that of `GET /api/me`.",
    idempotent: true,
    body: RenameAccountInput,
    answer: Me.schema,
    errors: ['limit_reached'],
  }),
});

export const accountStreamEndpoints = withIds({
  streamAccount: defineEndpoint({
    path: '/api/stream/account',
    tag: 'Streams',
    summary: "Stream the account's orders, fills, settlements and cash",
    description:
      'Server-sent `message` events in journal order, each sent as soon as it is durable: a fill no later than to the readers of the book. `data` is one AccountEvent as JSON, and `id` is its journal sequence. Each sequence is sent once; where it has two messages, only the last has the `id`.\n\nA placed or changed order is an `order` message. Each of its fills is a `fill` message; the last fill carries the filled order. A cancelled order is an `order` message with a reason. A settled position is a `settled` message. Whatever changes the cash of an account (a fill, a settlement, a merge) has a `cash` message, before its other message.\n\nWith `fleet=true` the stream has the events of the primary and of all its sub-accounts, also of those that are opened later. That needs a key of a primary account with master and trade.\n\nWithout `Last-Event-ID` the stream starts now. With it, the stream first sends every later event of the account, then continues live; nothing is missing and nothing comes twice. The value must be a sequence that the journal has reached, else the answer is 400.\n\nA comment comes every 15 seconds. The stream ends when the key is revoked. A client that does not read is disconnected, and resumes with `Last-Event-ID`.\n\nAn account can have 20 streams, 5 of which may resume from more than 1,000 sequences behind; more are 429 with Retry-After. Resuming accounts take turns, and all streams of a fleet together are sent what they missed at 5,000 events a second at most, so comments can come before missed events. If too many streams are open in all, the answer is 503 with Retry-After.',
    auth: 'key',
    permission: 'view',
    cost: { base: 20 },
    streams: true,
    query: z.object({
      fleet: z.literal('true').optional().describe('With true also the events of the sub-accounts.'),
    }),
    answer: AccountEvent,
    errors: ['forbidden', 'primary_account_required'],
  }),
});

const ranking = { tag: 'Platform', auth: 'public', conditional: true } as const;

export const leaderboardEndpoints = withIds({
  getLeaderboard: defineEndpoint({
    ...ranking,
    path: '/api/leaderboard',
    summary: 'Rank accounts by portfolio value',
    description: `The ranking includes, from its first fill on, every primary account and the two sub-accounts that it opened first. It leaves out closed accounts, and accounts whose starting balance is not the usual one, as the house's. The whole ranking shows one sequence, at most 2 s old. ${NEXT_PAGE}`,
    cost: listCost(1, 25, 50),
    query: z.object({ limit: limitText(50), cursor: cursorText }),
    answer: z.array(LeaderboardEntry.schema),
  }),
  getTrader: defineEndpoint({
    ...ranking,
    path: '/api/traders/{id}',
    summary: "Get an account's public results",
    description:
      'What the public journal tells of an account, and nothing of who owns it. A moment of `equity` is just after a trade of the exchange, the last one at or before its time; of an account that has traded in more than eight markets there are fewer. Closed and forgotten accounts, and those whose starting balance is not the usual one, are 404.',
    cost: { base: 5 },
    params: z.object({ id: text(1).describe('The id of the account, as the leaderboard shows it.') }),
    query: z.object({
      from: utcText.optional().meta({
        examples: ['2026-11-25T00:00:00Z'],
        description: 'Where `equity` begins, with the value then; left out, or before the opening: at the opening.',
      }),
    }),
    answer: Trader.schema,
    errors: ['account_not_found'],
  }),
});
