import type { MarketBody } from '@paper/contracts/markets';
import type { OrderInput } from '../../data/orders/order-calls.ts';
import type { OrderField } from '../../data/orders/order-refusal.ts';
import { readDollars, readPrice, readShares, wrong } from '../../data/orders/typed-order.ts';
import type { Read } from '../../data/orders/typed-order.ts';
import { isInDollars } from './ticket.ts';
import type { Ticket } from './ticket.ts';

export type FieldFaults = Readonly<Partial<Record<OrderField, string>>>;

export type TicketResult =
  | { readonly item: OrderInput; readonly faults: null }
  | { readonly item: null; readonly faults: FieldFaults };

const EXPIRY_MS_MAX = 366 * 86_400_000;

const FORMS = {
  limit: { orderType: 'limit', timeInForce: 'GTC' },
  ioc: { orderType: 'limit', timeInForce: 'IOC' },
  fok: { orderType: 'limit', timeInForce: 'FOK' },
  market: { orderType: 'market', timeInForce: 'IOC' },
} as const;

/** The value of a field that an order may lack: it has neither a value nor a fault then. */
const ABSENT = { value: null, fault: null };

type Part<T> = Read<T> | typeof ABSENT;

/** Reads the order of a ticket, or the faults of its fields. An order must expire after `nowMs`. */
export function readTicket(ticket: Ticket, market: Pick<MarketBody, 'id' | 'tickSize'>, nowMs: number): TicketResult {
  const { side, outcome, kind } = ticket;
  const isBound = kind !== 'market' || ticket.price.trim() !== '';
  const price = isBound ? readPrice(ticket.price, market.tickSize) : ABSENT;
  const amount = isInDollars(ticket) ? readDollars(ticket.amount) : readShares(ticket.amount);
  // Only an order that can rest in the book may be post-only or expire.
  const expiresAt = kind === 'limit' ? readExpiry(ticket.expiresAt, nowMs) : ABSENT;
  const faults = Object.entries({ price, amount, expiresAt }).flatMap(([field, { fault }]) =>
    fault === null ? [] : [[field, fault] as const],
  );
  if (faults.length > 0 || amount.value === null) return { item: null, faults: Object.fromEntries(faults) };
  const item = {
    marketId: market.id,
    side,
    outcome,
    ...FORMS[kind],
    ...(price.value === null ? {} : { price: price.value }),
    ...(isInDollars(ticket) ? { notional: amount.value } : { quantity: amount.value }),
    ...(expiresAt.value === null ? {} : { expiresAt: expiresAt.value }),
    ...(kind === 'limit' && ticket.postOnly ? { postOnly: true } : {}),
  };
  return { item, faults: null };
}

function readExpiry(text: string, nowMs: number): Part<string> {
  if (text === '') return ABSENT;
  // A text without an offset is in the person's own time zone.
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) return wrong('Type a date with a time.');
  if (ms <= nowMs || ms > nowMs + EXPIRY_MS_MAX) {
    return wrong('An order expires later than now, and at most 366 days ahead.');
  }
  return { value: new Date(ms).toISOString(), fault: null };
}
