import { accountEventBody } from '../../src/accounts/account-event.ts';
import { LeaderboardEntry } from '../../src/accounts/leaderboard.ts';
import { Trader } from '../../src/accounts/trader.ts';
import type { BacktestBody, StartedBacktestBody } from '../../src/backtests/backtest.ts';
import type { BacktestReportBody } from '../../src/backtests/report.ts';
import type { TapeBody } from '../../src/backtests/tape.ts';
import { csv } from '../../src/csv.ts';
import { Activity } from '../../src/markets/activity.ts';
import { Candles, candlesJson } from '../../src/markets/candle.ts';
import { orderBookBody } from '../../src/markets/market.ts';
import { Moments } from '../../src/markets/moment.ts';
import { Pulse } from '../../src/markets/pulse.ts';
import { RecentTrade, TRADE_COLUMNS, Trade } from '../../src/markets/recent-trade.ts';
import { SettledMarket } from '../../src/operator/operator.ts';
import { OneSidedTransfer } from '../../src/operator/oversight.ts';
import type { MarketHoldersBody, RebuildStatusBody } from '../../src/operator/oversight.ts';
import { OrderHistory } from '../../src/orders/order.ts';
import { portfolioBody, Positions } from '../../src/portfolio/portfolio.ts';
import type { HealthBody, OperatorStatusBody, UsageBody } from '../../src/service/service.ts';
import { OWN_SOURCE } from '../../src/signals/headline.ts';
import { MarketSignal } from '../../src/signals/market-signal.ts';
import { RecentSignals } from '../../src/signals/signal.ts';
import { MarketEvents } from '../../src/signals/timeline.ts';
import { iso } from '../../src/units.ts';
import { VERSION } from '../../src/version.ts';
import {
  EXAMPLE_ACCOUNT_ID,
  EXAMPLE_FILL_HOUR,
  EXAMPLE_KEY_ID,
  EXAMPLE_MARKET_ID,
  EXAMPLE_NOW,
  EXAMPLE_SETTLED_MARKET_ID,
  EXAMPLE_SUB_ACCOUNT_ID,
  EXAMPLE_TRADE_ID,
  exampleAccount,
  exampleAmounts,
  exampleFill,
  exampleFleetKey,
  exampleMarket,
  exampleNewMarket,
  exampleOrder,
  examplePosition,
  exampleSettledMarket,
  exampleSignal,
  exampleSignalInput,
  exampleSubAccountAmounts,
  exampleTradeHeadline,
} from './data.ts';

/** Answers of the examples that several parts of the story go into. */

const { createdAt: placedAt } = exampleOrder;
const settledAt = exampleSettledMarket.resolvedAt ?? EXAMPLE_NOW;

export const exampleHealth: HealthBody = {
  status: 'ok',
  version: VERSION,
  database: 'ok',
  timestamp: iso(EXAMPLE_NOW),
  complianceMode: 'paper',
  emailConfigured: false,
};

export const exampleOrderBook = orderBookBody({
  marketId: EXAMPLE_MARKET_ID,
  seq: exampleMarket.seq,
  bids: [
    { priceUnits: 8700, quantity: 6, orders: 1 },
    { priceUnits: 8400, quantity: 120, orders: 2 },
  ],
  asks: [{ priceUnits: 8900, quantity: 80, orders: 1 }],
  lastTradeUnits: exampleMarket.lastTradeUnits,
});

export const examplePulse = Pulse.body({ at: EXAMPLE_NOW, markets: [exampleMarket] });

export const exampleAccountEvent = accountEventBody({
  type: 'fill',
  seq: exampleFill.seq,
  accountId: EXAMPLE_ACCOUNT_ID,
  fill: exampleFill,
  order: null,
});

export const exampleOrderHistory = OrderHistory.body({
  order: exampleOrder,
  history: [
    {
      seq: 1201,
      id: '019aa5d8-6c00-7c55-a2b1-8e4f6d3c9a70',
      type: 'OrderPlaced',
      reason: 'placed',
      quantity: exampleOrder.quantity,
      priceUnits: exampleOrder.priceUnits,
      cashUnits: 0,
      filledQty: 0,
      status: 'open',
      reservedUnits: exampleOrder.reservedUnits,
      keyId: EXAMPLE_KEY_ID,
      keyName: exampleFleetKey.name,
      at: placedAt,
    },
    {
      seq: exampleFill.seq,
      id: EXAMPLE_TRADE_ID,
      type: 'OrderFilled',
      reason: 'taker',
      quantity: exampleFill.quantity,
      priceUnits: exampleFill.priceUnits,
      cashUnits: -exampleFill.priceUnits * exampleFill.quantity,
      filledQty: exampleFill.quantity,
      status: 'partial',
      reservedUnits: exampleOrder.reservedUnits,
      keyId: null,
      keyName: null,
      at: placedAt,
    },
  ],
});

export const examplePortfolio = portfolioBody({
  displayName: exampleAccount.displayName,
  cashUnits: exampleAmounts.cashUnits,
  startingBalanceUnits: exampleAmounts.startingBalanceUnits,
  openOrders: 1,
  positions: [examplePosition],
  orders: [{ ...exampleMarket, ...exampleOrder }],
  trades: [exampleFill],
  settled: [
    {
      ...exampleSettledMarket,
      id: '019a9fb2-8400-7a6d-b1c7-2e5f8d9a3b48',
      marketId: EXAMPLE_SETTLED_MARKET_ID,
      outcome: 'no',
      shares: 20,
      payoutUnits: 200_000,
      costUnits: 160_000,
      settledAt,
    },
  ],
  fleet: { subAccountCount: 1, subAccounts: exampleSubAccountAmounts },
});

export const examplePositions = Positions.body({ positions: [examplePosition], seq: exampleMarket.seq });
export const exampleRecentSignals = RecentSignals.body({ signals: [exampleSignal] });
export const exampleRecentTrade = RecentTrade.body(exampleFill);
export const exampleTrade = Trade.body(exampleFill);
export const exampleTradesCsv = csv(TRADE_COLUMNS, [TRADE_COLUMNS.map((column) => exampleTrade[column])]);

/** A whole minute soon after the fill. */
export const exampleMarketSignal = MarketSignal.body({
  ...exampleMarket,
  marketId: EXAMPLE_MARKET_ID,
  companyImpact: 0.6,
  snapshotDeltaHalfUnits: 400,
  volumeDelta: 85,
  sectorAvgHalfUnits: 11_240,
  graphCentrality: 0.412_508,
  clusterRiskScore: 0.062_5,
  oracleScore: 0.778_4,
  neighborDeltaHalfUnits: 150,
  siblingAvgHalfUnits: 11_600,
  relatedDrivers: ['subscriptions', 'app-stores', 'consumer-demand'],
  clusterIds: ['apple-foldable-2027'],
  recentEvents: [exampleSignal],
  evaluatedAt: EXAMPLE_NOW,
});

export const exampleMoments = Moments.body({
  moments: [
    { seq: exampleMarket.seq - 40, at: placedAt, probabilityHalfUnits: 17_200 },
    { seq: exampleMarket.seq, at: EXAMPLE_NOW, probabilityHalfUnits: exampleMarket.probabilityHalfUnits },
  ],
});

/** The hour of the fill, and the one before it. */
const exampleCandlesJson = candlesJson(EXAMPLE_MARKET_ID, 60, [
  {
    start: EXAMPLE_FILL_HOUR - 3_600_000,
    openUnits: 8400,
    highUnits: 8600,
    lowUnits: 8400,
    closeUnits: 8500,
    volume: 36,
    trades: 3,
    bestBidUnits: 8400,
    bestAskUnits: 8600,
  },
  {
    start: EXAMPLE_FILL_HOUR,
    openUnits: exampleFill.priceUnits,
    highUnits: exampleFill.priceUnits,
    lowUnits: exampleFill.priceUnits,
    closeUnits: exampleFill.priceUnits,
    volume: exampleFill.quantity,
    trades: 1,
    bestBidUnits: 8700,
    bestAskUnits: 8900,
  },
]);
export const exampleCandles = Candles.parse(JSON.parse(exampleCandlesJson.toString()));

export const exampleMarketEvents = MarketEvents.body({
  marketId: EXAMPLE_MARKET_ID,
  timeline: [
    {
      kind: 'signal',
      date: exampleSignal.publishedAt,
      headline: exampleSignal.headline,
      source: exampleSignal.source,
      event: 'SignalRecorded',
      citationUrl: exampleSignal.citationUrl,
      fairProb: exampleSignal.fairProb,
      beforeHalfUnits: exampleSignal.beforeHalfUnits,
      afterHalfUnits: exampleSignal.afterHalfUnits,
      factValue: null,
      threshold: null,
      confidence: exampleSignalInput.confidence,
      freshnessMs: 30_000,
      probabilityHalfUnits: 17_400,
      externalId: exampleSignalInput.externalId,
      relatedSignalId: null,
      interpolated: false,
    },
    {
      kind: 'trade',
      date: exampleFill.createdAt,
      headline: exampleTradeHeadline,
      source: OWN_SOURCE,
      event: 'OrderFilled',
      citationUrl: null,
      fairProb: null,
      beforeHalfUnits: 17_400,
      afterHalfUnits: exampleMarket.probabilityHalfUnits,
      factValue: null,
      threshold: null,
      confidence: null,
      freshnessMs: null,
      probabilityHalfUnits: exampleMarket.probabilityHalfUnits,
      externalId: EXAMPLE_TRADE_ID,
      relatedSignalId: exampleSignal.id,
      interpolated: false,
    },
  ],
});

export const exampleLeaderboard = [
  LeaderboardEntry.body({
    ...exampleAmounts,
    id: EXAMPLE_ACCOUNT_ID,
    displayName: exampleAccount.displayName,
    rank: 1,
    openPositions: 1,
    trades: 2,
    volumeUnits: 194_400,
  }),
];

const openedAt = Date.parse(exampleAccount.createdAt);

export const exampleTrader = Trader.body({
  ...exampleAmounts,
  id: EXAMPLE_ACCOUNT_ID,
  displayName: exampleAccount.displayName,
  createdAt: openedAt,
  openPositions: 1,
  trades: 2,
  volumeUnits: 194_400,
  equity: [
    { at: openedAt, valueHalfUnits: 2 * exampleAmounts.startingBalanceUnits },
    { at: EXAMPLE_NOW, valueHalfUnits: 2 * exampleAmounts.cashUnits + exampleAmounts.positionsHalfUnits },
  ],
});

export const exampleActivity = Activity.body({
  activeMarkets: 36,
  volume24h: 1480,
  trades24h: 212,
  traders24h: 9,
  feed: [
    {
      id: EXAMPLE_TRADE_ID,
      seq: exampleFill.seq,
      kind: 'trade',
      marketId: EXAMPLE_MARKET_ID,
      title: exampleMarket.title,
      headline: exampleTradeHeadline,
      createdAt: exampleFill.createdAt,
    },
    {
      id: exampleSignal.id,
      seq: exampleSignal.seq,
      kind: 'signal',
      marketId: EXAMPLE_MARKET_ID,
      title: exampleMarket.title,
      headline: exampleSignal.headline,
      createdAt: exampleSignal.publishedAt,
    },
  ],
});

export const exampleSettlement = (phase: 'resolved' | 'void') =>
  SettledMarket.body({
    market: {
      ...exampleNewMarket,
      phase,
      resolvedOutcome: phase === 'resolved' ? 'yes' : null,
      probabilityHalfUnits: phase === 'resolved' ? 20_000 : 10_000,
      resolvedAt: EXAMPLE_NOW,
      volume: 50,
      lastTradeUnits: 4200,
      seq: 1260,
    },
    cancelledOrders: 2,
    settledAccounts: 2,
    paidUnits: 500_000,
  });

export const exampleOperatorStatus: OperatorStatusBody = {
  journalSeq: exampleMarket.seq,
  epoch: 1,
  shard: 'main',
  queueDepth: 0,
  projections: [{ name: 'main', seq: exampleMarket.seq, lagEvents: 0, lagMs: 0, problem: null }],
  version: VERSION,
  uptimeMs: 86_400_000,
};

export const exampleUsage: UsageBody = {
  day: '2026-11-24',
  fleets: [{ primaryAccountId: EXAMPLE_ACCOUNT_ID, commands: 1_204, events: 2_167, bytes: 2_302_481 }],
};

export const exampleHolders: MarketHoldersBody = {
  marketId: EXAMPLE_MARKET_ID,
  accounts: 2,
  yesShares: 40,
  noShares: 40,
  holders: [
    { accountId: EXAMPLE_ACCOUNT_ID, displayName: 'Ada', yesShares: 40, noShares: 0 },
    { accountId: EXAMPLE_SUB_ACCOUNT_ID, displayName: 'Worker', yesShares: 0, noShares: 40 },
  ],
};

export const exampleTransfer = OneSidedTransfer.body({
  from: { accountId: EXAMPLE_SUB_ACCOUNT_ID, displayName: 'Worker' },
  to: { accountId: EXAMPLE_ACCOUNT_ID, displayName: 'Ada' },
  amountHalfUnits: 24_500_000,
  trades: 12,
  shares: 3_500,
  lastTradeAt: EXAMPLE_NOW,
});

export const exampleRebuildStatus: RebuildStatusBody = {
  version: 8,
  running: false,
  schemas: [{ schema: 'read_v8_1', version: 8, status: 'active', seq: exampleMarket.seq, bytes: 12_582_912 }],
};

export const exampleRefusedItem = {
  ok: false,
  status: 404,
  error: 'No market has the id no-such-market',
  code: 'market_not_found',
} as const;

const exampleTape: TapeBody = {
  id: 'made-news',
  format: 'made',
  markets: [
    {
      id: 'made-news',
      title: 'Will the made company report a record quarter?',
      closesAt: '2026-01-05T16:00:00.000Z',
      tickSize: 0.01,
      prior: 0.5,
    },
  ],
  from: '2026-01-05T15:00:00.015Z',
  to: '2026-01-05T16:00:00.000Z',
  events: 3_157,
  bytes: 797_807,
  sha256: 'cc9d4ea37168c8af69ec4302fdf59110afa1d8046948095f8b2c9b531c6b01b6',
  synthetic: true,
  skipped: [],
};

export const exampleTapes = {
  tapes: [exampleTape],
  refused: [{ id: 'notes.txt', why: 'notes.txt is refused: none of its lines is of a known format.' }],
};

export const EXAMPLE_BACKTEST_ID = '7c0f7e6e-3f0a-4b6c-9a53-0d6f6f1f2b11';
const participant = '018cc2a1-9f0f-7b52-9d41-6f0c8e2b7a10';

export const exampleStartedBacktest: StartedBacktestBody = {
  id: EXAMPLE_BACKTEST_ID,
  baseUrl: 'http://localhost:4000/backtest/EXAMPLE-of-128-bits-xx',
  participants: [{ accountId: participant, apiKey: 'svc_live_EXAMPLE-not-a-real-key-Tn8vX2mR5wYbk3Qz' }],
  clock: exampleTape.from,
  state: 'running',
};

export const exampleBacktest: BacktestBody = {
  id: EXAMPLE_BACKTEST_ID,
  tape: exampleTape.id,
  state: 'ended',
  why: null,
  clock: exampleTape.to,
  eventsDone: exampleTape.events,
  events: exampleTape.events,
  participants: [participant],
  createdAt: iso(EXAMPLE_NOW),
  endedAt: iso(EXAMPLE_NOW + 12_000),
};

export const exampleAdvanced = {
  now: '2026-01-05T15:09:30.000Z',
  ended: false,
  waiting: false,
  events: [exampleAccountEvent],
  more: false,
};

export const exampleReport: BacktestReportBody = {
  id: EXAMPLE_BACKTEST_ID,
  partial: false,
  reproducible: true,
  tape: exampleTape,
  queue: 'pessimistic: what the tape withdraws was last in the queue, what it adds is behind your orders',
  settings: {
    tape: exampleTape.id,
    participants: 1,
    latencyMs: 50,
    feedLatencyMs: 20,
    fee: 0.07,
    seed: 1,
    patienceSeconds: 60,
    from: null,
    startingBalance: 10_000,
    to: null,
  },
  build: '1.0.0',
  rulesVersion: 6,
  journal: { seq: 9_120, hash: '91ac9aa9d277087e6b54fb5217d12a98912f92269b6b3e450922f714c82d7fa3' },
  leftOut: [],
  fees: 0.175,
  notModelled: ['How others would have reacted to your orders: they do as recorded, whatever you do.'],
  baselines: [
    { name: 'nothing', pnl: 0 },
    { name: 'hold_yes', pnl: 9_607.84 },
    { name: 'hold_no', pnl: -10_000 },
  ],
  participants: [
    {
      accountId: participant,
      pnl: 4.9,
      return: 0.00049,
      maxDrawdown: { amount: 0.1, fromSeq: 4_410, toSeq: 4_412 },
      turnover: 5.1,
      makerShare: 0,
      spreadPaid: { amount: 0.1, coverage: 1 },
      fees: 0.175,
      equity: [{ at: '2026-01-05T15:09:30.000Z', seq: 4_412, equity: 9_999.9 }],
      fills: [
        {
          seq: 4_412,
          at: '2026-01-05T15:09:30.000Z',
          marketId: exampleTape.id,
          orderId: '019b8e6f-2c00-7a3e-9c41-5d0c8f2b7e31',
          role: 'taker',
          outcome: 'yes',
          side: 'buy',
          price: 0.51,
          quantity: 10,
          queueWaitMs: null,
          book: { bids: [{ price: 0.49, quantity: 80 }], asks: [{ price: 0.51, quantity: 64 }] },
        },
      ],
    },
  ],
};
