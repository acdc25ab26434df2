import type { BadRequestTarget } from './bad-requests.ts';

export type BodySample = Pick<BadRequestTarget, 'sample' | 'required' | 'refused'>;

/**
 * A valid body of every endpoint that takes one, by operation id, with values that its schema refuses. Ids are made up:
 * for a running service, replace those that must exist.
 */
export const BODY_SAMPLES: Readonly<Record<string, BodySample>> = {
  placeOrder: {
    sample: {
      marketId: 'market-1',
      outcome: 'yes',
      side: 'buy',
      orderType: 'limit',
      timeInForce: 'GTC',
      price: 0.55,
      quantity: 10,
    },
    required: ['marketId', 'outcome'],
    refused: [
      { field: 'marketId', value: '' },
      { field: 'outcome', value: 'YES' },
      { field: 'side', value: 'hold' },
      { field: 'orderType', value: 'stop' },
      { field: 'timeInForce', value: 'GTD' },
      ...[0, 0.009, 0.995, 1, 1e308, -0.5].map((value) => ({ field: 'price', value })),
      ...[0, -1, 0.5, 501, 1e21, 5e-324].map((value) => ({ field: 'quantity', value })),
      ...[0, 0.99, 5_000.01, 1e308].map((value) => ({ field: 'notional', value })),
      ...[0, 1].map((value) => ({ field: 'maxPrice', value })),
      ...[-0.01, 0.26].map((value) => ({ field: 'slippage', value })),
    ],
  },
  createSubAccount: {
    sample: { displayName: 'Momentum', permissions: ['view', 'trade'] },
    required: ['displayName'],
    refused: [
      { field: 'displayName', value: 'x' },
      { field: 'displayName', value: 'x'.repeat(25) },
      { field: 'displayName', value: 'zero\u200bwidth' },
      { field: 'displayName', value: 'trailing ' },
      { field: 'permissions', value: ['view', 'admin'] },
    ],
  },
  createSubAccountKey: {
    sample: { name: 'second', permissions: ['view'] },
    required: ['name', 'permissions'],
    refused: [
      { field: 'name', value: '' },
      { field: 'name', value: 'x'.repeat(41) },
      { field: 'name', value: 'no NFC: e\u0301' },
      { field: 'permissions', value: [] },
      { field: 'permissions', value: ['VIEW'] },
    ],
  },
  createMarket: {
    sample: {
      id: 'market-2',
      title: 'Will it rain?',
      ticker: 'RAIN',
      companySlug: 'weather',
      sector: 'climate',
      category: 'weather',
      settlementSource: 'the window',
      prior: 0.4,
      closesAt: '2030-01-01T00:00:00.000Z',
      tickSize: 0.01,
      companyImpact: 0.5,
      drivers: ['clouds'],
      description: 'Outside.',
      citationUrl: 'https://example.com/rain',
      status: 'active',
    },
    required: ['title', 'ticker', 'companySlug', 'sector', 'category', 'settlementSource', 'prior', 'closesAt'],
    refused: [
      { field: 'id', value: 'signals' },
      { field: 'id', value: '../etc' },
      { field: 'title', value: 'x'.repeat(301) },
      { field: 'prior', value: 0 },
      { field: 'prior', value: 1 },
      { field: 'closesAt', value: 'tomorrow' },
      { field: 'tickSize', value: 0.02 },
      { field: 'companyImpact', value: 1.1 },
      { field: 'status', value: 'resolved' },
    ],
  },
  amendMarket: {
    sample: { title: 'Will it pour?', companyImpact: 0.1, drivers: ['clouds'] },
    required: [],
    refused: [
      { field: 'title', value: '' },
      { field: 'closesAt', value: 'never' },
    ],
  },
  resolveMarket: {
    sample: { outcome: 'yes', headline: 'It rained' },
    required: ['outcome'],
    refused: [{ field: 'outcome', value: 'maybe' }],
  },
  voidMarket: {
    sample: { reason: 'The window broke', price: 0.5 },
    required: ['reason', 'price'],
    refused: [
      { field: 'price', value: 1.01 },
      { field: 'price', value: -0.01 },
    ],
  },
  recordSignal: {
    sample: {
      externalId: 'e-1',
      source: 'window',
      headline: 'Clouds',
      citationUrl: 'https://example.com/clouds',
      publishedAt: '2026-01-01T00:00:00.000Z',
      fairProb: 0.6,
      factValue: 12.5,
    },
    required: ['externalId', 'source', 'headline', 'citationUrl', 'publishedAt'],
    refused: [
      { field: 'fairProb', value: 2 },
      { field: 'citationUrl', value: 'javascript:alert(1)' },
      { field: 'publishedAt', value: '' },
    ],
  },
  openAccount: {
    sample: { displayName: 'Newcomer', startingBalance: 500 },
    required: ['displayName'],
    refused: [
      { field: 'displayName', value: '\u202etxt.exe' },
      { field: 'startingBalance', value: 0 },
      { field: 'startingBalance', value: 10_000_001 },
      { field: 'permissions', value: ['all'] },
    ],
  },
  issueAccountKey: {
    sample: { name: 'third', permissions: ['view', 'trade'] },
    required: ['name', 'permissions'],
    refused: [
      { field: 'name', value: 'two  spaces' },
      { field: 'permissions', value: [] },
    ],
  },
  runOperatorBatch: {
    sample: { commands: [{ op: 'pause-market', id: 'market-1' }] },
    required: ['commands'],
    refused: [
      { field: 'commands', value: [] },
      { field: 'commands', value: ['pause-market'] },
      { field: 'commands', value: [{ op: 'pause-market', id: 'market-1' }, null] },
      { field: 'commands', value: [[{ op: 'pause-market', id: 'market-1' }]] },
      { field: 'commands', value: Array.from({ length: 501 }, () => ({ op: 'pause-market', id: 'market-1' })) },
    ],
  },
};
