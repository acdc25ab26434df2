import type { PulseEntryBody } from '@paper/contracts/markets';
import type { PositionBody } from '@paper/contracts/portfolio';

/** Worth and profit of a position in dollars. */
export interface PositionWorth {
  readonly mark: number;
  readonly value: number;
  readonly pnl: number;
}

type Mark = Pick<PulseEntryBody, 'probability'>;

/**
 * A position at a market's newest probability; at the portfolio's own mark where there was no pulse of the market.
 *
 * @param pulse the market's newest pulse, if there is one
 */
export function positionWorth(position: PositionBody, pulse: Mark | undefined): PositionWorth {
  if (pulse === undefined) {
    return { mark: position.markPrice, value: position.marketValue, pnl: position.unrealizedPnl };
  }
  const mark = position.side === 'yes' ? pulse.probability : 1 - pulse.probability;
  const value = mark * position.shares;
  return { mark, value, pnl: value - position.avgCost * position.shares };
}

/** The amounts of an account, with its positions at the newest probabilities. */
export function liveTotals(
  summary: { readonly cash: number; readonly startingBalance: number },
  positions: readonly PositionBody[],
  pulses: ReadonlyMap<string, Mark>,
): {
  readonly positionsValue: number;
  readonly portfolioValue: number;
  readonly pnl: number;
  readonly unrealizedPnl: number;
} {
  let positionsValue = 0;
  let unrealizedPnl = 0;
  for (const position of positions) {
    const worth = positionWorth(position, pulses.get(position.marketId));
    positionsValue += worth.value;
    unrealizedPnl += worth.pnl;
  }
  const portfolioValue = summary.cash + positionsValue;
  return { positionsValue, portfolioValue, pnl: portfolioValue - summary.startingBalance, unrealizedPnl };
}
