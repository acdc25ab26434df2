import { z } from 'zod';
import {
  ApprovedAccount,
  ClosedAccount,
  CreateApiKeyInput,
  CreatedApiKey,
  ForgottenAccount,
  OpenedAccount,
} from '../accounts/account.ts';
import { listCost } from '../cost.ts';
import { defineEndpoint, OPERATOR_SCOPES, withIds } from '../endpoint.ts';
import { Market, marketPhase } from '../markets/market.ts';
import { Done } from '../orders/order.ts';
import { OperatorStatus, Usage } from '../service/service.ts';
import { cursorText, dayText, limitText, NEXT_PAGE, text } from '../text.ts';
import { BatchAnswer, BatchInput, BATCH_BYTES } from './batch.ts';
import {
  AmendMarketInput,
  ListMarketInput,
  OpenAccountInput,
  RecordedSignal,
  RecordSignalInput,
  ResolveMarketInput,
  SettledMarket,
  VoidMarketInput,
} from './operator.ts';

const operator = { tag: 'Operator: markets', auth: 'operator', scopes: ['markets'] } as const;
const command = { ...operator, method: 'post', idempotent: true } as const;
const system = { ...operator, tag: 'Operator: system', scopes: [] } as const;
/** Settings of calls that open an account, or manage one that the same operator opened. */
const forAccounts = { tag: 'Operator: accounts', scopes: ['accounts', 'accounts-own'] } as const;
const market = z.object({ id: text(1).describe('The id of the market.') });
const account = z.object({ id: text(1).describe('The id of the account.') });

export const operatorEndpoints = withIds({
  createMarket: defineEndpoint({
    ...command,
    path: '/api/operator/markets',
    summary: 'List a market for trading',
    description:
      'The same id with the same body again returns the same answer and appends nothing, also when its closesAt has passed since. With another body it is 400 `idempotency_conflict`. A new market whose closesAt has passed is 400 `validation_failed`, unless its status is `closed`.',
    body: ListMarketInput,
    answer: Market.schema,
  }),
  amendMarket: defineEndpoint({
    ...command,
    method: 'patch',
    path: '/api/operator/markets/{id}',
    summary: 'Change the texts or closing time of a market',
    description:
      'Fields that are left out stay unchanged. A closesAt in the past is 400 `validation_failed`: to end trading now, close the market.',
    params: market,
    body: AmendMarketInput,
    answer: Market.schema,
    errors: ['market_already_resolved', 'market_not_found'],
  }),
  activateMarket: defineEndpoint({
    ...command,
    path: '/api/operator/markets/{id}/activate',
    summary: 'Let a market take orders',
    description:
      'Activates a scheduled, paused or closed market. Activating it again changes nothing. A market that is settling or settled is 400 `market_already_resolved`. If its closing time has passed, the market takes no orders until you set a later closesAt.',
    params: market,
    answer: Market.schema,
    errors: ['market_not_active', 'market_already_resolved', 'market_not_found'],
  }),
  pauseMarket: defineEndpoint({
    ...command,
    path: '/api/operator/markets/{id}/pause',
    summary: 'Pause an active market',
    description: 'Orders stay in the book and can be cancelled. Pausing again changes nothing.',
    params: market,
    answer: Market.schema,
    errors: ['market_not_active', 'market_already_resolved', 'market_not_found'],
  }),
  closeMarket: defineEndpoint({
    ...command,
    path: '/api/operator/markets/{id}/close',
    summary: 'Close a market to trading',
    description:
      'Cancels the resting orders of an active or paused market. The answer comes when all are cancelled. Closing again changes nothing.',
    params: market,
    answer: Market.schema,
    errors: ['market_not_active', 'market_already_resolved', 'market_not_found'],
  }),
  resolveMarket: defineEndpoint({
    ...command,
    path: '/api/operator/markets/{id}/resolve',
    summary: 'Resolve a market',
    description:
      'Cancels the resting orders, and pays $1 for each winning share. The answer comes when all accounts are paid. The same outcome again returns the same answer; the other outcome is 400 `market_already_resolved`.',
    params: market,
    body: ResolveMarketInput,
    answer: SettledMarket.schema,
    errors: ['market_already_resolved', 'market_not_found'],
  }),
  voidMarket: defineEndpoint({
    ...command,
    path: '/api/operator/markets/{id}/void',
    summary: 'Void a market',
    description:
      "Each YES share pays `price`, and each NO share pays 1 minus it. resolvedOutcome stays null. You give the price, because small quotes can move the market's own. The same price again returns the same answer; another price is 400 `market_already_resolved`.",
    params: market,
    body: VoidMarketInput,
    answer: SettledMarket.schema,
    errors: ['market_already_resolved', 'market_not_found'],
  }),
  recordSignal: defineEndpoint({
    ...command,
    scopes: ['signals'],
    path: '/api/operator/signals',
    summary: 'Record a cited signal',
    description:
      'The same source and externalId again return the same answer. A signal about a settled market is 400 `market_already_resolved`.',
    body: RecordSignalInput,
    answer: RecordedSignal,
    errors: ['market_already_resolved', 'market_not_found'],
  }),
  openAccount: defineEndpoint({
    ...command,
    ...forAccounts,
    path: '/api/operator/accounts',
    summary: 'Open a primary account with its first key',
    description: 'Store `apiKey.rawKey`: it is shown only once.',
    body: OpenAccountInput,
    answer: OpenedAccount,
  }),
  issueAccountKey: defineEndpoint({
    ...command,
    ...forAccounts,
    path: '/api/operator/accounts/{id}/keys',
    summary: 'Issue a key for a primary account',
    description:
      'Restores access if all keys of a primary account are lost. A token with the scope `accounts-own` is 403 for an account that another operator opened. An account can have 20 live keys; keys that were revoked before do not count here.',
    params: account,
    body: CreateApiKeyInput,
    answer: CreatedApiKey,
    errors: ['limit_reached', 'account_not_found'],
  }),
  revokeAccountKey: defineEndpoint({
    ...command,
    ...forAccounts,
    method: 'delete',
    path: '/api/operator/keys/{keyId}',
    summary: 'Revoke any key',
    description:
      'Use it for a stolen key, for example. Revoking again returns `{ok: true}` again. An unknown key is 404. A token with the scope `accounts-own` is 403 for a key of an account that another operator opened.',
    params: z.object({ keyId: text(1).describe('The id of the key, which is not the key itself.') }),
    answer: Done,
    errors: ['not_found'],
  }),
  approveAccount: defineEndpoint({
    ...command,
    ...forAccounts,
    scopes: ['accounts'],
    path: '/api/operator/accounts/{id}/approve',
    summary: 'Approve an account for trading',
    description:
      'Lifts `kyc_required`. The approval of a primary account also covers its sub-accounts, present and future. Approving again changes nothing.',
    params: account,
    answer: ApprovedAccount,
    errors: ['account_not_found'],
  }),
  closeAccount: defineEndpoint({
    ...command,
    ...forAccounts,
    path: '/api/operator/accounts/{id}/close',
    summary: 'Close a primary account with its sub-accounts',
    description:
      'Revokes all keys and cancels all orders of the account and of its sub-accounts. The answer comes when all are ended. From then on they can have no orders and no keys, and are not ranked. Their positions stay, and settle with their markets. Closing again returns the same answer. A sub-account is 400. A token with the scope `accounts-own` is 403 for an account that another operator opened.',
    params: account,
    answer: ClosedAccount,
    errors: ['account_not_found'],
  }),
  forgetAccount: defineEndpoint({
    ...command,
    ...forAccounts,
    path: '/api/operator/accounts/{id}/forget',
    summary: 'Forget the names of a closed account',
    description:
      'Deletes the display names of the account and of its sub-accounts, and the names of their keys from the read models. Before the account is closed this is 400 `validation_failed`. Forgetting again returns the same answer. If it is 503, repeat it: the deletion is also finished by the next start of the service. A token with the scope `accounts-own` is 403 for an account that another operator opened.',
    params: account,
    answer: ForgottenAccount,
    errors: ['account_not_found'],
  }),
  listMarketsByPhase: defineEndpoint({
    ...operator,
    cost: listCost(1, 50, 50),
    path: '/api/operator/markets',
    summary: 'List markets of any phase, newest first',
    description: NEXT_PAGE,
    query: z.object({
      phase: marketPhase.optional().describe('The phase of the markets to list; left out: all.'),
      limit: limitText(50),
      cursor: cursorText,
    }),
    answer: z.array(Market.schema),
  }),
  getOperatorStatus: defineEndpoint({
    ...system,
    path: '/api/operator/status',
    summary: 'Get the state of journal and projections',
    description: 'Answers without waiting for a projection, so that it can show how far each one lags.',
    answer: OperatorStatus,
  }),
  getUsage: defineEndpoint({
    ...system,
    path: '/api/operator/usage',
    summary: 'Get the fleets that sent most commands on a day',
    description:
      'The 100 fleets whose keys sent most commands on a UTC day, by the times of their events, with the events and bytes that these appended to the journal. 30 days are known. Today counts towards the limit of a day (DAY_COMMANDS).',
    query: z.object({ day: dayText.optional().describe('The UTC day; left out: today.') }),
    answer: Usage,
  }),
  runOperatorBatch: defineEndpoint({
    ...command,
    tag: 'Operator: system',
    // Each command of the batch needs its own scope.
    scopes: OPERATOR_SCOPES,
    path: '/api/operator/batch',
    summary: 'Send up to 500 operator commands',
    description:
      'Results come in the order of the commands. A command that fails, or that is malformed, does not stop the others. Only a body that is not `{commands: [1 to 500 objects]}` is refused as a whole, before any command is carried out. A command outside the scopes of the token is `forbidden`.\n\nWith an Idempotency-Key each command is stored by the key and its index, so the batch can be sent again. A command that succeeded returns its first answer, without the raw key. A command that failed is decided again. A command at a new index is new, and another command at a used index is `idempotency_conflict` for that item. A key that a request outside a batch used is that conflict for the whole batch, and vice versa. `Idempotent-Replayed: true` means that earlier results are returned and nothing was done now.',
    maxBodyBytes: BATCH_BYTES,
    body: BatchInput,
    answer: BatchAnswer,
  }),
});
