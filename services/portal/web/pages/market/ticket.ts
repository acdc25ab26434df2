/** How an order trades: at any price, resting, all or a part at once, whole at once. */
export const ORDER_KINDS = ['market', 'limit', 'ioc', 'fok'] as const;
export type OrderKind = (typeof ORDER_KINDS)[number];

/** An order ticket as the person fills it in: texts are as typed. */
export interface Ticket {
  readonly side: 'buy' | 'sell';
  readonly outcome: 'yes' | 'no';
  readonly kind: OrderKind;
  /** Dollars a share: the limit, or with `market` the worst price, which may be left out. */
  readonly price: string;
  /** The unit of `amount`. A sale is always of shares. */
  readonly unit: 'dollars' | 'shares';
  readonly amount: string;
  readonly postOnly: boolean;
  /** The value of a datetime-local field, in the person's own time zone; empty: the order does not expire. */
  readonly expiresAt: string;
}

export const EMPTY_TICKET: Ticket = {
  side: 'buy',
  outcome: 'yes',
  kind: 'market',
  price: '',
  unit: 'dollars',
  amount: '',
  postOnly: false,
  expiresAt: '',
};

/** Whether the amount is given in dollars. */
export function isInDollars({ side, unit }: Pick<Ticket, 'side' | 'unit'>): boolean {
  return side === 'buy' && unit === 'dollars';
}

/** Longer texts of an address are cut. */
const TEXT_MAX = 40;

/** The ticket in the address of a market's page, as `addressOf` writes it. What is not understood is left out. */
export function ticketOf(search: string): Ticket {
  const given = new URLSearchParams(search);
  const text = (name: keyof Ticket): string => (given.get(name) ?? '').slice(0, TEXT_MAX);
  const word = <W extends string>(name: keyof Ticket, words: readonly W[], otherwise: W): W =>
    words.find((each) => each === given.get(name)) ?? otherwise;
  return {
    side: word('side', ['buy', 'sell'], 'buy'),
    outcome: word('outcome', ['yes', 'no'], 'yes'),
    kind: word('kind', ORDER_KINDS, given.has('price') ? 'limit' : 'market'),
    price: text('price'),
    unit: word('unit', ['dollars', 'shares'], 'dollars'),
    amount: text('amount'),
    postOnly: given.get('postOnly') === 'true',
    expiresAt: text('expiresAt'),
  };
}

/** Whether an address fills in anything of a ticket. */
export function isFilledIn(search: string): boolean {
  const given = new URLSearchParams(search);
  return Object.keys(EMPTY_TICKET).some((name) => given.has(name));
}

/**
 * The address of a market's page with its ticket filled in: `/markets/ID?side=buy&outcome=no&amount=25`. Every part is
 * optional: `outcome` (yes), `side` (buy), `amount` in `unit` (dollars; of a sale always shares), `price` (without
 * `kind` that of a limit order), `kind`, `postOnly` and `expiresAt`.
 */
export function addressOf(marketId: string, ticket: Partial<Ticket> = {}): string {
  const parts = Object.entries(ticket).filter(
    ([name, value]) => value !== EMPTY_TICKET[name as keyof Ticket] || (name === 'kind' && ticket.price !== ''),
  );
  const search = new URLSearchParams(parts.map(([name, value]) => [name, String(value)])).toString();
  return `/markets/${encodeURIComponent(marketId)}${search === '' ? '' : `?${search}`}`;
}
