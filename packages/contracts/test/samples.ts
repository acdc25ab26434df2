import {
  accountBody,
  accountEventBody,
  activityBody,
  fillBody,
  fleetKeyBody,
  issuedKeyBody,
  leaderboardEntryBody,
  ledgerEntryBody,
  marketBody,
  marketEventsBody,
  marketSignalBody,
  orderBody,
  orderBookBody,
  orderHistoryBody,
  OWN_SOURCE,
  portfolioBody,
  positionsBody,
  pulseBody,
  recentTradeBody,
  recentSignalsBody,
  resolutionHeadline,
  settledMarketBody,
  subAccountBody,
  tradeHeadline,
  VERSION,
} from '../src/index.ts';
import type {
  EndpointId,
  ActivityItemView,
  FillView,
  KeyView,
  LedgerEntryView,
  MarketSignalView,
  MarketView,
  OrderHistoryEntryView,
  OrderView,
  SignalView,
  TimelineEntryView,
} from '../src/index.ts';

/** Valid samples of every body, parameter, query and answer, the answers made by the mappers that services use. */

export const marketView: MarketView = {
  id: 'acme-2027',
  title: 'Will Acme ship by 2027?',
  ticker: 'ACME',
  companySlug: 'acme',
  sector: 'technology',
  category: 'product',
  settlementSource: 'Acme newsroom',
  phase: 'active',
  resolvedOutcome: null,
  probabilityHalfUnits: 11_001,
  volume: 40,
  openInterest: 25,
  bestBidUnits: 5400,
  bestAskUnits: 5601,
  lastTradeUnits: 5500,
  tickUnits: 1,
  closesAt: Date.UTC(2027, 11, 31),
  createdAt: Date.UTC(2026, 10, 21, 7, 30, 0, 5),
  resolvedAt: null,
  description: 'Acme says so. 🚀',
  citationUrl: 'https://acme.example/investors',
  seq: 77,
};

const orderHistory: readonly OrderHistoryEntryView[] = [
  {
    seq: 8,
    id: 'event-8',
    type: 'OrderPlaced',
    reason: 'placed',
    quantity: 10,
    priceUnits: 5500,
    cashUnits: 0,
    filledQty: 0,
    status: 'open',
    reservedUnits: 55_000,
    at: Date.UTC(2026, 10, 21),
  },
  {
    seq: 9,
    id: 'event-9',
    type: 'OrderCancelled',
    reason: 'user',
    quantity: 6,
    priceUnits: 5500,
    cashUnits: -22_000,
    filledQty: 4,
    status: 'cancelled',
    reservedUnits: 0,
    at: Date.UTC(2026, 10, 21),
  },
];

const ledger: readonly LedgerEntryView[] = [
  {
    seq: 2,
    eventId: 'event-2',
    type: 'SubAccountOpened',
    at: Date.UTC(2026, 10, 21),
    accountId: 'acc-1',
    cashUnits: 100_000_000,
    marketId: null,
    outcome: null,
    shares: 0,
    priceUnits: null,
    orderId: null,
  },
  {
    seq: 9,
    eventId: 'event-9',
    type: 'OrderFilled',
    at: Date.UTC(2026, 10, 21),
    accountId: 'acc-1',
    cashUnits: -5501,
    marketId: 'acme-2027',
    outcome: 'yes',
    shares: -1,
    priceUnits: 5501,
    orderId: 'order-1',
  },
];

export const fillView: FillView = {
  id: '0198a000-0000-7000-8000-000000000001',
  seq: 9,
  accountId: '0198a000-0000-7000-8000-0000000000aa',
  orderId: '0198a000-0000-7000-8000-000000000000',
  marketId: 'acme-2027',
  side: 'buy',
  outcome: 'no',
  role: 'maker',
  priceUnits: 4500,
  quantity: 3,
  kind: 'mint',
  createdAt: Date.UTC(2026, 10, 21),
  market: marketView,
};

export const orderView: OrderView = {
  orderId: '0198a000-0000-7000-8000-000000000001',
  marketId: 'acme-2027',
  accountId: '0198a000-0000-7000-8000-0000000000aa',
  side: 'buy',
  outcome: 'yes',
  orderType: 'limit',
  timeInForce: 'GTC',
  priceUnits: 5400,
  quantity: 10,
  filledQty: 4,
  status: 'partial',
  createdAt: Date.UTC(2026, 10, 21),
  reservedUnits: 32_400,
};

const keyView: KeyView = {
  keyId: 'key-1',
  name: 'default',
  permissions: ['view', 'trade'],
  last4: 'Zz09',
  createdAt: Date.UTC(2026, 10, 21),
  revokedAt: null,
};

const position = {
  marketId: 'acme-2027',
  side: 'no' as const,
  shares: 3,
  costUnits: 10_000,
  yesShares: 0,
  noShares: 3,
  market: marketView,
};
const amounts = { cashUnits: 99_990_000, positionsHalfUnits: 26_997, startingBalanceUnits: 100_000_000 };

export const portfolio = portfolioBody({
  displayName: 'Ann',
  cashUnits: 99_990_000,
  startingBalanceUnits: 100_000_000,
  openOrders: 1,
  positions: [position],
  orders: [{ ...orderView, market: marketView }],
  trades: [
    {
      id: 'trade-1',
      marketId: 'acme-2027',
      outcome: 'no',
      priceUnits: 4500,
      quantity: 3,
      createdAt: Date.UTC(2026, 10, 21),
      market: marketView,
    },
  ],
  settled: [
    {
      id: 'settled-1',
      marketId: 'old',
      outcome: 'yes',
      shares: 5,
      payoutUnits: 50_000,
      costUnits: 20_000,
      settledAt: Date.UTC(2026, 10, 20),
      market: { ...marketView, phase: 'resolved', resolvedOutcome: 'yes', probabilityHalfUnits: 20_000 },
    },
  ],
  fleet: { subAccountCount: 2, subAccounts: amounts },
});

const market = marketBody(marketView);
const settled = settledMarketBody(
  { ...marketView, phase: 'resolved', resolvedOutcome: 'yes', resolvedAt: Date.UTC(2027, 0, 1) },
  { cancelledOrders: 2, settledAccounts: 3, paidUnits: 250_000 },
);
const subAccount = subAccountBody({
  ...amounts,
  accountId: 'sub-1',
  displayName: 'Worker',
  createdAt: Date.UTC(2026, 10, 21),
  permissions: ['view'],
  keys: [keyView, { ...keyView, revokedAt: Date.UTC(2026, 10, 22) }],
});
const account = accountBody({
  id: 'acc-1',
  displayName: 'Ann',
  createdAt: Date.UTC(2026, 10, 21),
  startingBalanceUnits: 100_000_000,
});
const apiKey = issuedKeyBody(keyView, 'svc_live_abcdef');
const opened = { account, apiKey };
const listing = {
  id: 'acme-2027',
  title: 'Will Acme ship by 2027?',
  ticker: 'ACME',
  companySlug: 'acme',
  sector: 'technology',
  category: 'product',
  settlementSource: 'Acme newsroom',
  prior: 0.55,
  closesAt: '2027-12-31T23:59:00+00:00',
  tickSize: 0.01,
  companyImpact: 0.5,
  drivers: ['chips', 'demand'],
  description: 'Acme says so.',
  citationUrl: 'https://acme.example/investors',
  status: 'active',
};
const amendment = { title: 'Will Acme ship at all?', closesAt: '2028-02-29T00:00:00Z', drivers: [], companyImpact: 1 };
const resolution = { outcome: 'yes', headline: 'Acme ships', source: 'Acme', citationUrl: 'http://acme.example/x' };
const voiding = { reason: 'The question was unclear', price: 0.5 };
const signal = {
  externalId: 'n-1',
  source: 'newsroom',
  headline: 'Acme ships',
  citationUrl: 'https://acme.example/n/1',
  publishedAt: '2026-11-21T07:00:00.123Z',
  event: 'PressRelease',
  marketId: 'acme-2027',
  fairProb: 0.7,
  factValue: -12.5,
  threshold: 1e6,
  confidence: 0.9,
  freshnessMs: 1200,
};
const newAccount = { displayName: 'Ann', startingBalance: 500, permissions: ['view', 'master'] };
const newKey = { name: 'reader', permissions: ['view'] };
const signalView: SignalView = {
  id: 'signal-1',
  source: 'newsroom',
  headline: 'Acme ships',
  citationUrl: 'https://acme.example/n/1',
  publishedAt: Date.UTC(2026, 10, 21),
  marketId: null,
  beforeHalfUnits: 11_001,
  afterHalfUnits: null,
  fairProb: 0.7,
  seq: 5,
};
const signals = recentSignalsBody([signalView]);

/** The minute at which the windows of `marketSignalView` were evaluated. */
export const MINUTE = Date.UTC(2027, 11, 30, 18);

export const marketSignalView: MarketSignalView = {
  marketId: 'acme-2027',
  title: 'Will Acme ship by 2027?',
  companySlug: 'acme',
  sector: 'technology',
  category: 'product',
  settlementSource: 'Acme newsroom',
  probabilityHalfUnits: 11_001,
  volume: 40,
  companyImpact: 0.5,
  snapshotDeltaHalfUnits: -999,
  closesAt: Date.UTC(2027, 11, 31),
  volumeDelta: -7,
  sectorAvgHalfUnits: 20_000 / 3,
  openInterest: 25,
  graphCentrality: 1 / 3,
  clusterRiskScore: 1,
  oracleScore: 0.123_456_789,
  neighborDeltaHalfUnits: -10_000 / 3,
  bestBidUnits: 5400,
  bestAskUnits: 5601,
  siblingAvgHalfUnits: 10_000.5,
  relatedDrivers: ['chips'],
  clusterIds: ['acme-2026'],
  recentEvents: [{ ...signalView, marketId: 'acme-2027' }],
};

/** A market without trades and without related markets. */
export const loneSignalView: MarketSignalView = {
  ...marketSignalView,
  neighborDeltaHalfUnits: null,
  siblingAvgHalfUnits: null,
  bestBidUnits: null,
  bestAskUnits: null,
  closesAt: MINUTE - 1,
  relatedDrivers: [],
  clusterIds: [],
  recentEvents: [],
};

const signalEntry: TimelineEntryView = {
  kind: 'signal',
  date: Date.UTC(2026, 10, 20),
  headline: 'Acme ships',
  source: 'newsroom',
  event: 'PressRelease',
  citationUrl: 'https://acme.example/n/1',
  fairProb: 0.7,
  beforeHalfUnits: 10_000,
  afterHalfUnits: 11_001,
  factValue: -12.5,
  threshold: 1e6,
  confidence: 0.9,
  freshnessMs: 1200,
  probabilityHalfUnits: 10_000,
  externalId: 'n-1',
  relatedSignalId: null,
  interpolated: true,
};
const tradeEntry: TimelineEntryView = {
  kind: 'trade',
  date: Date.UTC(2026, 10, 21),
  headline: tradeHeadline('no', 3, 4500),
  source: OWN_SOURCE,
  event: 'OrderFilled',
  citationUrl: null,
  fairProb: null,
  beforeHalfUnits: 10_000,
  afterHalfUnits: 11_001,
  factValue: null,
  threshold: null,
  confidence: null,
  freshnessMs: null,
  probabilityHalfUnits: 11_001,
  externalId: '0198a000-0000-7000-8000-000000000001',
  relatedSignalId: 'signal-1',
  interpolated: false,
};
const resolutionEntry: TimelineEntryView = {
  ...tradeEntry,
  kind: 'resolution',
  headline: resolutionHeadline('yes', 20_000),
  event: 'MarketResolved',
  citationUrl: 'https://acme.example/x',
  probabilityHalfUnits: 20_000,
  afterHalfUnits: 20_000,
  relatedSignalId: null,
};
export const timeline = [signalEntry, tradeEntry, resolutionEntry];

const feedItem: ActivityItemView = {
  id: '0198a000-0000-7000-8000-000000000001',
  seq: 9,
  kind: 'trade',
  marketId: 'acme-2027',
  title: 'Will Acme ship by 2027?',
  headline: tradeHeadline('no', 3, 4500),
  createdAt: Date.UTC(2026, 10, 21),
};

export interface Sample {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly answers: readonly unknown[];
}

const id = { id: 'acme-2027' };
const page = { limit: '20', cursor: 'eyJzIjoxfQ' };

export const samples: Readonly<Record<EndpointId, Sample>> = {
  getHealth: {
    answers: [
      {
        status: 'ok',
        version: VERSION,
        database: 'ok',
        timestamp: '2026-11-21T07:00:00.000Z',
        complianceMode: 'paper',
        emailConfigured: false,
      },
    ],
  },
  getOpenApi: { answers: [{ openapi: '3.1.0', info: {} }] },
  listMarkets: {
    query: { status: 'resolved', sector: 'technology', ...page },
    answers: [[market, settled.market], []],
  },
  getMarket: { params: id, answers: [market, settled.market] },
  getOrderBook: {
    params: { marketId: 'acme-2027' },
    query: { asOfSeq: '17' },
    answers: [
      orderBookBody({
        marketId: 'acme-2027',
        seq: 9,
        bids: [{ priceUnits: 5400, quantity: 6, orders: 1 }],
        asks: [{ priceUnits: 5601, quantity: 2, orders: 2 }],
        lastTradeUnits: null,
      }),
    ],
  },
  streamMarkets: {
    query: { marketId: 'acme-2027' },
    answers: [pulseBody(Date.UTC(2026, 10, 21), [marketView, { ...marketView, bestBidUnits: null, phase: 'paused' }])],
  },
  streamAccount: {
    answers: [
      accountEventBody({ type: 'order', seq: 8, accountId: 'a', order: orderView, reason: null }),
      accountEventBody({ type: 'order', seq: 9, accountId: 'a', order: orderView, reason: 'user' }),
      accountEventBody({ type: 'fill', seq: 10, accountId: 'a', fill: fillView, order: null }),
      accountEventBody({ type: 'fill', seq: 11, accountId: 'a', fill: fillView, order: orderView }),
    ],
  },
  listMarketSignals: {
    answers: [[marketSignalBody(marketSignalView, MINUTE), marketSignalBody(loneSignalView, MINUTE)], []],
  },
  getMarketEvents: {
    params: id,
    query: page,
    answers: [marketEventsBody('acme-2027', timeline), marketEventsBody('quiet', [])],
  },
  getLeaderboard: {
    query: page,
    answers: [
      [
        leaderboardEntryBody({
          ...amounts,
          id: 'acc-1',
          displayName: 'Ann',
          rank: 1,
          openPositions: 1,
          trades: 2,
          volumeUnits: 23_500,
        }),
      ],
    ],
  },
  listRecentTrades: {
    query: page,
    answers: [
      [
        recentTradeBody({
          id: '0198a000-0000-7000-8000-000000000001',
          marketId: 'acme-2027',
          seq: 9,
          outcome: 'no',
          side: 'buy',
          priceUnits: 4500,
          quantity: 3,
          kind: 'mint',
          createdAt: Date.UTC(2026, 10, 21),
          market: marketView,
        }),
      ],
    ],
  },
  getActivity: {
    answers: [
      activityBody({
        activeMarkets: 1,
        volume24h: 3,
        trades24h: 1,
        traders24h: 2,
        feed: [feedItem, { ...feedItem, kind: 'signal', marketId: null, title: null }],
      }),
    ],
  },
  getOrderHistory: { params: { id: 'order-1' }, query: page, answers: [orderHistoryBody(orderView, orderHistory)] },
  listLedger: { query: { format: 'csv', ...page }, answers: [ledger.map(ledgerEntryBody)] },
  readJournal: {
    query: { from: '17', limit: '10' },
    answers: [
      {
        hash: '0b7671efd0a9a424dfff3e5f2ca3c61cbbed9f9a171380aaa9d2cef309d16322',
        id: '01890a5d-ac96-774b-bcce-b302099a8000',
        privateDigest: '0'.repeat(64),
        publicText: '{"seq":17}',
        seq: 17,
        type: 'OrderFilled',
      },
    ],
  },
  listFills: { query: { marketId: 'acme-2027', ...page }, answers: [[fillBody(fillView)], []] },
  listOrders: { query: { marketId: 'acme-2027', ...page }, answers: [[orderBody(orderView)]] },
  placeOrder: {
    body: {
      marketId: 'acme-2027',
      outcome: 'no',
      side: 'buy',
      orderType: 'market',
      timeInForce: 'IOC',
      price: 0.5,
      quantity: 500,
      notional: 5000,
      maxPrice: 0.99,
      slippage: 0.25,
    },
    answers: [orderBody(orderView)],
  },
  cancelOrder: { params: { id: 'order-1' }, answers: [{ ok: true }] },
  getPortfolio: { query: { asOfSeq: '17' }, answers: [portfolio, { ...portfolio, fleetSummary: null }] },
  getPositions: { answers: [positionsBody([position], 12)] },
  listRecentSignals: { query: page, answers: [signals] },
  listSubAccounts: { answers: [{ subAccounts: [subAccount] }] },
  listKeys: {
    query: page,
    answers: [{ keys: [fleetKeyBody({ ...keyView, accountId: 'sub-1' })] }, { keys: [] }],
  },
  createSubAccount: {
    body: { displayName: 'Worker', permissions: ['view', 'trade'] },
    answers: [{ subAccount, apiKey }],
  },
  createSubAccountKey: {
    params: { id: 'sub-1' },
    body: newKey,
    answers: [{ apiKey }, { apiKey: issuedKeyBody(keyView, null) }],
  },
  revokeKey: { params: { keyId: 'key-1' }, answers: [{ ok: true }] },
  createMarket: { body: listing, answers: [market] },
  amendMarket: { params: id, body: amendment, answers: [market] },
  activateMarket: { params: id, answers: [market] },
  pauseMarket: { params: id, answers: [market] },
  closeMarket: { params: id, answers: [market] },
  resolveMarket: { params: id, body: resolution, answers: [settled] },
  voidMarket: { params: id, body: voiding, answers: [settled] },
  recordSignal: { body: signal, answers: [{ id: 'signal-1', seq: 5 }] },
  openAccount: { body: newAccount, answers: [opened] },
  issueAccountKey: { params: id, body: newKey, answers: [{ apiKey }] },
  revokeAccountKey: { params: { keyId: 'key-1' }, answers: [{ ok: true }] },
  approveAccount: { params: id, answers: [{ account }] },
  listMarketsByPhase: { query: { phase: 'void', ...page }, answers: [[market]] },
  getOperatorStatus: {
    answers: [
      {
        journalSeq: 9,
        epoch: 1,
        shard: 'main',
        queueDepth: 0,
        projections: [{ name: 'trading', seq: 9, lagEvents: 0, lagMs: 0.5, problem: null }],
        version: VERSION,
        uptimeMs: 12.5,
      },
    ],
  },
  runOperatorBatch: {
    body: {
      commands: [
        { op: 'list-market', ...listing },
        { op: 'amend-market', id: 'acme-2027', ...amendment },
        { op: 'activate-market', id: 'acme-2027' },
        { op: 'pause-market', id: 'acme-2027' },
        { op: 'close-market', id: 'acme-2027' },
        { op: 'resolve-market', id: 'acme-2027', ...resolution },
        { op: 'void-market', id: 'acme-2027', ...voiding },
        { op: 'record-signal', ...signal },
        { op: 'open-account', ...newAccount },
        { op: 'issue-key', id: 'acc-1', ...newKey },
        { op: 'approve-account', id: 'acc-1' },
      ],
    },
    answers: [
      {
        results: [
          { ok: true, changed: true, result: market },
          { ok: true, changed: true, result: settled },
          { ok: true, changed: true, result: { id: 'signal-1', seq: 5 } },
          { ok: true, changed: true, result: opened },
          { ok: true, changed: true, result: { apiKey } },
          { ok: true, changed: true, result: { account } },
          { ok: false, status: 404, error: 'No such market', code: 'market_not_found' },
        ],
      },
    ],
  },
};
