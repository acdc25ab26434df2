type Level = Readonly<Record<'price' | 'size', number>>;

/** The average price for a number of shares in a book that the caller sends, as pmxt's server walks it. */
export function executionPrice(
  { asks, bids }: Readonly<Record<'asks' | 'bids', readonly Level[]>>,
  side: 'buy' | 'sell',
  amount: number,
) {
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
