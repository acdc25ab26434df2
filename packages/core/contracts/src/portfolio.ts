import type { OrderView, Outcome, Phase } from '@paper/exchange/vocabulary';
import { z } from 'zod';
import { marketStatus, outcome, statusOf } from './market.ts';
import { count, fraction, money } from './numbers.ts';
import { orderFieldsBody, orderShape } from './order.ts';
import { timestamp } from './text.ts';
import { dollars, iso, probability, UNITS_PER_DOLLAR } from './units.ts';

const marketName = {
  title: z.string(),
  ticker: z.string(),
  companySlug: z.string(),
  resolvedOutcome: outcome.nullable(),
};

/** The market's fields in an item of a list. */
export const PortfolioMarket = z.strictObject(marketName).meta({ id: 'PortfolioMarket' });
const PositionMarket = z
  .strictObject({ ...marketName, id: z.string(), probability: fraction, status: marketStatus })
  .meta({ id: 'PositionMarket' });

export const Position = z
  .strictObject({
    id: z.string().meta({ description: 'The market and the side: `<marketId>:<side>`.' }),
    marketId: z.string(),
    side: outcome,
    shares: count,
    avgCost: money.meta({ description: 'The average cost in dollars a share, to six decimals.' }),
    markPrice: money.meta({
      description: "What a share is worth: the market's probability for YES, 1 minus it for NO.",
    }),
    marketValue: money.meta({ description: 'Dollars: shares × markPrice.' }),
    unrealizedPnl: money.meta({ description: 'Dollars: marketValue minus the cost of the shares.' }),
    yesShares: count.meta({ description: 'The YES shares of the market that the account holds.' }),
    noShares: count.meta({ description: 'The NO shares of the market that the account holds.' }),
    market: PositionMarket,
  })
  .meta({ id: 'Position' });

export const Positions = z.strictObject({ positions: z.array(Position), seq: count }).meta({ id: 'Positions' });

const PortfolioOrder = z.strictObject({ ...orderShape, market: PortfolioMarket }).meta({ id: 'PortfolioOrder' });

const PortfolioTrade = z
  .strictObject({
    id: z.string(),
    marketId: z.string(),
    outcome,
    price: money.meta({ description: 'Dollars a share, in the terms of `outcome`.' }),
    quantity: count,
    notional: money,
    createdAt: timestamp,
    market: PortfolioMarket,
  })
  .meta({ id: 'PortfolioTrade' });

export const SettledPosition = z
  .strictObject({
    id: z.string(),
    marketId: z.string(),
    outcome: outcome.meta({ description: 'The side that was held.' }),
    shares: count,
    payout: money.meta({ description: 'Dollars that the shares paid.' }),
    pnl: money.meta({ description: 'Dollars: the payout minus the cost of the shares.' }),
    settledAt: timestamp,
    market: PortfolioMarket,
  })
  .meta({ id: 'SettledPosition' });

const fleetAmounts = z.strictObject({ cash: money, positionsValue: money, portfolioValue: money, pnl: money });

const FleetSummary = z
  .strictObject({
    accountCount: count,
    subAccountCount: count,
    master: fleetAmounts,
    subAccounts: fleetAmounts,
    total: fleetAmounts,
  })
  .meta({ id: 'FleetSummary' });

export const Portfolio = z
  .strictObject({
    summary: z.strictObject({
      cash: money.meta({ description: 'Dollars, including what open orders reserve.' }),
      positionsValue: money,
      portfolioValue: money,
      pnl: money,
      unrealizedPnl: money,
      openOrders: count,
      startingBalance: money,
      displayName: z.string(),
    }),
    // A union and not .nullable(): on a named schema the generator would lose the null.
    fleetSummary: z.union([FleetSummary, z.null()]).meta({ description: 'Null for an account without sub-accounts.' }),
    positions: z.array(Position),
    orders: z.array(PortfolioOrder).meta({ description: 'All open orders, then the newest 100 ended ones.' }),
    trades: z.array(PortfolioTrade).meta({ description: 'The newest 200 fills.' }),
    settled: z.array(SettledPosition).meta({ description: 'The newest 200 settled positions.' }),
  })
  .meta({ id: 'Portfolio' });

export type PositionBody = z.output<typeof Position>;
export type PositionsBody = z.output<typeof Positions>;
export type PortfolioBody = z.output<typeof Portfolio>;

/** The market's fields in an item of a portfolio. */
export interface MarketNameView {
  readonly title: string;
  readonly ticker: string;
  readonly companySlug: string;
  readonly phase: Phase;
  readonly resolvedOutcome: Outcome | null;
  readonly probabilityHalfUnits: number;
}

/** The shares held of one outcome. `costUnits` is their cost. */
export interface PositionView {
  readonly marketId: string;
  readonly side: Outcome;
  readonly shares: number;
  readonly costUnits: number;
  readonly yesShares: number;
  readonly noShares: number;
  readonly market: MarketNameView;
}

/** A fill of the account, at the price of its own outcome. */
export interface PortfolioTradeView {
  readonly id: string;
  readonly marketId: string;
  readonly outcome: Outcome;
  readonly priceUnits: number;
  readonly quantity: number;
  readonly createdAt: number;
  readonly market: MarketNameView;
}

export interface SettledView {
  readonly id: string;
  readonly marketId: string;
  readonly outcome: Outcome;
  readonly shares: number;
  readonly payoutUnits: number;
  readonly costUnits: number;
  readonly settledAt: number;
  readonly market: MarketNameView;
}

/** The value of one account, or of several together. Positions are valued in half units. */
export interface AmountsView {
  readonly cashUnits: number;
  readonly positionsHalfUnits: number;
  readonly startingBalanceUnits: number;
}

export interface PortfolioView {
  readonly displayName: string;
  readonly cashUnits: number;
  readonly startingBalanceUnits: number;
  readonly openOrders: number;
  readonly positions: readonly PositionView[];
  readonly orders: readonly (OrderView & { readonly market: MarketNameView })[];
  readonly trades: readonly PortfolioTradeView[];
  readonly settled: readonly SettledView[];
  /** Null for an account without sub-accounts. */
  readonly fleet: { readonly subAccountCount: number; readonly subAccounts: AmountsView } | null;
}

export function marketNameBody(market: MarketNameView): z.output<typeof PortfolioMarket> {
  return {
    title: market.title,
    ticker: market.ticker,
    companySlug: market.companySlug,
    resolvedOutcome: market.resolvedOutcome,
  };
}

/** The value of one share of an outcome, in half units. */
export function markHalfUnits(side: Outcome, probabilityHalfUnits: number): number {
  return side === 'yes' ? probabilityHalfUnits : 2 * UNITS_PER_DOLLAR - probabilityHalfUnits;
}

export function positionBody(view: PositionView): PositionBody {
  const mark = markHalfUnits(view.side, view.market.probabilityHalfUnits);
  return {
    id: `${view.marketId}:${view.side}`,
    marketId: view.marketId,
    side: view.side,
    shares: view.shares,
    avgCost: Math.round((view.costUnits * 100) / view.shares) / 1_000_000,
    markPrice: probability(mark),
    marketValue: probability(mark * view.shares),
    unrealizedPnl: probability(mark * view.shares - 2 * view.costUnits),
    yesShares: view.yesShares,
    noShares: view.noShares,
    market: {
      ...marketNameBody(view.market),
      id: view.marketId,
      probability: probability(view.market.probabilityHalfUnits),
      status: statusOf(view.market.phase),
    },
  };
}

export function positionsBody(positions: readonly PositionView[], seq: number): PositionsBody {
  return { positions: positions.map(positionBody), seq };
}

/** Cash, worth and profit of an account, or of several together. */
export function amountsBody(view: AmountsView): z.output<typeof fleetAmounts> {
  const portfolioHalfUnits = 2 * view.cashUnits + view.positionsHalfUnits;
  return {
    cash: dollars(view.cashUnits),
    positionsValue: probability(view.positionsHalfUnits),
    portfolioValue: probability(portfolioHalfUnits),
    pnl: probability(portfolioHalfUnits - 2 * view.startingBalanceUnits),
  };
}

export function portfolioBody(view: PortfolioView): PortfolioBody {
  let positionsHalfUnits = 0;
  let costUnits = 0;
  for (const { side, shares, costUnits: cost, market } of view.positions) {
    positionsHalfUnits += shares * markHalfUnits(side, market.probabilityHalfUnits);
    costUnits += cost;
  }
  const own = { cashUnits: view.cashUnits, positionsHalfUnits, startingBalanceUnits: view.startingBalanceUnits };
  return {
    summary: {
      ...amountsBody(own),
      unrealizedPnl: probability(positionsHalfUnits - 2 * costUnits),
      openOrders: view.openOrders,
      startingBalance: dollars(view.startingBalanceUnits),
      displayName: view.displayName,
    },
    fleetSummary:
      view.fleet === null
        ? null
        : {
            accountCount: 1 + view.fleet.subAccountCount,
            subAccountCount: view.fleet.subAccountCount,
            master: amountsBody(own),
            subAccounts: amountsBody(view.fleet.subAccounts),
            total: amountsBody(together(own, view.fleet.subAccounts)),
          },
    positions: view.positions.map(positionBody),
    orders: view.orders.map((order) => ({ ...orderFieldsBody(order), market: marketNameBody(order.market) })),
    trades: view.trades.map((trade) => ({
      id: trade.id,
      marketId: trade.marketId,
      outcome: trade.outcome,
      price: dollars(trade.priceUnits),
      quantity: trade.quantity,
      notional: dollars(trade.priceUnits * trade.quantity),
      createdAt: iso(trade.createdAt),
      market: marketNameBody(trade.market),
    })),
    settled: view.settled.map(settledBody),
  };
}

export function settledBody(settled: SettledView): z.output<typeof SettledPosition> {
  return {
    id: settled.id,
    marketId: settled.marketId,
    outcome: settled.outcome,
    shares: settled.shares,
    payout: dollars(settled.payoutUnits),
    pnl: dollars(settled.payoutUnits - settled.costUnits),
    settledAt: iso(settled.settledAt),
    market: marketNameBody(settled.market),
  };
}

function together(a: AmountsView, b: AmountsView): AmountsView {
  return {
    cashUnits: a.cashUnits + b.cashUnits,
    positionsHalfUnits: a.positionsHalfUnits + b.positionsHalfUnits,
    startingBalanceUnits: a.startingBalanceUnits + b.startingBalanceUnits,
  };
}
