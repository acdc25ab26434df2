import type { PulseEntryBody } from '@paper/contracts/markets';
import type { PortfolioBody, PositionBody } from '@paper/contracts/portfolio';

type Mark = Pick<PulseEntryBody, 'probability'>;

/** The dollars of a position at its market's newest probability, or at the portfolio's own mark before the first pulse. */
export function positionWorth(position: PositionBody, pulse: Mark | undefined) {
  if (pulse === undefined) {
    return { mark: position.markPrice, value: position.marketValue, pnl: position.unrealizedPnl };
  }
  const mark = position.side === 'yes' ? pulse.probability : 1 - pulse.probability;
  const value = mark * position.shares;
  return { mark, value, pnl: value - position.avgCost * position.shares };
}

/** An account's value in dollars, with its positions at the newest probabilities. */
export function liveTotals(
  { cash, startingBalance }: Pick<PortfolioBody['summary'], 'cash' | 'startingBalance'>,
  positions: readonly PositionBody[],
  pulses: ReadonlyMap<string, Mark>,
) {
  let portfolioValue = cash;
  for (const position of positions) portfolioValue += positionWorth(position, pulses.get(position.marketId)).value;
  return { portfolioValue, pnl: portfolioValue - startingBalance };
}

/** Amounts at marks between two prices have more digits than people need. */
export function rounded(amount: number): number {
  return Math.round(amount * 100) / 100;
}
