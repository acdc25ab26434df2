import { EXAMPLES } from '@paper/contracts';
import type { EndpointId } from '@paper/contracts';
import type { BadRequestTarget } from '@paper/testkit/http';

export type BodySample = Pick<BadRequestTarget, 'sample' | 'required' | 'refused' | 'items' | 'nullable'>;

/** The fields of all recorded examples of an endpoint's body, the first value of each. */
function example(id: EndpointId): BodySample['sample'] {
  const bodies = Object.values(EXAMPLES[id].bodies ?? {}).reverse();
  return Object.assign({}, ...bodies) as BodySample['sample'];
}

const order = example('placeOrder');
const pause = { op: 'pause-market', id: 'market-1' };

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
 * A valid body of every endpoint that takes one, by operation id, with values that its schema refuses: the recorded
 * example, and the fields that it leaves out.
 */
export const BODY_SAMPLES: Readonly<Record<string, BodySample>> = {
  startBacktest: {
    sample: {
      ...example('startBacktest'),
      from: '2026-01-05T15:00:00Z',
      startingBalance: 500,
      seed: 7,
      patienceSeconds: 5,
    },
    required: ['tape'],
    refused: [
      { field: 'tape', value: '' },
      { field: 'from', value: 'now' },
      ...[0, 21, 1.5].map((value) => ({ field: 'participants', value })),
      ...[0, 10_000_001].map((value) => ({ field: 'startingBalance', value })),
      ...[-1, 60_001].map((value) => ({ field: 'latencyMs', value })),
      ...[-0.1, 1.1].map((value) => ({ field: 'fee', value })),
      ...[-1, 2 ** 53].map((value) => ({ field: 'seed', value })),
      ...[0, 3_601].map((value) => ({ field: 'patienceSeconds', value })),
    ],
  },
  advanceClock: {
    sample: { until: '2026-01-05T15:09:30Z', wake: ['account', 'book'] },
    required: [],
    refused: [
      { field: 'until', value: 'later' },
      { field: 'wake', value: ['news'] },
      { field: 'wake', value: 'book' },
    ],
  },
  placeOrder: { sample: order, required: ['marketId', 'outcome'], refused: refusedOfOrder },
  placeOrders: {
    sample: example('placeOrders'),
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
    sample: example('amendOrder'),
    required: [],
    refused: [
      ...[0, 0.009, 0.995, null].map((value) => ({ field: 'price', value })),
      ...[0, 0.5, 501, null].map((value) => ({ field: 'quantity', value })),
    ],
  },
  setDeadManSwitch: {
    sample: example('setDeadManSwitch'),
    required: ['seconds'],
    refused: [-1, 1, 4, 4.5, 5.5, 3_601, 1e21, '60', null].map((value) => ({ field: 'seconds', value })),
  },
  mergeShares: {
    sample: { ...example('mergeShares'), quantity: 3 },
    required: ['marketId'],
    refused: [
      { field: 'marketId', value: '' },
      ...[0, -1, 0.5, 2 ** 53, null].map((value) => ({ field: 'quantity', value })),
    ],
  },
  setMandate: {
    sample: {
      ...example('setMandate'),
      maxReserved: 100,
      maxShares: 10,
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
    sample: example('createSubAccount'),
    required: ['displayName'],
    refused: [
      { field: 'displayName', value: 'x' },
      { field: 'displayName', value: 'x'.repeat(25) },
      { field: 'displayName', value: 'zero\u200bwidth' },
      { field: 'displayName', value: 'trailing ' },
      { field: 'permissions', value: ['view', 'admin'] },
    ],
  },
  renameAccount: {
    sample: example('renameAccount'),
    required: ['displayName'],
    refused: [
      { field: 'displayName', value: 'x' },
      { field: 'displayName', value: 'x'.repeat(25) },
      { field: 'displayName', value: ' leading' },
    ],
  },
  createSubAccountKey: {
    sample: example('createSubAccountKey'),
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
    sample: { ...example('createMarket'), status: 'active' },
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
    sample: { ...example('amendMarket'), title: 'Will it pour?', companyImpact: 0.1, drivers: ['clouds'] },
    required: [],
    refused: [
      { field: 'title', value: '' },
      { field: 'closesAt', value: 'never' },
    ],
  },
  resolveMarket: {
    sample: example('resolveMarket'),
    required: ['outcome'],
    refused: [{ field: 'outcome', value: 'maybe' }],
  },
  voidMarket: {
    sample: example('voidMarket'),
    required: ['reason', 'price'],
    refused: [
      { field: 'price', value: 1.01 },
      { field: 'price', value: -0.01 },
    ],
  },
  recordSignal: {
    sample: { ...example('recordSignal'), factValue: 12.5 },
    required: ['externalId', 'source', 'headline', 'citationUrl', 'publishedAt'],
    refused: [
      { field: 'fairProb', value: 2 },
      { field: 'citationUrl', value: 'javascript:alert(1)' },
      { field: 'publishedAt', value: '' },
    ],
  },
  openAccount: {
    sample: { ...example('openAccount'), startingBalance: 500 },
    required: ['displayName'],
    refused: [
      { field: 'displayName', value: '\u202etxt.exe' },
      { field: 'startingBalance', value: 0 },
      { field: 'startingBalance', value: 10_000_001 },
      { field: 'permissions', value: ['all'] },
    ],
  },
  issueAccountKey: {
    sample: example('issueAccountKey'),
    required: ['name', 'permissions'],
    refused: [
      { field: 'name', value: 'two  spaces' },
      { field: 'permissions', value: [] },
    ],
  },
  runOperatorBatch: {
    sample: example('runOperatorBatch'),
    required: ['commands'],
    refused: [
      { field: 'commands', value: [] },
      { field: 'commands', value: ['pause-market'] },
      { field: 'commands', value: [pause, null] },
      { field: 'commands', value: [[pause]] },
      { field: 'commands', value: Array.from({ length: 501 }, () => pause) },
    ],
  },
};
