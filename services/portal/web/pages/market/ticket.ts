/** How an order trades: resting, all or a part at once, whole at once, or at any price. */
export const ORDER_KINDS = ['limit', 'market', 'ioc', 'fok'] as const;
export type OrderKind = (typeof ORDER_KINDS)[number];

/** An order ticket as the person fills it in: texts are as typed. */
export interface Ticket {
  readonly side: 'buy' | 'sell';
  readonly outcome: 'yes' | 'no';
  readonly kind: OrderKind;
  /** Dollars a share: the limit, or with `market` the worst price, which may be left out. */
  readonly price: string;
  /** Whether `quantity` or `notional` counts. Only a buy has dollars. */
  readonly amountIn: 'shares' | 'dollars';
  readonly quantity: string;
  readonly notional: string;
  readonly postOnly: boolean;
  /** The value of a datetime-local field, in the person's own time zone; empty: the order does not expire. */
  readonly expiresAt: string;
}

export const EMPTY_TICKET: Ticket = {
  side: 'buy',
  outcome: 'yes',
  kind: 'limit',
  price: '',
  amountIn: 'shares',
  quantity: '',
  notional: '',
  postOnly: false,
  expiresAt: '',
};
