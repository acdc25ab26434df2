import { VERSION } from '../src/index.ts';
import type { EndpointId } from '../src/index.ts';
import {
  Account,
  accountEventBody,
  FleetKey,
  issuedKeyBody,
  ApiKey,
  LeaderboardEntry,
  Me,
  SubAccount,
  Trader,
} from '../src/accounts/index.ts';
import type { KeyView, MeView } from '../src/accounts/index.ts';
import { LedgerEntry, OrderSequences } from '../src/journal/index.ts';
import type { LedgerEntryView } from '../src/journal/index.ts';
import {
  Activity,
  BookDelta,
  Candles,
  candlesJson,
  Market,
  Moments,
  orderBookBody,
  Pulse,
  RecentTrade,
  Trade,
  TREND_HOURS,
} from '../src/markets/index.ts';
import type { ActivityItemView, MarketView } from '../src/markets/index.ts';
import { OneSidedTransfer, SettledMarket } from '../src/operator/index.ts';
import {
  DeadManSwitch,
  Fill,
  OpenOrders,
  Order,
  OrderDetail,
  OrderHistory,
  OrderPreview,
} from '../src/orders/index.ts';
import type { FillView, OrderDetailView, OrderHistoryEntryView, OrderView } from '../src/orders/index.ts';
import { portfolioBody, Positions } from '../src/portfolio/index.ts';
import type { SettledView } from '../src/portfolio/index.ts';
import {
  MarketEvents,
  MarketSignal,
  OWN_SOURCE,
  RecentSignals,
  resolutionHeadline,
  tradeHeadline,
} from '../src/signals/index.ts';
import type { MarketSignalView, SignalView, TimelineEntryView } from '../src/signals/index.ts';
import type { ViewOf } from '../src/answer.ts';
import {
  exampleAdvanced,
  exampleBacktest,
  exampleReport,
  exampleStartedBacktest,
  exampleTapes,
} from './examples/answers.ts';
import { exampleOrderDetail } from './examples/data.ts';

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
    keyId: 'key-1',
    keyName: 'bot',
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
    keyId: 'key-2',
    keyName: null,
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
  ...marketView,
  id: '0198a000-0000-7000-8000-000000000001',
  seq: 9,
  orderId: '0198a000-0000-7000-8000-000000000000',
  marketId: 'acme-2027',
  side: 'buy',
  outcome: 'no',
  role: 'maker',
  priceUnits: 4500,
  quantity: 3,
  kind: 'mint',
  createdAt: Date.UTC(2026, 10, 21),
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
  lastUsedOn: '2026-11-22',
  mandate: null,
};

/** A key with every limit that a mandate can have. */
const limitedKeyView: KeyView = {
  ...keyView,
  mandate: {
    marketIds: ['acme-2027'],
    maxOrderCostUnits: 250_001,
    maxReservedUnits: 0,
    maxShares: 1_000_000_000,
    reduceOnly: true,
    spendPerDayUnits: 10_000_000_000_000,
  },
};

const orderDetail: OrderDetailView = {
  ...exampleOrderDetail,
  ...orderView,
  clientOrderId: null,
  postOnly: true,
  expiresAt: Date.UTC(2026, 10, 22),
  averagePriceUnits: 5_399,
  reason: null,
  seq: 12,
};

const me: MeView = {
  accountId: 'acc-1',
  displayName: 'Ann',
  primaryAccountId: 'acc-1',
  keyId: 'key-1',
  keyName: 'default',
  permissions: ['view'],
  mandate: limitedKeyView.mandate,
  spentTodayUnits: 12_345,
  complianceMode: 'paper',
  approved: true,
};

const position = {
  ...marketView,
  marketId: 'acme-2027',
  side: 'no' as const,
  shares: 3,
  costUnits: 10_000,
  yesShares: 0,
  noShares: 3,
};
const amounts = { cashUnits: 99_990_000, positionsHalfUnits: 26_997, startingBalanceUnits: 100_000_000 };

const settledView: SettledView = {
  ...marketView,
  id: 'settled-1',
  marketId: 'old',
  outcome: 'yes',
  shares: 5,
  payoutUnits: 50_000,
  costUnits: 20_000,
  settledAt: Date.UTC(2026, 10, 20),
  resolvedOutcome: 'yes',
};

export const portfolio = portfolioBody({
  displayName: 'Ann',
  cashUnits: 99_990_000,
  startingBalanceUnits: 100_000_000,
  openOrders: 1,
  positions: [position],
  orders: [{ ...marketView, ...orderView }],
  trades: [
    {
      ...marketView,
      id: 'trade-1',
      marketId: 'acme-2027',
      outcome: 'no',
      priceUnits: 4500,
      quantity: 3,
      createdAt: Date.UTC(2026, 10, 21),
    },
  ],
  settled: [settledView],
  fleet: { subAccountCount: 2, subAccounts: amounts },
});

const market = Market.body(marketView);
const trending = Market.body({
  ...marketView,
  trend: {
    dayAgoHalfUnits: 12_000,
    hourlyHalfUnits: Array.from({ length: TREND_HOURS }, (_, hour) => (hour < 2 ? null : 12_000 - hour)),
  },
});
const settled = SettledMarket.body({
  market: { ...marketView, phase: 'resolved', resolvedOutcome: 'yes', resolvedAt: Date.UTC(2027, 0, 1) },
  cancelledOrders: 2,
  settledAccounts: 3,
  paidUnits: 250_000,
});
const subAccount = SubAccount.body({
  ...amounts,
  accountId: 'sub-1',
  displayName: 'Worker',
  createdAt: Date.UTC(2026, 10, 21),
  permissions: ['view'],
  keys: [keyView, { ...limitedKeyView, revokedAt: Date.UTC(2026, 10, 22) }],
  isClosed: false,
});
const account = Account.body({
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
const signals = RecentSignals.body({ signals: [signalView] });

const MINUTE = Date.UTC(2027, 11, 30, 18);

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
  recentEvents: [signalView],
  evaluatedAt: MINUTE,
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

const preview: Omit<ViewOf<typeof OrderPreview>, 'seq'> = {
  averageUnits: 4525,
  cashAfterUnits: 99_963_800,
  costUnits: -18_100,
  filledQty: 4,
  fills: [
    { priceUnits: 4500, quantity: 3 },
    { priceUnits: 4600, quantity: 1 },
  ],
  freeCashAfterUnits: 99_950_000,
  noSharesAfter: 4,
  priceUnits: 4600,
  quantity: 10,
  reason: null,
  reservedUnits: 27_600,
  status: 'partial',
  yesSharesAfter: 0,
};

const orderBook = orderBookBody({
  marketId: 'acme-2027',
  seq: 9,
  bids: [{ priceUnits: 5400, quantity: 6, orders: 1 }],
  asks: [{ priceUnits: 5601, quantity: 2, orders: 2 }],
  lastTradeUnits: null,
});
const trade = {
  id: '0198a000-0000-7000-8000-000000000001',
  marketId: 'acme-2027',
  seq: 9,
  outcome: 'no',
  side: 'buy',
  priceUnits: 4500,
  quantity: 3,
  kind: 'mint',
  createdAt: Date.UTC(2026, 10, 21),
} as const;
const recentTrade = RecentTrade.body({ ...marketView, ...trade });

export interface Sample {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly answers: readonly unknown[];
}

const id = { id: 'acme-2027' };
const orderInput = {
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
};
const orderItem = {
  ...orderInput,
  clientOrderId: 'bid:1_a.b-c',
  postOnly: true,
  expiresAt: '2026-12-31T23:59:00.5Z',
  accountId: 'sub-1',
};
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
    query: {
      status: 'resolved',
      sector: 'technology',
      companySlug: 'acme',
      q: 'rain',
      sort: 'closing',
      fields: 'trend',
      ...page,
    },
    answers: [[market, settled.market], [], [trending]],
  },
  getMarket: { params: id, answers: [market, settled.market] },
  getOrderBook: {
    params: { marketId: 'acme-2027' },
    query: { asOfSeq: '17' },
    answers: [orderBook],
  },
  streamMarkets: {
    query: { marketId: 'acme-2027', marketIds: 'acme-2027,b.2:x' },
    answers: [
      Pulse.body({
        at: Date.UTC(2026, 10, 21),
        markets: [marketView, { ...marketView, bestBidUnits: null, phase: 'paused' }],
      }),
    ],
  },
  streamOrderBook: {
    params: { marketId: 'acme-2027' },
    answers: [
      orderBook,
      BookDelta.body({ at: Date.UTC(2026, 10, 21), priceUnits: 5400, quantity: 0, seq: 9, side: 'bid' }),
      recentTrade,
    ],
  },
  streamAccount: {
    query: { fleet: 'true' },
    answers: [
      accountEventBody({ type: 'cash', seq: 12, accountId: 'a', cashUnits: 99_990_001 }),
      accountEventBody({ type: 'settled', seq: 12, accountId: 'a', settled: settledView }),
      accountEventBody({ type: 'order', seq: 8, accountId: 'a', order: orderDetail, reason: null }),
      accountEventBody({ type: 'order', seq: 9, accountId: 'a', order: orderDetail, reason: 'user' }),
      accountEventBody({ type: 'fill', seq: 10, accountId: 'a', fill: fillView, order: null }),
      accountEventBody({ type: 'fill', seq: 11, accountId: 'a', fill: fillView, order: orderDetail }),
    ],
  },
  listMarketSignals: {
    answers: [[MarketSignal.body(marketSignalView), MarketSignal.body(loneSignalView)], []],
  },
  getMarketCandles: {
    params: id,
    query: { period: '15', from: '2026-11-21T00:00:00Z', to: '2026-11-22T00:00:00.5Z', ...page },
    answers: [
      ...[
        candlesJson('acme-2027', 15, [
          {
            start: Date.UTC(2026, 10, 21),
            openUnits: 4500,
            highUnits: 4600,
            lowUnits: 4400,
            closeUnits: 4550,
            volume: 12,
            trades: 3,
            bestBidUnits: 4500,
            bestAskUnits: null,
          },
        ]),
        candlesJson('quiet', 1440, []),
      ].map((bytes) => Candles.parse(JSON.parse(bytes.toString()))),
    ],
  },
  getMarketEvents: {
    params: id,
    query: page,
    answers: [
      MarketEvents.body({ marketId: 'acme-2027', timeline }),
      MarketEvents.body({ marketId: 'quiet', timeline: [] }),
    ],
  },
  listMoments: {
    params: id,
    query: { from: '2026-11-21T00:00:00Z', to: '2026-11-22T00:00:00.5Z', points: '3' },
    answers: [
      Moments.body({ moments: [{ seq: 3, at: Date.UTC(2026, 10, 21), probabilityHalfUnits: 11_001 }] }),
      Moments.body({ moments: [] }),
    ],
  },
  getLeaderboard: {
    query: page,
    answers: [
      [
        LeaderboardEntry.body({
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
  getTrader: {
    params: { id: 'acc-1' },
    query: { from: '2026-11-21T12:00:00Z' },
    answers: [
      Trader.body({
        ...amounts,
        id: 'acc-1',
        displayName: 'Ann',
        createdAt: Date.UTC(2026, 10, 21),
        volumeUnits: 23_500,
        trades: 2,
        openPositions: 1,
        equity: [
          { at: Date.UTC(2026, 10, 21), valueHalfUnits: 200_000_000 },
          { at: Date.UTC(2026, 10, 22), valueHalfUnits: 200_006_997 },
        ],
      }),
    ],
  },
  listRecentTrades: {
    query: { marketId: 'acme-2027', from: '2026-11-21T00:00:00Z', to: '2026-11-22T00:00:00.5Z', ...page },
    answers: [[recentTrade]],
  },
  downloadTrades: {
    query: {
      marketId: 'acme-2027',
      from: '2026-11-21T00:00:00Z',
      to: '2026-11-22T00:00:00.5Z',
      format: 'ndjson',
      ...page,
    },
    answers: [[Trade.body(trade)]],
  },
  getActivity: {
    answers: [
      Activity.body({
        activeMarkets: 1,
        volume24h: 3,
        trades24h: 1,
        traders24h: 2,
        feed: [feedItem, { ...feedItem, kind: 'signal', marketId: null, title: null }],
      }),
    ],
  },
  listOpenOrders: {
    query: { marketId: 'acme-2027', fleet: 'true', ...page },
    answers: [OpenOrders.body({ orders: [orderDetail], seq: 12 }), OpenOrders.body({ orders: [], seq: 12 })],
  },
  getOrder: {
    params: { id: 'order-1' },
    answers: [OrderDetail.body(orderDetail), OrderDetail.body({ ...orderDetail, reason: 'dead_man_switch' })],
  },
  getOrderByClientId: { params: { clientOrderId: 'bid:1' }, answers: [OrderDetail.body(orderDetail)] },
  getDeadManSwitch: {
    answers: [DeadManSwitch.body({ cancelsAt: null }), DeadManSwitch.body({ cancelsAt: Date.UTC(2026, 10, 21) })],
  },
  renameAccount: { body: { displayName: 'Ada L.' }, answers: [Me.body(me)] },
  getMe: { answers: [Me.body(me), Me.body({ ...me, mandate: null, complianceMode: 'kyc', approved: false })] },
  getOrderHistory: {
    params: { id: 'order-1' },
    query: page,
    answers: [OrderHistory.body({ order: orderView, history: orderHistory })],
  },
  listLedger: { query: { format: 'csv', ...page }, answers: [ledger.map(LedgerEntry.body)] },
  getOrderSequences: {
    params: { id: 'order-1' },
    query: page,
    answers: [OrderSequences.body({ seqs: [8, 9] }), OrderSequences.body({ seqs: [] })],
  },
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
  listTapes: { answers: [exampleTapes, { tapes: [], refused: [] }] },
  startBacktest: {
    body: {
      tape: 'made-news',
      from: '2026-01-05T15:00:00Z',
      to: '2026-01-05T15:30:00.5Z',
      participants: 20,
      startingBalance: 500.5,
      latencyMs: 60_000,
      feedLatencyMs: 0,
      fee: 0.07,
      seed: Number.MAX_SAFE_INTEGER,
      patienceSeconds: 3_600,
    },
    answers: [
      exampleStartedBacktest,
      { ...exampleStartedBacktest, participants: [{ accountId: 'acc-1' }], clock: null },
    ],
  },
  listBacktests: { answers: [{ backtests: [exampleBacktest] }, { backtests: [] }] },
  getBacktest: {
    params: { id: 'backtest-1' },
    answers: [
      exampleBacktest,
      { ...exampleBacktest, state: 'failed', why: 'its process was ended by SIGKILL' },
      { ...exampleBacktest, state: 'starting', clock: null, endedAt: null, participants: [] },
    ],
  },
  deleteBacktest: { params: { id: 'backtest-1' }, answers: [{ ok: true }] },
  getBacktestReport: {
    params: { id: 'backtest-1' },
    query: { partial: 'true' },
    answers: [exampleReport, { ...exampleReport, partial: true, baselines: [], participants: [] }],
  },
  readBacktestJournal: {
    params: { id: 'backtest-1' },
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
  getClock: { answers: [{ now: '2026-01-05T15:09:30.000Z', waitingFor: ['acc-1'], ended: false }] },
  advanceClock: {
    body: { until: '2026-01-05T15:09:30Z', wake: ['account', 'book', 'trades'] },
    answers: [exampleAdvanced, { ...exampleAdvanced, waiting: true, events: [] }],
  },
  listFills: { query: { marketId: 'acme-2027', ...page }, answers: [[Fill.body(fillView)], []] },
  listOrders: {
    query: { marketId: 'acme-2027', status: 'open', accountId: 'acc-1', ...page },
    answers: [[Order.body(orderView)]],
  },
  placeOrder: { body: orderInput, answers: [Order.body(orderView)] },
  cancelOrder: { params: { id: 'order-1' }, answers: [{ ok: true }] },
  placeOrders: {
    // Whatever stands inside the list is the item's own fault.
    body: { orders: [orderItem, { unknown: 1 }, null, 5] },
    answers: [
      {
        results: [
          { ok: true, order: OrderDetail.body(orderDetail) },
          { ok: false, error: 'Insufficient balance', code: 'insufficient_balance' },
        ],
      },
      { results: [] },
    ],
  },
  previewOrder: {
    body: orderItem,
    answers: [
      OrderPreview.body({ ...preview, seq: 9 }),
      OrderPreview.body({
        ...preview,
        averageUnits: null,
        fills: [],
        reason: 'post_only',
        status: 'cancelled',
        seq: 9,
      }),
    ],
  },
  amendOrder: {
    params: { id: 'order-1' },
    body: { price: 0.54, quantity: 8 },
    answers: [OrderDetail.body(orderDetail)],
  },
  cancelOrders: {
    query: { marketId: 'acme-2027', outcome: 'no', side: 'sell', fleet: 'true' },
    answers: [
      { cancelled: 2, orderIds: ['order-1', 'order-2'] },
      { cancelled: 0, orderIds: [] },
    ],
  },
  setDeadManSwitch: {
    body: { seconds: 60 },
    answers: [DeadManSwitch.body({ cancelsAt: Date.UTC(2026, 10, 21) }), DeadManSwitch.body({ cancelsAt: null })],
  },
  mergeShares: {
    body: { marketId: 'acme-2027', quantity: 3 },
    answers: [{ marketId: 'acme-2027', merged: 3, cash: 10_003 }],
  },
  setMandate: {
    params: { keyId: 'key-1' },
    body: {
      maxOrderCost: 25.0001,
      maxReserved: 0,
      maxShares: 1_000_000_000,
      spendPerDay: 1_000_000_000,
      marketIds: ['acme-2027'],
      reduceOnly: true,
    },
    answers: [{ key: ApiKey.body(limitedKeyView) }, { key: ApiKey.body(keyView) }],
  },
  getPortfolio: { query: { asOfSeq: '17' }, answers: [portfolio, { ...portfolio, fleetSummary: null }] },
  getPositions: { answers: [Positions.body({ positions: [position], seq: 12 })] },
  listRecentSignals: { query: page, answers: [signals] },
  listSubAccounts: { answers: [{ subAccounts: [subAccount, { ...subAccount, closed: true }] }] },
  listKeys: {
    query: page,
    answers: [
      {
        keys: [FleetKey.body({ ...keyView, accountId: 'sub-1' }), FleetKey.body({ ...limitedKeyView, accountId: 'a' })],
      },
      { keys: [] },
    ],
  },
  createSubAccount: {
    body: { displayName: 'Worker', permissions: ['view', 'trade'] },
    answers: [{ subAccount, apiKey }],
  },
  closeSubAccount: { params: { id: 'sub-1' }, answers: [{ ok: true }] },
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
  closeAccount: { params: id, answers: [{ account, revokedKeys: 2, cancelledOrders: 0 }] },
  forgetAccount: { params: id, answers: [{ account }] },
  listMarketsByPhase: { query: { phase: 'void', ...page }, answers: [[market]] },
  listHolders: {
    params: id,
    query: { limit: '50' },
    answers: [
      {
        marketId: 'acme-2027',
        accounts: 1,
        yesShares: 3,
        noShares: 0,
        holders: [{ accountId: 'acc-1', displayName: 'Ada', yesShares: 3, noShares: 0 }],
      },
    ],
  },
  listAccounts: { query: { approved: 'false', ...page }, answers: [[{ ...account, approved: false, closed: false }]] },
  listOneSidedTransfers: {
    query: { from: '2026-11-21T00:00:00Z', above: '1000', limit: '50' },
    answers: [
      [
        OneSidedTransfer.body({
          from: { accountId: 'acc-1', displayName: 'Ada' },
          to: { accountId: 'acc-2', displayName: 'Bob' },
          amountHalfUnits: 24_000_001,
          trades: 3,
          shares: 2_000,
          lastTradeAt: Date.UTC(2026, 10, 22),
        }),
      ],
    ],
  },
  getRebuildStatus: {
    answers: [
      {
        version: 8,
        running: true,
        schemas: [{ schema: 'read_v8_2', version: 8, status: 'filling', seq: 5, bytes: 8192 }],
      },
    ],
  },
  getUsage: {
    query: { day: '2024-02-29' },
    answers: [
      { day: '2026-11-24', fleets: [{ primaryAccountId: 'a', commands: 2, events: 3, bytes: 2_048 }] },
      { day: '2026-11-23', fleets: [] },
    ],
  },
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
