import type { PortfolioBody } from '@paper/contracts/portfolio';
import { isOpen } from './open-orders.ts';

/** What a person can trade with in one market: dollars, and shares by outcome. */
export interface Means {
  /** Dollars that no order reserves. */
  readonly free: number;
  readonly reserved: number;
  /** The number of open orders that reserve dollars. */
  readonly reservedBy: number;
  /** Held shares, and the part that open orders offer for sale. */
  readonly shares: Readonly<Record<'yes' | 'no', { readonly held: number; readonly offered: number }>>;
}

export function meansOf(
  { orders, positions, summary }: Pick<PortfolioBody, 'orders' | 'positions' | 'summary'>,
  marketId: string,
): Means {
  const open = orders.filter(isOpen);
  const reserving = open.filter(({ reservedAmount }) => reservedAmount > 0);
  const reserved = Math.round(reserving.reduce((sum, { reservedAmount }) => sum + reservedAmount, 0) * 1e4) / 1e4;
  const held = positions.find((position) => position.marketId === marketId);
  const offered = (outcome: 'yes' | 'no'): number =>
    open
      .filter((order) => order.marketId === marketId && order.side === 'sell' && order.outcome === outcome)
      .reduce((sum, { filledQty, quantity }) => sum + quantity - filledQty, 0);
  return {
    free: Math.round((summary.cash - reserved) * 1e4) / 1e4,
    reserved,
    reservedBy: reserving.length,
    shares: {
      yes: { held: held?.yesShares ?? 0, offered: offered('yes') },
      no: { held: held?.noShares ?? 0, offered: offered('no') },
    },
  };
}
