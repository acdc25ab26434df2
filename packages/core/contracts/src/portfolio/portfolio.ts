import type { Outcome } from '@paper/exchange/vocabulary';
import { z } from 'zod';
import { answer, chance, computed, list, namedObject, object, renamed, same, time, units } from '../answer.ts';
import type { BodyOf, ViewOf } from '../answer.ts';
import { MarketName, outcome, statusField } from '../markets/market.ts';
import { notional } from '../markets/recent-trade.ts';
import { count, money } from '../numbers.ts';
import { ownOrder } from '../orders/order.ts';
import { dollars, probability, UNITS_PER_DOLLAR } from '../units.ts';

interface Held {
  readonly side: Outcome;
  readonly shares: number;
  readonly costUnits: number;
  readonly probabilityHalfUnits: number;
}

/** The value of one share of an outcome, in half units. */
export function markHalfUnits(side: Outcome, probabilityHalfUnits: number): number {
  return side === 'yes' ? probabilityHalfUnits : 2 * UNITS_PER_DOLLAR - probabilityHalfUnits;
}

const valueHalfUnits = ({ side, shares, probabilityHalfUnits }: Omit<Held, 'costUnits'>) =>
  shares * markHalfUnits(side, probabilityHalfUnits);

export const Position = answer('Position', {
  id: computed(
    z.string().describe('The market and the side: `<marketId>:<side>`.'),
    ({ marketId, side }: { readonly marketId: string; readonly side: Outcome }) => `${marketId}:${side}`,
  ),
  marketId: same(z.string()),
  side: same(outcome),
  shares: same(count),
  avgCost: computed(
    money.describe('The average cost in dollars a share, to six decimals.'),
    ({ costUnits, shares }: Pick<Held, 'costUnits' | 'shares'>) => Math.round((costUnits * 100) / shares) / 1_000_000,
  ),
  markPrice: computed(
    money.describe("What a share is worth: the market's probability for YES, 1 minus it for NO."),
    ({ side, probabilityHalfUnits }: Pick<Held, 'side' | 'probabilityHalfUnits'>) =>
      probability(markHalfUnits(side, probabilityHalfUnits)),
  ),
  marketValue: computed(money.describe('Dollars: shares × markPrice.'), (held: Omit<Held, 'costUnits'>) =>
    probability(valueHalfUnits(held)),
  ),
  unrealizedPnl: computed(money.describe('Dollars: marketValue minus the cost of the shares.'), (held: Held) =>
    probability(valueHalfUnits(held) - 2 * held.costUnits),
  ),
  yesShares: same(count, 'The YES shares of the market that the account holds.'),
  noShares: same(count, 'The NO shares of the market that the account holds.'),
  market: object(
    answer('PositionMarket', {
      ...MarketName.fields,
      id: renamed(z.string(), 'marketId'),
      probability: chance('probabilityHalfUnits'),
      status: statusField(),
    }),
  ),
});

export const Positions = answer('Positions', { positions: list('positions', Position), seq: same(count) });

const PortfolioOrder = answer('PortfolioOrder', { ...ownOrder, market: object(MarketName) });

const tradeFields = {
  id: same(z.string()),
  marketId: same(z.string()),
  outcome: same(outcome),
  price: units('priceUnits', 'Dollars a share, in the terms of `outcome`.'),
  quantity: same(count),
  notional: notional(),
  createdAt: time('createdAt'),
};

const PortfolioTrade = answer('PortfolioTrade', { ...tradeFields, market: object(MarketName) });

const settledFields = {
  id: same(z.string()),
  marketId: same(z.string()),
  outcome: same(outcome, 'The side that was held.'),
  shares: same(count),
  payout: units('payoutUnits', 'Dollars that the shares paid.'),
  pnl: computed(
    money.describe('Dollars: the payout minus the cost of the shares.'),
    ({ costUnits, payoutUnits }: { readonly costUnits: number; readonly payoutUnits: number }) =>
      dollars(payoutUnits - costUnits),
  ),
  settledAt: time('settledAt'),
};

export const SettledPosition = answer('SettledPosition', { ...settledFields, market: object(MarketName) });

/** The items of a portfolio's lists without their markets, which come last in them. */
export const PORTFOLIO_ITEMS = {
  order: answer(null, ownOrder),
  trade: answer(null, tradeFields),
  settled: answer(null, settledFields),
};

/** The value of one account, or of several together, in units; the value of positions is in half units. */
export interface AmountsView {
  readonly cashUnits: number;
  readonly positionsHalfUnits: number;
  readonly startingBalanceUnits: number;
}

const portfolioHalfUnits = ({ cashUnits, positionsHalfUnits }: AmountsView) => 2 * cashUnits + positionsHalfUnits;

/** Cash, worth and profit of an account, or of several together. */
export const Amounts = answer(null, {
  cash: units('cashUnits'),
  positionsValue: computed(money, ({ positionsHalfUnits }: AmountsView) => probability(positionsHalfUnits)),
  portfolioValue: computed(money, (view: AmountsView) => probability(portfolioHalfUnits(view))),
  pnl: computed(money, (view: AmountsView) => probability(portfolioHalfUnits(view) - 2 * view.startingBalanceUnits)),
});

const FleetSummary = namedObject('FleetSummary', {
  accountCount: count,
  subAccountCount: count,
  master: Amounts.schema,
  subAccounts: Amounts.schema,
  total: Amounts.schema,
});

export const Portfolio = namedObject('Portfolio', {
  summary: z.strictObject({
    cash: money.describe('Dollars, including what open orders reserve.'),
    positionsValue: money,
    portfolioValue: money,
    pnl: money,
    unrealizedPnl: money,
    openOrders: count,
    startingBalance: money,
    displayName: z.string(),
  }),
  // A union instead of .nullable(): on a named schema the generator would lose the null.
  fleetSummary: z.union([FleetSummary, z.null()]).describe('Null for an account without sub-accounts.'),
  positions: z.array(Position.schema),
  orders: z.array(PortfolioOrder.schema).describe('All open orders, then the newest 100 ended ones.'),
  trades: z.array(PortfolioTrade.schema).describe('The newest 200 fills.'),
  settled: z.array(SettledPosition.schema).describe('The newest 200 settled positions.'),
});

export type PortfolioBody = z.output<typeof Portfolio>;
export type PositionBody = BodyOf<typeof Position>;
export type PositionView = ViewOf<typeof Position>;
export type PortfolioTradeView = ViewOf<typeof PortfolioTrade>;
export type SettledView = ViewOf<typeof SettledPosition>;

/** The part of a portfolio that precedes its lists of orders, trades and settled positions. */
export interface PortfolioHeadView {
  readonly displayName: string;
  readonly cashUnits: number;
  readonly startingBalanceUnits: number;
  readonly openOrders: number;
  readonly positions: readonly PositionView[];
  /** The sums over the sub-accounts; null for an account without any. */
  readonly fleet: { readonly subAccountCount: number; readonly subAccounts: AmountsView } | null;
}

export interface PortfolioView extends PortfolioHeadView {
  readonly orders: readonly ViewOf<typeof PortfolioOrder>[];
  readonly trades: readonly PortfolioTradeView[];
  readonly settled: readonly SettledView[];
}

export function portfolioBody(view: PortfolioView): PortfolioBody {
  return {
    ...portfolioHeadBody(view),
    orders: view.orders.map(PortfolioOrder.body),
    trades: view.trades.map(PortfolioTrade.body),
    settled: view.settled.map(SettledPosition.body),
  };
}

export function portfolioHeadBody(view: PortfolioHeadView): Omit<PortfolioBody, 'orders' | 'settled' | 'trades'> {
  const { cashUnits, fleet, startingBalanceUnits } = view;
  let positionsHalfUnits = 0;
  let costUnits = 0;
  for (const position of view.positions) {
    positionsHalfUnits += valueHalfUnits(position);
    costUnits += position.costUnits;
  }
  const own = { cashUnits, positionsHalfUnits, startingBalanceUnits };
  return {
    summary: {
      ...Amounts.body(own),
      unrealizedPnl: probability(positionsHalfUnits - 2 * costUnits),
      openOrders: view.openOrders,
      startingBalance: dollars(startingBalanceUnits),
      displayName: view.displayName,
    },
    fleetSummary:
      fleet === null
        ? null
        : {
            accountCount: 1 + fleet.subAccountCount,
            subAccountCount: fleet.subAccountCount,
            master: Amounts.body(own),
            subAccounts: Amounts.body(fleet.subAccounts),
            total: Amounts.body(together(own, fleet.subAccounts)),
          },
    positions: view.positions.map(Position.body),
  };
}

function together(a: AmountsView, b: AmountsView): AmountsView {
  return {
    cashUnits: a.cashUnits + b.cashUnits,
    positionsHalfUnits: a.positionsHalfUnits + b.positionsHalfUnits,
    startingBalanceUnits: a.startingBalanceUnits + b.startingBalanceUnits,
  };
}
