import { PLAIN_ORDER } from '@paper/exchange/commands';
import { Account, FleetKey, issuedKeyBody, ApiKey, SubAccount } from '../../src/accounts/account.ts';
import type { KeyView } from '../../src/accounts/account.ts';
import { Me } from '../../src/accounts/me.ts';
import { Market, TREND_HOURS } from '../../src/markets/market.ts';
import type { MarketView } from '../../src/markets/market.ts';
import type { NewMarket } from '../../src/operator/operator.ts';
import { Fill } from '../../src/orders/fill.ts';
import type { FillView } from '../../src/orders/fill.ts';
import { Order, OrderDetail, OrderPreview } from '../../src/orders/order.ts';
import type { OrderDetailView, OrderView } from '../../src/orders/order.ts';
import type { AmountsView, PositionView } from '../../src/portfolio/portfolio.ts';
import { shownName } from '../../src/shown-name.ts';
import { tradeHeadline } from '../../src/signals/headline.ts';
import type { SignalView } from '../../src/signals/signal.ts';
import { iso } from '../../src/units.ts';

/**
 * The data of every example in the OpenAPI document: one account, one order, one market of the demo. The account buys
 * 10 YES shares at 0.87 at most; 4 fill at 0.86 and 6 rest. Each example shows its part of this story, and the mappers
 * that the services use write it. Ids of the demo's markets are real; ids that a running service makes are not.
 */

const at = (day: number, hour = 0, minute = 0, second = 0, ms = 0): number =>
  Date.UTC(2026, 10, day, hour, minute, second, ms);

export const EXAMPLE_MARKET_ID = 'apple-services-record-2027';
/** A second market of the demo, settled in the examples only. */
export const EXAMPLE_SETTLED_MARKET_ID = 'costco-membership-fee-2028';
export const EXAMPLE_SECTOR = 'technology';

/** A listing of an operator's own: the demo has no market with this id. */
export const exampleListing = {
  id: 'acme-rocket-2028',
  title: 'Will Acme launch its first rocket by the end of 2028?',
  ticker: 'ACME',
  companySlug: 'acme',
  sector: 'industrials',
  category: 'product',
  settlementSource: 'Acme newsroom',
  prior: 0.4,
  closesAt: '2028-12-31T23:59:00.000Z',
  tickSize: 0.01,
  companyImpact: 0.5,
  drivers: ['space', 'supply-chain'],
  description: 'Yes if a rocket of Acme leaves the launch pad by 31 December 2028.',
  citationUrl: 'https://acme.example/news',
} as const satisfies Omit<NewMarket, 'drivers'> & { readonly drivers: readonly string[] };

export const exampleListingBody = (): NewMarket => ({ ...exampleListing, drivers: [...exampleListing.drivers] });

export const exampleMarket: MarketView = {
  id: EXAMPLE_MARKET_ID,
  title: 'Will Apple report a record quarter for services revenue in calendar 2027?',
  ticker: 'AAPL',
  companySlug: 'apple',
  sector: EXAMPLE_SECTOR,
  category: 'earnings',
  settlementSource: 'Apple investor relations',
  phase: 'active',
  resolvedOutcome: null,
  probabilityHalfUnits: 17_600,
  volume: 340,
  openInterest: 210,
  bestBidUnits: 8700,
  bestAskUnits: 8900,
  lastTradeUnits: 8600,
  tickUnits: 100,
  closesAt: Date.UTC(2028, 1, 15, 23, 59),
  createdAt: at(16, 8),
  resolvedAt: null,
  description: "Yes if any results that Apple publishes in 2027 show services revenue above every earlier quarter's.",
  citationUrl: 'https://investor.apple.com',
  seq: 1202,
};

export const exampleSettledMarket: MarketView = {
  ...exampleMarket,
  id: EXAMPLE_SETTLED_MARKET_ID,
  title: 'Will Costco announce a higher US membership fee by the end of June 2028?',
  ticker: 'COST',
  companySlug: 'costco',
  sector: 'consumer',
  category: 'pricing',
  settlementSource: 'Costco press releases',
  phase: 'resolved',
  resolvedOutcome: 'no',
  probabilityHalfUnits: 0,
  volume: 120,
  openInterest: 0,
  bestBidUnits: null,
  bestAskUnits: null,
  lastTradeUnits: 2000,
  closesAt: Date.UTC(2028, 5, 30, 23, 59),
  resolvedAt: at(19, 16),
  description: 'Announced counts; it need not be in force yet.',
  citationUrl: 'https://investor.costco.com',
  seq: 960,
};

/** A market as its operator has just listed it. */
export const exampleNewMarket: MarketView = {
  ...exampleMarket,
  ...exampleListing,
  probabilityHalfUnits: 8000,
  volume: 0,
  openInterest: 0,
  bestBidUnits: null,
  bestAskUnits: null,
  lastTradeUnits: null,
  closesAt: Date.parse(exampleListing.closesAt),
  createdAt: at(20, 14),
  seq: 1203,
};

export const newMarketIn = (phase: MarketView['phase'], more: Partial<MarketView> = {}) =>
  Market.body({ ...exampleNewMarket, phase, seq: 1204, ...more });

export const EXAMPLE_ACCOUNT_ID = '019a9e3a-7c00-7b52-9d41-6f0c8e2b7a10';
export const EXAMPLE_SUB_ACCOUNT_ID = '019a9e41-2a80-7c19-8e6b-3b5d1f09c4e2';
export const EXAMPLE_ORDER_ID = '019aa5d8-6c00-7a3e-9c41-5d0c8f2b7e31';
export const EXAMPLE_KEY_ID = '019a9e3a-7c01-7f08-a1d2-94c3e85b6d77';
export const EXAMPLE_TRADE_ID = '019aa5d8-6c01-7d4b-8f20-1c9e7a3b5d66';
export const EXAMPLE_SIGNAL_ID = '019aa4ff-1d00-7e1c-b3a5-7d8f2c6e9b04';

export const exampleOrder: OrderView = {
  orderId: EXAMPLE_ORDER_ID,
  marketId: EXAMPLE_MARKET_ID,
  accountId: EXAMPLE_ACCOUNT_ID,
  side: 'buy',
  outcome: 'yes',
  orderType: 'limit',
  timeInForce: 'GTC',
  priceUnits: 8700,
  quantity: 10,
  filledQty: 4,
  status: 'partial',
  createdAt: at(20, 13, 30, 0, 125),
  reservedUnits: 52_200,
};

export const exampleFill: FillView = {
  ...exampleMarket,
  id: EXAMPLE_TRADE_ID,
  seq: 1202,
  orderId: EXAMPLE_ORDER_ID,
  marketId: EXAMPLE_MARKET_ID,
  side: 'buy',
  outcome: 'yes',
  role: 'taker',
  priceUnits: 8600,
  quantity: 4,
  kind: 'transfer',
  createdAt: at(20, 13, 30, 0, 125),
};

/** The start of the hour of the fill. */
export const EXAMPLE_FILL_HOUR = at(20, 13);

export const exampleTradeHeadline = tradeHeadline('yes', exampleFill.quantity, exampleFill.priceUnits);

export const examplePosition: PositionView = {
  ...exampleMarket,
  marketId: EXAMPLE_MARKET_ID,
  side: 'yes',
  shares: 4,
  costUnits: 34_400,
  yesShares: 4,
  noShares: 0,
};

/** 10,000 granted, less 16 and plus 20 of the settled market, less the 3.44 of the fill. */
export const exampleAmounts: AmountsView = {
  cashUnits: 100_005_600,
  positionsHalfUnits: 70_400,
  startingBalanceUnits: 100_000_000,
};

const untouched: AmountsView = { cashUnits: 100_000_000, positionsHalfUnits: 0, startingBalanceUnits: 100_000_000 };
export const exampleSubAccountAmounts = untouched;

const exampleKey: KeyView = {
  keyId: EXAMPLE_KEY_ID,
  name: 'default',
  permissions: ['view', 'trade'],
  last4: 'k3Qz',
  createdAt: at(19, 9),
  revokedAt: null,
  lastUsedOn: null,
  mandate: null,
};
const RAW_KEY = 'svc_live_EXAMPLE-not-a-real-key-Tn8vX2mR5wYbk3Qz';

export const exampleFleetKey = FleetKey.body({
  ...exampleKey,
  accountId: EXAMPLE_SUB_ACCOUNT_ID,
  lastUsedOn: '2026-11-20',
});
export const exampleIssuedKey = issuedKeyBody(exampleKey, RAW_KEY);
export const exampleReaderKey = issuedKeyBody({ ...exampleKey, name: 'dashboard', permissions: ['view'] }, RAW_KEY);

export const exampleLimitedKey = ApiKey.body({
  ...exampleKey,
  mandate: {
    marketIds: null,
    maxOrderCostUnits: 250_000,
    maxReservedUnits: null,
    maxShares: null,
    reduceOnly: null,
    spendPerDayUnits: 5_000_000,
  },
});

export const exampleSubAccount = SubAccount.body({
  ...untouched,
  accountId: EXAMPLE_SUB_ACCOUNT_ID,
  displayName: 'Momentum bot',
  createdAt: at(19, 9),
  permissions: ['view', 'trade'],
  keys: [exampleKey],
  isClosed: false,
});

export const exampleAccount = Account.body({
  id: EXAMPLE_ACCOUNT_ID,
  displayName: 'Ada',
  createdAt: at(18, 9),
  startingBalanceUnits: 100_000_000,
});

export const exampleForgottenAccount = { ...exampleAccount, displayName: shownName(EXAMPLE_ACCOUNT_ID, null) };

export const exampleSignal: SignalView = {
  id: EXAMPLE_SIGNAL_ID,
  source: 'Apple newsroom',
  headline: 'Apple announces a record quarter for services',
  citationUrl: 'https://www.apple.com/newsroom/',
  publishedAt: at(20, 12, 59, 30),
  marketId: EXAMPLE_MARKET_ID,
  beforeHalfUnits: 17_200,
  afterHalfUnits: 17_400,
  fairProb: 0.9,
  seq: 1187,
};

export const exampleSignalInput = {
  externalId: 'services-2026-q4',
  source: exampleSignal.source,
  headline: exampleSignal.headline,
  citationUrl: exampleSignal.citationUrl,
  publishedAt: iso(exampleSignal.publishedAt),
  marketId: EXAMPLE_MARKET_ID,
  fairProb: 0.9,
  confidence: 0.8,
};

export const EXAMPLE_CLIENT_ORDER_ID = 'bid-1';

export const exampleOrderDetail: OrderDetailView = {
  ...exampleOrder,
  ...PLAIN_ORDER,
  clientOrderId: EXAMPLE_CLIENT_ORDER_ID,
  expiresAt: at(21, 13, 30),
  averagePriceUnits: exampleFill.priceUnits,
  reason: null,
  seq: exampleFill.seq,
};
export const exampleOrderDetailBody = OrderDetail.body(exampleOrderDetail);

export const exampleMeBody = Me.body({
  accountId: EXAMPLE_ACCOUNT_ID,
  displayName: exampleAccount.displayName,
  primaryAccountId: EXAMPLE_ACCOUNT_ID,
  keyId: EXAMPLE_KEY_ID,
  keyName: exampleKey.name,
  permissions: exampleKey.permissions,
  mandate: null,
  spentTodayUnits: 86_600,
  complianceMode: 'paper',
  approved: true,
});

export const exampleMarketBody = Market.body(exampleMarket);
/** The market in a list with its trend: up by two points, in steps of half a one. */
export const exampleTrendBody = Market.body({
  ...exampleMarket,
  trend: {
    dayAgoHalfUnits: 17_200,
    hourlyHalfUnits: Array.from({ length: TREND_HOURS }, (_, hour) => 17_200 + 100 * Math.floor(hour / 6)),
  },
});
export const exampleOrderBody = Order.body(exampleOrder);
export const exampleOrderPreviewBody = OrderPreview.body({
  averageUnits: 4_050,
  cashAfterUnits: 99_983_800,
  costUnits: 16_200,
  filledQty: 4,
  fills: [
    { priceUnits: 4_000, quantity: 2 },
    { priceUnits: 4_100, quantity: 2 },
  ],
  freeCashAfterUnits: 99_959_200,
  noSharesAfter: 0,
  priceUnits: 4_100,
  quantity: 10,
  reason: null,
  reservedUnits: 24_600,
  status: 'partial',
  yesSharesAfter: 4,
  seq: 1202,
});
export const exampleFillBody = Fill.body(exampleFill);
/** The time of the stream's and the health check's examples. */
export const EXAMPLE_NOW = at(20, 13, 31);
