import type { z } from 'zod';
import type { Endpoint, EndpointExample } from '../../src/endpoint.ts';
import type { EndpointId, endpoints } from '../../src/endpoints.ts';
import { DeadManSwitch } from '../../src/orders/dead-man-switch.ts';
import { iso } from '../../src/units.ts';
import { VERSION } from '../../src/version.ts';
import {
  exampleActivity,
  exampleCandles,
  exampleLeaderboard,
  exampleMarketEvents,
  exampleMarketSignal,
  exampleMoments,
  exampleRecentTrade,
  exampleTrade,
  exampleTrader,
  exampleTradesCsv,
  exampleHealth,
  exampleOrderBook,
  exampleAccountEvent,
  examplePulse,
  exampleOrderHistory,
  examplePortfolio,
  examplePositions,
  exampleRecentSignals,
  exampleOperatorStatus,
  exampleUsage,
  exampleRefusedItem,
  exampleSettlement,
  exampleHolders,
  exampleRebuildStatus,
  exampleTransfer,
  EXAMPLE_BACKTEST_ID,
  exampleAdvanced,
  exampleBacktest,
  exampleReport,
  exampleStartedBacktest,
  exampleTapes,
} from './answers.ts';
import {
  EXAMPLE_MARKET_ID,
  EXAMPLE_SECTOR,
  exampleMarketBody,
  exampleTrendBody,
  EXAMPLE_NOW,
  EXAMPLE_ACCOUNT_ID,
  EXAMPLE_CLIENT_ORDER_ID,
  EXAMPLE_ORDER_ID,
  exampleFillBody,
  exampleMeBody,
  exampleOrderBody,
  exampleOrderDetailBody,
  EXAMPLE_KEY_ID,
  exampleLimitedKey,
  exampleOrderPreviewBody,
  EXAMPLE_SUB_ACCOUNT_ID,
  exampleFleetKey,
  exampleIssuedKey,
  exampleReaderKey,
  exampleSubAccount,
  exampleAccount,
  exampleForgottenAccount,
  exampleListing,
  exampleListingBody,
  exampleSignal,
  exampleSignalInput,
  newMarketIn,
} from './data.ts';
import { exampleLedger, exampleLedgerCsv, exampleJournalLine } from './ledger.ts';

const exampleItem = {
  marketId: EXAMPLE_MARKET_ID,
  outcome: 'yes',
  side: 'buy',
  price: 0.41,
  quantity: 10,
} as const;

type Given<S extends z.ZodType | null> = S extends z.ZodType ? z.input<S> : never;

/** An example whose values have the types of the endpoint. */
type ExampleOf<E extends Endpoint> = EndpointExample & {
  readonly params?: Given<E['params']>;
  readonly query?: Given<E['query']>;
  readonly bodies?: Readonly<Record<string, Given<E['body']>>>;
  readonly answer: z.input<E['answer']>;
};

/**
 * An example of each endpoint: a request that works against the demo, and its answer. `write.ts` records them for the
 * OpenAPI document.
 */
export const examples: { readonly [Id in EndpointId]: ExampleOf<(typeof endpoints)[Id]> } = {
  listMarketSignals: { answer: [exampleMarketSignal] },
  getMarketEvents: { params: { id: EXAMPLE_MARKET_ID }, query: { limit: '500' }, answer: exampleMarketEvents },
  getMarketCandles: {
    params: { id: EXAMPLE_MARKET_ID },
    query: { period: '60', from: '2026-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z', limit: '500' },
    answer: exampleCandles,
  },
  listMoments: {
    params: { id: EXAMPLE_MARKET_ID },
    query: { from: '2026-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z', points: '100' },
    answer: exampleMoments,
  },
  getLeaderboard: { query: { limit: '50' }, answer: exampleLeaderboard },
  getTrader: { params: { id: EXAMPLE_ACCOUNT_ID }, answer: exampleTrader },
  listRecentTrades: {
    query: { marketId: EXAMPLE_MARKET_ID, from: '2026-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z', limit: '50' },
    answer: [exampleRecentTrade],
  },
  downloadTrades: {
    query: {
      marketId: EXAMPLE_MARKET_ID,
      from: '2026-01-01T00:00:00Z',
      to: '2099-01-01T00:00:00Z',
      format: 'json',
      limit: '500',
    },
    answer: [exampleTrade],
    line: exampleTrade,
    csv: exampleTradesCsv,
  },
  getActivity: { answer: exampleActivity },
  getHealth: { answer: exampleHealth },
  getOpenApi: { answer: { openapi: '3.1.0', info: { title: 'Paper Trading Service', version: VERSION }, paths: {} } },
  listMarkets: {
    query: {
      status: 'active',
      sector: EXAMPLE_SECTOR,
      companySlug: exampleMarketBody.companySlug,
      q: exampleMarketBody.ticker.toLowerCase(),
      sort: 'activity',
      fields: 'trend',
      limit: '50',
    },
    answer: [exampleTrendBody],
  },
  getMarket: { params: { id: EXAMPLE_MARKET_ID }, answer: exampleMarketBody },
  getOrderBook: { params: { marketId: EXAMPLE_MARKET_ID }, answer: exampleOrderBook },
  streamMarkets: { query: { marketId: EXAMPLE_MARKET_ID }, answer: examplePulse },
  streamOrderBook: {
    params: { marketId: EXAMPLE_MARKET_ID },
    answer: { seq: 1202, ts: iso(EXAMPLE_NOW), side: 'bid', price: 0.86, quantity: 12 },
  },
  streamAccount: { query: { fleet: 'true' }, answer: exampleAccountEvent },
  listOrders: {
    query: { marketId: EXAMPLE_MARKET_ID, status: 'open', accountId: EXAMPLE_ACCOUNT_ID, limit: '500' },
    answer: [exampleOrderBody],
  },
  placeOrder: {
    bodies: {
      'Buy 10 YES shares at 0.87 at most; what does not fill rests': {
        marketId: EXAMPLE_MARKET_ID,
        outcome: 'yes',
        side: 'buy',
        orderType: 'limit',
        timeInForce: 'GTC',
        price: 0.87,
        quantity: 10,
      },
      'Buy YES shares for 25 dollars now, at 0.05 above the best ask at most': {
        marketId: EXAMPLE_MARKET_ID,
        outcome: 'yes',
        side: 'buy',
        orderType: 'market',
        timeInForce: 'IOC',
        notional: 25,
        slippage: 0.05,
      },
      'Sell 4 YES shares at 0.9 at least': {
        marketId: EXAMPLE_MARKET_ID,
        outcome: 'yes',
        side: 'sell',
        orderType: 'limit',
        timeInForce: 'GTC',
        price: 0.9,
        quantity: 4,
      },
    },
    answer: exampleOrderBody,
  },
  cancelOrder: { params: { id: EXAMPLE_ORDER_ID }, answer: { ok: true } },
  listOpenOrders: {
    query: { marketId: EXAMPLE_MARKET_ID, limit: '1000' },
    answer: { orders: [exampleOrderDetailBody], seq: exampleOrderDetailBody.seq },
  },
  getOrder: { params: { id: EXAMPLE_ORDER_ID }, answer: exampleOrderDetailBody },
  getOrderByClientId: { params: { clientOrderId: EXAMPLE_CLIENT_ORDER_ID }, answer: exampleOrderDetailBody },
  getDeadManSwitch: { answer: DeadManSwitch.body({ cancelsAt: EXAMPLE_NOW + 60_000 }) },
  getMe: { answer: exampleMeBody },
  renameAccount: {
    bodies: { 'A name that nobody mistakes for the exchange’s': { displayName: 'Ada Lovelace' } },
    answer: { ...exampleMeBody, displayName: 'Ada Lovelace' },
  },
  getOrderHistory: { params: { id: EXAMPLE_ORDER_ID }, query: { limit: '500' }, answer: exampleOrderHistory },
  listFills: { query: { marketId: EXAMPLE_MARKET_ID, limit: '50' }, answer: [exampleFillBody] },
  getPortfolio: { answer: examplePortfolio },
  getPositions: { answer: examplePositions },
  listRecentSignals: { query: { limit: '50' }, answer: exampleRecentSignals },
  placeOrders: {
    bodies: {
      'Quote both sides of a market, without taking': {
        orders: [
          { ...exampleItem, postOnly: true, clientOrderId: 'bid-1' },
          { ...exampleItem, outcome: 'no', price: 0.42, postOnly: true, clientOrderId: 'ask-1' },
        ],
      },
    },
    answer: {
      results: [
        { ok: true, order: exampleOrderDetailBody },
        { ok: false, error: 'Insufficient balance', code: 'insufficient_balance' },
      ],
    },
  },
  previewOrder: { bodies: { 'Buy 10 YES shares at 0.41': exampleItem }, answer: exampleOrderPreviewBody },
  amendOrder: {
    params: { id: EXAMPLE_ORDER_ID },
    bodies: { 'Lower the total to 8 shares': { quantity: 8 }, 'Move the limit': { price: 0.88 } },
    answer: exampleOrderDetailBody,
  },
  cancelOrders: {
    query: { marketId: EXAMPLE_MARKET_ID, side: 'buy' },
    answer: { cancelled: 1, orderIds: [EXAMPLE_ORDER_ID] },
  },
  setDeadManSwitch: {
    bodies: { 'Cancel all in a minute': { seconds: 60 } },
    answer: { cancelsAt: iso(EXAMPLE_NOW + 60_000) },
  },
  mergeShares: {
    bodies: { 'All pairs of a market': { marketId: EXAMPLE_MARKET_ID } },
    answer: { marketId: EXAMPLE_MARKET_ID, merged: 5, cash: 10_005 },
  },
  setMandate: {
    params: { keyId: EXAMPLE_KEY_ID },
    bodies: { 'At most $25 an order and $500 a day': { maxOrderCost: 25, spendPerDay: 500 } },
    answer: { key: exampleLimitedKey },
  },
  listSubAccounts: { answer: { subAccounts: [exampleSubAccount] } },
  listKeys: { query: { limit: '100' }, answer: { keys: [exampleFleetKey] } },
  createSubAccount: {
    bodies: { 'A bot that reads and trades': { displayName: 'Momentum bot', permissions: ['view', 'trade'] } },
    answer: { subAccount: exampleSubAccount, apiKey: exampleIssuedKey },
  },
  closeSubAccount: { params: { id: EXAMPLE_SUB_ACCOUNT_ID }, answer: { ok: true } },
  createSubAccountKey: {
    params: { id: EXAMPLE_SUB_ACCOUNT_ID },
    bodies: { 'A key that only reads': { name: 'dashboard', permissions: ['view'] } },
    answer: { apiKey: exampleReaderKey },
  },
  revokeKey: { params: { keyId: EXAMPLE_KEY_ID }, answer: { ok: true } },
  listTapes: { answer: exampleTapes },
  startBacktest: {
    bodies: {
      'The tape that is always there': { tape: 'made-news' },
      'Two participants, with latency': {
        tape: 'made-news',
        participants: 2,
        latencyMs: 50,
        feedLatencyMs: 20,
        fee: 0.07,
      },
    },
    answer: exampleStartedBacktest,
  },
  listBacktests: { answer: { backtests: [exampleBacktest] } },
  getBacktest: { params: { id: EXAMPLE_BACKTEST_ID }, answer: exampleBacktest },
  deleteBacktest: { params: { id: EXAMPLE_BACKTEST_ID }, answer: { ok: true } },
  getBacktestReport: { params: { id: EXAMPLE_BACKTEST_ID }, query: { partial: 'true' }, answer: exampleReport },
  readBacktestJournal: {
    params: { id: EXAMPLE_BACKTEST_ID },
    query: { from: '1', limit: '10' },
    answer: exampleJournalLine,
  },
  getClock: { answer: { now: '2026-01-05T15:09:30.000Z', waitingFor: [EXAMPLE_ACCOUNT_ID], ended: false } },
  advanceClock: {
    bodies: {
      'Until something happens to my orders, or to a book': { wake: ['account', 'book'] },
      'Ten seconds on': { until: '2026-01-05T15:09:30.000Z', wake: [] },
    },
    answer: exampleAdvanced,
  },
  readJournal: { query: { from: '1', limit: '10' }, answer: exampleJournalLine },
  getOrderSequences: {
    params: { id: EXAMPLE_ORDER_ID },
    query: { limit: '1000' },
    answer: { seqs: exampleOrderHistory.history.map(({ seq }) => seq) },
  },
  listLedger: { query: { format: 'json', limit: '500' }, answer: exampleLedger, csv: exampleLedgerCsv },
  createMarket: {
    bodies: { 'A market that takes orders at once': exampleListingBody() },
    answer: newMarketIn('active'),
  },
  amendMarket: {
    params: { id: exampleListing.id },
    bodies: { 'A later closing time': { closesAt: '2029-03-31T23:59:00.000Z' } },
    answer: newMarketIn('active', { closesAt: Date.UTC(2029, 2, 31, 23, 59) }),
  },
  activateMarket: { params: { id: exampleListing.id }, answer: newMarketIn('active') },
  pauseMarket: { params: { id: exampleListing.id }, answer: newMarketIn('paused') },
  closeMarket: { params: { id: exampleListing.id }, answer: newMarketIn('closed') },
  resolveMarket: {
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
  voidMarket: {
    params: { id: exampleListing.id },
    bodies: { 'Each side pays half': { reason: 'The question had two meanings', price: 0.5 } },
    answer: exampleSettlement('void'),
  },
  recordSignal: {
    bodies: { 'News about a market': exampleSignalInput },
    answer: { id: exampleSignal.id, seq: exampleSignal.seq },
  },
  openAccount: {
    bodies: { 'A trader': { displayName: 'Ada', permissions: ['view', 'trade'] } },
    answer: { account: exampleAccount, apiKey: exampleIssuedKey },
  },
  issueAccountKey: {
    params: { id: EXAMPLE_ACCOUNT_ID },
    bodies: { 'A key that only reads': { name: 'dashboard', permissions: ['view'] } },
    answer: { apiKey: exampleReaderKey },
  },
  revokeAccountKey: { params: { keyId: EXAMPLE_KEY_ID }, answer: { ok: true } },
  approveAccount: { params: { id: EXAMPLE_ACCOUNT_ID }, answer: { account: exampleAccount } },
  closeAccount: {
    params: { id: EXAMPLE_ACCOUNT_ID },
    answer: { account: exampleAccount, revokedKeys: 2, cancelledOrders: 3 },
  },
  forgetAccount: { params: { id: EXAMPLE_ACCOUNT_ID }, answer: { account: exampleForgottenAccount } },
  listMarketsByPhase: { query: { phase: 'active', limit: '50' }, answer: [exampleMarketBody] },
  getUsage: { query: { day: '2026-11-24' }, answer: exampleUsage },
  getOperatorStatus: { answer: exampleOperatorStatus },
  runOperatorBatch: {
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
  listHolders: { params: { id: EXAMPLE_MARKET_ID }, query: { limit: '50' }, answer: exampleHolders },
  listAccounts: {
    query: { approved: 'true', limit: '50' },
    answer: [{ ...exampleAccount, approved: true, closed: false }],
  },
  listOneSidedTransfers: {
    query: { from: iso(EXAMPLE_NOW - 86_400_000), above: '1000', limit: '50' },
    answer: [exampleTransfer],
  },
  getRebuildStatus: { answer: exampleRebuildStatus },
};
