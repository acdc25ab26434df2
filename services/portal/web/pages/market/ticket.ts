/** Market, limit, immediate-or-cancel, fill-or-kill. */
export const ORDER_KINDS = ['market', 'limit', 'ioc', 'fok'] as const;
export type OrderKind = (typeof ORDER_KINDS)[number];

/** The order ticket, with texts as typed. */
export interface Ticket {
  readonly side: 'buy' | 'sell';
  readonly outcome: 'yes' | 'no';
  readonly kind: OrderKind;
  /** Dollars a share: the limit, or the optional worst price of a market order. */
  readonly price: string;
  /** Sales are always in shares. */
  readonly unit: 'dollars' | 'shares';
  readonly amount: string;
  readonly postOnly: boolean;
  /** The value of a datetime-local field, in the person's zone; empty for none. */
  readonly expiresAt: string;
}

export function isInDollars({ side, unit }: Pick<Ticket, 'side' | 'unit'>): boolean {
  return side === 'buy' && unit === 'dollars';
}

/** Longer texts of an address are cut. */
const TEXT_MAX = 40;

/** The ticket in the address of a market's page, as `ticketAddress` writes it. Invalid parts are ignored. */
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

/** The ticket for an address without a ticket. */
export const EMPTY_TICKET = ticketOf('');

export function isFilledIn(search: string): boolean {
  const given = new URLSearchParams(search);
  return Object.keys(EMPTY_TICKET).some((name) => given.has(name));
}

/**
 * The address of a market's page with a ticket: `/markets/ID?side=buy&outcome=no&amount=25`. Each part is optional:
 * `outcome` (yes), `side` (buy), `amount` in `unit` (dollars; of a sale shares), `price` (without `kind` a limit),
 * `kind`, `postOnly` and `expiresAt`.
 */
export function ticketAddress(marketId: string, ticket: Partial<Ticket> = {}): string {
  const parts = Object.entries(ticket).filter(
    ([name, value]) => value !== EMPTY_TICKET[name as keyof Ticket] || (name === 'kind' && ticket.price !== ''),
  );
  const search = new URLSearchParams(parts.map(([name, value]) => [name, String(value)])).toString();
  return `/markets/${encodeURIComponent(marketId)}${search === '' ? '' : `?${search}`}`;
}
