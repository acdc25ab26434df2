import type { BadRequestTarget } from '@paper/testkit/http';

export type BodySample = Pick<BadRequestTarget, 'sample' | 'required' | 'refused' | 'items' | 'nullable'>;

const order = {
  marketId: 'market-1',
  outcome: 'yes',
  side: 'buy',
  orderType: 'limit',
  timeInForce: 'GTC',
  price: 0.55,
  quantity: 10,
} as const;

const refusedOfOrder = [
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
] as const;

/**
 * A valid body of every endpoint that takes one, by operation id, with values that its schema refuses. Ids are made up:
 * for a running service, replace those that must exist.
 */
export const BODY_SAMPLES: Readonly<Record<string, BodySample>> = {
  placeOrder: { sample: order, required: ['marketId', 'outcome'], refused: refusedOfOrder },
  placeOrders: {
    sample: { orders: [order] },
    required: ['orders'],
    refused: [
      { field: 'orders', value: [] },
      { field: 'orders', value: null },
      { field: 'orders', value: { 0: order } },
      { field: 'orders', value: Array.from({ length: 51 }, () => order) },
    ],
    items: 'orders',
  },
  previewOrder: {
    sample: { ...order, clientOrderId: 'bid-1', postOnly: true, expiresAt: '2030-01-01T00:00:00Z', accountId: 'sub-1' },
    required: ['marketId', 'outcome'],
    refused: [
      ...refusedOfOrder,
      ...['', '-a', 'a b', 'x'.repeat(65), 'é', null].map((value) => ({ field: 'clientOrderId', value })),
      ...['true', 1, null].map((value) => ({ field: 'postOnly', value })),
      ...['tomorrow', '2030-01-01', '2030-01-01T00:00:00+00:00', '2030-02-29T00:00:00Z', 1_900_000_000, null].map(
        (value) => ({ field: 'expiresAt', value }),
      ),
      ...['', null].map((value) => ({ field: 'accountId', value })),
    ],
  },
  amendOrder: {
    sample: { price: 0.55, quantity: 10 },
    required: [],
    refused: [
      ...[0, 0.009, 0.995, null].map((value) => ({ field: 'price', value })),
      ...[0, 0.5, 501, null].map((value) => ({ field: 'quantity', value })),
    ],
  },
  setDeadManSwitch: {
    sample: { seconds: 60 },
    required: ['seconds'],
    refused: [-1, 1, 4, 4.5, 5.5, 3_601, 1e21, '60', null].map((value) => ({ field: 'seconds', value })),
  },
  mergeShares: {
    sample: { marketId: 'market-1', quantity: 3 },
    required: ['marketId'],
    refused: [
      { field: 'marketId', value: '' },
      ...[0, -1, 0.5, 2 ** 53, null].map((value) => ({ field: 'quantity', value })),
    ],
  },
  setMandate: {
    sample: {
      maxOrderCost: 25.5,
      maxReserved: 100,
      maxShares: 10,
      spendPerDay: 500,
      marketIds: ['market-1'],
      reduceOnly: true,
    },
    required: [],
    refused: [
      ...['maxOrderCost', 'maxReserved', 'spendPerDay'].flatMap((field) =>
        [-0.01, 1_000_000_001, '1', null].map((value) => ({ field, value })),
      ),
      ...[-1, 0.5, 1_000_000_001, null].map((value) => ({ field: 'maxShares', value })),
      ...['market-1', [''], [1], Array.from({ length: 101 }, () => 'market-1'), null].map((value) => ({
        field: 'marketIds',
        value,
      })),
      ...['yes', 0, null].map((value) => ({ field: 'reduceOnly', value })),
    ],
    nullable: true,
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
