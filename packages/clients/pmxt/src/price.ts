interface Level {
  readonly price: number;
  readonly size: number;
}

/** The average price for a number of shares. */
export interface ExecutionPrice {
  readonly price: number;
  readonly filledAmount: number;
  readonly fullyFilled: boolean;
}

/** Walks a book that the caller sends, as pmxt's server does. */
export function executionPrice(
  { asks, bids }: { readonly asks: readonly Level[]; readonly bids: readonly Level[] },
  side: 'buy' | 'sell',
  amount: number,
): ExecutionPrice {
  const levels = [...(side === 'buy' ? asks : bids)]
    .filter(({ size }) => size > 0)
    .sort((a, b) => (side === 'buy' ? a.price - b.price : b.price - a.price));
  let cost = 0;
  let filledAmount = 0;
  for (const { price, size } of levels) {
    const filled = Math.min(amount - filledAmount, size);
    cost += filled * price;
    filledAmount += filled;
    if (filledAmount >= amount) break;
  }
  return { price: filledAmount === 0 ? 0 : cost / filledAmount, filledAmount, fullyFilled: filledAmount >= amount };
}
