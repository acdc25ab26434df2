import type { OrderDetailBody, OrderPreviewBody } from '@paper/contracts/orders';
import { countText, DEALS, moneyText, OUTCOME_NAMES, priceText } from '../../ui/format.ts';

/** Why an order, or the rest of it, was cancelled: clauses that follow a colon. */
export const CANCEL_REASONS: Readonly<Record<NonNullable<OrderPreviewBody['reason']>, string>> = {
  user: 'a request cancelled it',
  ioc_remainder: 'it may not rest',
  fok_unfillable: 'it cannot fill whole at once',
  self_trade: 'the next order of the book is your own',
  no_liquidity: 'there is no more at an allowed price',
  fill_limit: 'one order can fill 500 others at most',
  market_closed: 'the market has closed',
  market_resolved: 'the market is settled',
  post_only: 'it would take shares, and is post-only',
  expired: 'its time has come',
  dead_man_switch: 'the dead-man switch was not set again',
  account_closed: 'the account was closed',
};

type Result = Pick<
  OrderDetailBody,
  'averagePrice' | 'filledQty' | 'outcome' | 'price' | 'quantity' | 'reason' | 'side' | 'status'
>;

/** The result of an order in sentences. `cost`: the dollars of its fills, if known more exactly than by the average. */
export function resultText(order: Result, cost: number | null = null): string {
  const { averagePrice, filledQty, outcome, price, quantity, reason, side, status } = order;
  const shares = OUTCOME_NAMES[outcome];
  const rest = quantity - filledQty;
  const why = reason === null ? '' : `: ${CANCEL_REASONS[reason]}`;
  if (averagePrice === null) {
    if (status === 'cancelled') return `Cancelled without a fill${why}.`;
    return `The order to ${side} ${countText(rest)} ${shares} at ${priceText(price)} rests in the book.`;
  }
  const dollars = cost ?? Math.round(averagePrice * filledQty * 100) / 100;
  const filled = `${DEALS[side]} ${countText(filledQty)} ${shares} at ${priceText(averagePrice)} on average for ${moneyText(dollars)}.`;
  if (status === 'cancelled' && rest > 0) return `${filled} The other ${countText(rest)} are cancelled${why}.`;
  if (status === 'partial') return `${filled} The other ${countText(rest)} rest in the book at ${priceText(price)}.`;
  return filled;
}
