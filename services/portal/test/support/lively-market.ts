import { randomUUID } from 'node:crypto';
import type { MarketBody, OrderBookBody, RecentTradeBody } from '@paper/contracts/markets';
import { marketReads } from '../../src/pages/paths.ts';
import type { PageReads } from '../../src/pages/read-answer.ts';

export const LIVELY_ID = 'will-the-lively-market-stay-lively-2027';

const LEVELS = 20;
const TRADES = 20;

/** The answers that the page of a market with a long text, a full book and many trades is rendered from. */
export function livelyMarket(): PageReads {
  const { book, market, trades } = marketReads(LIVELY_ID);
  return {
    [market]: { body: LIVELY, seq: 70_000, next: null },
    [book]: { body: fullBook(), seq: 70_000, next: null },
    [trades]: { body: Array.from({ length: TRADES }, (_, n) => trade(n)), seq: 70_000, next: null },
  };
}

const LIVELY: MarketBody = {
  id: LIVELY_ID,
  title: 'Will the company of the lively market report a record quarter for services revenue in calendar 2027?',
  ticker: 'LIVE',
  companySlug: 'lively',
  sector: 'technology',
  category: 'earnings',
  settlementSource: "The company's investor relations",
  status: 'active',
  phase: 'active',
  resolvedOutcome: null,
  probability: 0.5,
  volume: 123_456,
  openInterest: 45_678,
  bestYesBid: 0.48,
  bestYesAsk: 0.52,
  bestNoBid: 0.48,
  bestNoAsk: 0.52,
  spread: 0.04,
  lastTradePrice: 0.51,
  tickSize: 0.01,
  closesAt: '2028-02-15T23:59:00.000Z',
  createdAt: '2026-11-23T10:25:16.012Z',
  resolvedAt: null,
  description:
    "Yes if any results that the company publishes in 2027 show services revenue above every earlier quarter's. A demo market: the question is made up, and settles in simulated money.",
  citationUrl: 'https://investor.example.com/',
  seq: 70_000,
};

function fullBook(): OrderBookBody {
  const levels = (first: number, step: number) =>
    Array.from({ length: LEVELS }, (_, n) => ({
      price: Math.round(100 * first + step * n) / 100,
      quantity: 7 + ((n * 37) % 450),
      orders: 1 + (n % 4),
    }));
  const side = { bids: levels(0.48, -1), asks: levels(0.52, 1) };
  const { bestNoAsk, bestNoBid, bestYesAsk, bestYesBid, lastTradePrice, seq, spread } = LIVELY;
  const quotes = { bestNoAsk, bestNoBid, bestYesAsk, bestYesBid, lastTradePrice, spread };
  return { marketId: LIVELY_ID, seq, yes: side, no: side, ...quotes };
}

function trade(n: number): RecentTradeBody {
  const price = (40 + ((n * 7) % 20)) / 100;
  return {
    id: randomUUID(),
    marketId: LIVELY_ID,
    seq: 70_000 - 13 * n,
    outcome: n % 3 === 0 ? 'no' : 'yes',
    side: n % 4 === 0 ? 'sell' : 'buy',
    price,
    yesPrice: price,
    quantity: 1 + ((n * 31) % 90),
    notional: price * (1 + ((n * 31) % 90)),
    kind: 'mint',
    createdAt: new Date(Date.UTC(2026, 10, 23, 10, 7) - 9_137 * n).toISOString(),
    market: { title: LIVELY.title, ticker: LIVELY.ticker, companySlug: LIVELY.companySlug, resolvedOutcome: null },
  };
}
