import { z } from 'zod';
import { ApprovedAccount, CreateApiKeyInput, CreatedApiKey, OpenedAccount } from '../account.ts';
import { BatchAnswer, BatchInput, BATCH_BYTES } from '../batch.ts';
import { listCost } from '../cost.ts';
import { defineEndpoint } from '../endpoint.ts';
import { Market, marketPhase } from '../market.ts';
import {
  AmendMarketInput,
  ListMarketInput,
  OpenAccountInput,
  RecordedSignal,
  RecordSignalInput,
  ResolveMarketInput,
  SettledMarket,
  VoidMarketInput,
} from '../operator.ts';
import { Done } from '../order.ts';
import { OperatorStatus } from '../service.ts';
import { cursorText, limitText, text } from '../text.ts';
import { exampleOperatorStatus, exampleRefusedItem, exampleSettlement } from '../example-answers.ts';
import {
  EXAMPLE_ACCOUNT_ID,
  EXAMPLE_KEY_ID,
  exampleAccount,
  exampleIssuedKey,
  exampleListing,
  exampleListingBody,
  exampleMarketBody,
  exampleReaderKey,
  exampleSignal,
  exampleSignalInput,
  newMarketIn,
} from '../example-data.ts';

const operator = { tag: 'Operator: markets', auth: 'operator' } as const;
const command = { ...operator, method: 'post', kind: 'command' } as const;
const params = z.object({ id: text(1) });

/** What those who run the exchange can do. */
export const operatorEndpoints = {
  createMarket: defineEndpoint({
    ...command,
    id: 'createMarket',
    path: '/api/operator/markets',
    summary: 'List a market',
    description:
      'The same id with the same body again gives the same answer and appends nothing; with another body it is 400 `idempotency_conflict`.',
    body: ListMarketInput,
    answer: Market,
    errors: ['validation_failed', 'idempotency_conflict', 'forbidden'],
    example: { bodies: { 'A market that takes orders at once': exampleListingBody() }, answer: newMarketIn('active') },
  }),
  amendMarket: defineEndpoint({
    ...operator,
    id: 'amendMarket',
    method: 'patch',
    kind: 'command',
    path: '/api/operator/markets/{id}',
    summary: "Amend a market's texts, closing time, drivers or impact",
    description:
      'What is left out stays as it is. Changing closesAt to a time that has passed is 400 `validation_failed`: to end trading now, close the market.',
    params,
    body: AmendMarketInput,
    answer: Market,
    errors: ['validation_failed', 'market_already_resolved', 'forbidden', 'market_not_found'],
    example: {
      params: { id: exampleListing.id },
      bodies: { 'A later closing time': { closesAt: '2029-03-31T23:59:00.000Z' } },
      answer: newMarketIn('active', { closesAt: Date.UTC(2029, 2, 31, 23, 59) }),
    },
  }),
  activateMarket: defineEndpoint({
    ...command,
    id: 'activateMarket',
    path: '/api/operator/markets/{id}/activate',
    summary: 'Let a scheduled, paused or closed market take orders',
    description:
      'Again changes nothing. Once settling: 400 `market_already_resolved`. A market whose closing time has passed takes no orders until it is given a later closesAt.',
    params,
    answer: Market,
    errors: ['validation_failed', 'market_not_active', 'market_already_resolved', 'forbidden', 'market_not_found'],
    example: { params: { id: exampleListing.id }, answer: newMarketIn('active') },
  }),
  pauseMarket: defineEndpoint({
    ...command,
    id: 'pauseMarket',
    path: '/api/operator/markets/{id}/pause',
    summary: 'Pause an active market',
    description: 'Orders stay in the book and can be cancelled. Again changes nothing.',
    params,
    answer: Market,
    errors: ['validation_failed', 'market_not_active', 'market_already_resolved', 'forbidden', 'market_not_found'],
    example: { params: { id: exampleListing.id }, answer: newMarketIn('paused') },
  }),
  closeMarket: defineEndpoint({
    ...command,
    id: 'closeMarket',
    path: '/api/operator/markets/{id}/close',
    summary: 'Close an active or paused market',
    description: 'Cancels its resting orders; the answer waits until all are. Again changes nothing.',
    params,
    answer: Market,
    errors: ['validation_failed', 'market_not_active', 'market_already_resolved', 'forbidden', 'market_not_found'],
    example: { params: { id: exampleListing.id }, answer: newMarketIn('closed') },
  }),
  resolveMarket: defineEndpoint({
    ...command,
    id: 'resolveMarket',
    path: '/api/operator/markets/{id}/resolve',
    summary: 'Resolve a market',
    description:
      'Cancels its resting orders and pays $1 for each winning share; the answer waits for the end of it. Again with the same outcome gives the same answer; with the other 400 `market_already_resolved`.',
    params,
    body: ResolveMarketInput,
    answer: SettledMarket,
    errors: ['validation_failed', 'market_already_resolved', 'forbidden', 'market_not_found'],
    example: {
      params: { id: exampleListing.id },
      bodies: {
        'YES wins': {
          outcome: 'yes',
          headline: 'Acme launches its first rocket',
          source: 'Acme newsroom',
          citationUrl: 'https://acme.example/news/launch',
        },
      },
      answer: exampleSettlement('resolved'),
    },
  }),
  voidMarket: defineEndpoint({
    ...command,
    id: 'voidMarket',
    path: '/api/operator/markets/{id}/void',
    summary: 'Void a market',
    description:
      "YES pays the price, NO the rest; resolvedOutcome stays null. The price is the operator's to give, since a market's own can be moved by small quotes. Again at another price is 400 `market_already_resolved`.",
    params,
    body: VoidMarketInput,
    answer: SettledMarket,
    errors: ['validation_failed', 'market_already_resolved', 'forbidden', 'market_not_found'],
    example: {
      params: { id: exampleListing.id },
      bodies: { 'Each side pays half': { reason: 'The question had two meanings', price: 0.5 } },
      answer: exampleSettlement('void'),
    },
  }),
  recordSignal: defineEndpoint({
    ...command,
    id: 'recordSignal',
    path: '/api/operator/signals',
    summary: 'Record a cited signal',
    description:
      'The same (source, externalId) again gives the same answer. Not of a market that is settled: 400 `market_already_resolved`.',
    body: RecordSignalInput,
    answer: RecordedSignal,
    errors: ['validation_failed', 'market_already_resolved', 'idempotency_conflict', 'forbidden', 'market_not_found'],
    example: {
      bodies: { 'News about a market': exampleSignalInput },
      answer: { id: exampleSignal.id, seq: exampleSignal.seq },
    },
  }),
  openAccount: defineEndpoint({
    ...command,
    tag: 'Operator: accounts',
    id: 'openAccount',
    path: '/api/operator/accounts',
    summary: 'Open a primary account with its first key',
    description: 'apiKey.rawKey is shown here only.',
    idempotent: true,
    body: OpenAccountInput,
    answer: OpenedAccount,
    errors: ['validation_failed', 'idempotency_conflict', 'forbidden'],
    example: {
      bodies: { 'A trader': { displayName: 'Ada', permissions: ['view', 'trade'] } },
      answer: { account: exampleAccount, apiKey: exampleIssuedKey },
    },
  }),
  issueAccountKey: defineEndpoint({
    ...command,
    tag: 'Operator: accounts',
    id: 'issueAccountKey',
    path: '/api/operator/accounts/{id}/keys',
    summary: 'Issue a key for a primary account',
    description:
      'The way back in for a primary whose key was lost. At most 20 live keys an account; what was revoked before does not count here.',
    idempotent: true,
    params,
    body: CreateApiKeyInput,
    answer: CreatedApiKey,
    errors: ['validation_failed', 'idempotency_conflict', 'limit_reached', 'forbidden', 'account_not_found'],
    example: {
      params: { id: EXAMPLE_ACCOUNT_ID },
      bodies: { 'A key that only reads': { name: 'dashboard', permissions: ['view'] } },
      answer: { apiKey: exampleReaderKey },
    },
  }),
  revokeAccountKey: defineEndpoint({
    ...operator,
    tag: 'Operator: accounts',
    id: 'revokeAccountKey',
    method: 'delete',
    kind: 'command',
    path: '/api/operator/keys/{keyId}',
    summary: 'Revoke any key',
    description: 'For instance one that was stolen. Again gives `{ok: true}` again; an unknown key is 404.',
    idempotent: true,
    params: z.object({ keyId: text(1) }),
    answer: Done,
    errors: ['validation_failed', 'idempotency_conflict', 'forbidden', 'not_found'],
    example: { params: { keyId: EXAMPLE_KEY_ID }, answer: { ok: true } },
  }),
  approveAccount: defineEndpoint({
    ...command,
    tag: 'Operator: accounts',
    id: 'approveAccount',
    path: '/api/operator/accounts/{id}/approve',
    summary: 'Approve an account',
    description:
      "Lifts `kyc_required`. A primary's approval holds for its sub-accounts, also for those that are opened later. Again changes nothing.",
    params,
    answer: ApprovedAccount,
    errors: ['validation_failed', 'forbidden', 'account_not_found'],
    example: { params: { id: EXAMPLE_ACCOUNT_ID }, answer: { account: exampleAccount } },
  }),
  listMarketsByPhase: defineEndpoint({
    ...operator,
    id: 'listMarketsByPhase',
    method: 'get',
    kind: 'read',
    cost: listCost(1, 50, 50),
    path: '/api/operator/markets',
    summary: 'Markets of every phase, newest listing first',
    description: 'Further pages by the `Link: rel="next"` header.',
    query: z.object({ phase: marketPhase.optional(), limit: limitText(50), cursor: cursorText }),
    answer: z.array(Market),
    errors: ['validation_failed', 'forbidden'],
    example: { query: { phase: 'active', limit: '50' }, answer: [exampleMarketBody] },
  }),
  getOperatorStatus: defineEndpoint({
    ...operator,
    tag: 'Operator: system',
    id: 'getOperatorStatus',
    method: 'get',
    kind: 'read',
    path: '/api/operator/status',
    summary: 'How far the journal and the projections are',
    description: 'Does not wait for a projection: it is here to show how far behind one is.',
    answer: OperatorStatus,
    errors: ['forbidden'],
    example: { answer: exampleOperatorStatus },
  }),
  runOperatorBatch: defineEndpoint({
    ...command,
    tag: 'Operator: system',
    id: 'runOperatorBatch',
    path: '/api/operator/batch',
    summary: 'Up to 500 operator commands in one request',
    description:
      'Results come in the order of the commands; one that is refused, or that is no command at all, does not stop the others. Only what is not `{commands: [1 to 500 objects]}` is refused as a whole, before anything is done. With an Idempotency-Key each command is remembered by the key and its place, so that the batch can be sent again: what was done gives its first answer (without a raw key), what was refused is decided anew, further commands are new, and another command in a place that was used is `idempotency_conflict` by itself. A key that a call outside of a batch used is that conflict for the whole, and the other way round. `Idempotent-Replayed: true` says that something was done before and nothing was done now.',
    idempotent: true,
    maxBodyBytes: BATCH_BYTES,
    body: BatchInput,
    answer: BatchAnswer,
    errors: ['validation_failed', 'idempotency_conflict', 'forbidden'],
    example: {
      bodies: {
        'List a market, then record news': {
          commands: [
            { op: 'list-market', ...exampleListingBody() },
            { op: 'record-signal', ...exampleSignalInput },
            { op: 'pause-market', id: 'no-such-market' },
          ],
        },
      },
      answer: {
        results: [
          { ok: true, changed: true, result: newMarketIn('active') },
          { ok: true, changed: true, result: { id: exampleSignal.id, seq: exampleSignal.seq } },
          exampleRefusedItem,
        ],
      },
    },
  }),
};
