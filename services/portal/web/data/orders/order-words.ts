import type { OrderBody, OrderPreviewBody } from '@paper/contracts/orders';
import { countText, OUTCOME_NAMES, priceText } from '../../ui/format.ts';

type Reason = NonNullable<OrderPreviewBody['reason']>;

const REASONS: Readonly<Record<Reason, string>> = {
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

/** Why an order, or its rest, is cancelled; a clause. */
export function reasonText(reason: Reason): string {
  return REASONS[reason];
}

type Result = Pick<OrderBody, 'filledQty' | 'orderType' | 'outcome' | 'price' | 'quantity' | 'side' | 'status'>;

/** The result of an order in a sentence. */
export function resultText({ filledQty, orderType, outcome, price, quantity, side, status }: Result): string {
  const shares = OUTCOME_NAMES[outcome];
  // The price of an order: the limit of a limit order, the average of its fills for a market order.
  const at = orderType === 'limit' ? `at ${priceText(price)} or better` : `at ${priceText(price)} on average`;
  const verb = side === 'buy' ? 'Bought' : 'Sold';
  if (status === 'filled') return `${verb} ${countText(quantity)} ${shares} ${at}.`;
  const part = filledQty > 0 ? `${verb} ${countText(filledQty)} of ${countText(quantity)} ${shares} ${at}; ` : '';
  if (status === 'cancelled') return part === '' ? 'Cancelled without a fill.' : `${part}the rest is cancelled.`;
  const rest = `${countText(quantity - filledQty)} ${shares} at ${priceText(price)}`;
  return part === '' ? `The order to ${side} ${rest} rests in the book.` : `${part}${rest} rest in the book.`;
}
