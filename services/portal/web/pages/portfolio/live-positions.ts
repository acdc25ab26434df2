import type { PulseEntryBody } from '@paper/contracts/markets';
import type { PortfolioBody, PositionBody } from '@paper/contracts/portfolio';

type Mark = Pick<PulseEntryBody, 'probability'>;

/** A position's mark, value and gain in dollars: at the newest probability, else at the portfolio's own mark. */
export function positionWorth(position: PositionBody, pulse: Mark | undefined) {
  if (pulse === undefined) {
    return { mark: position.markPrice, value: position.marketValue, pnl: position.unrealizedPnl };
  }
  const mark = position.side === 'yes' ? pulse.probability : 1 - pulse.probability;
  const value = mark * position.shares;
  return { mark, value, pnl: value - position.avgCost * position.shares };
}

/** An account's value in dollars, at the newest probabilities of its positions' markets. */
export function liveTotals(
  { cash, startingBalance }: Pick<PortfolioBody['summary'], 'cash' | 'startingBalance'>,
  positions: readonly PositionBody[],
  pulses: ReadonlyMap<string, Mark>,
) {
  let portfolioValue = cash;
  for (const position of positions) portfolioValue += positionWorth(position, pulses.get(position.marketId)).value;
  return { portfolioValue, pnl: portfolioValue - startingBalance };
}

/** Rounds dollars to cents, since amounts at marks have more digits. */
export const roundedToCents = (amount: number): number => Math.round(amount * 100) / 100;
