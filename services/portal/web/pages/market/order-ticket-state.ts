import type { MarketBody } from '@paper/contracts/markets';
import { parseUnits, UNITS_PER_DOLLAR } from '@paper/contracts/units';
import type { OrderInput } from '../../data/orders/order-calls.ts';
import type { OrderField } from '../../data/orders/order-refusal.ts';
import { readNumber, readShares, wrong } from '../../data/orders/typed-number.ts';
import type { Read } from '../../data/orders/typed-number.ts';
import type { Ticket } from './ticket.ts';

/** The texts shown beside a field. */
export type FieldFaults = Readonly<Partial<Record<OrderField, string>>>;

export type TicketResult =
  | { readonly item: OrderInput; readonly faults: null }
  | { readonly item: null; readonly faults: FieldFaults };

const PRICE_MIN = 0.01;
const PRICE_MAX = 0.99;
/** Dollars. */
const NOTIONAL_MAX = 5_000;
const EXPIRY_MS_MAX = 366 * 86_400_000;

/** Whether the rest of an order of this kind can enter the book, so that it may be post-only and expire. */
export function canRest({ kind }: Pick<Ticket, 'kind'>): boolean {
  return kind === 'limit';
}

/** Whether the amount is given in dollars. */
export function isInDollars({ amountIn, side }: Pick<Ticket, 'amountIn' | 'side'>): boolean {
  return side === 'buy' && amountIn === 'dollars';
}

/**
 * The order of a ticket, or the fault of each field in the words of the service.
 *
 * @param nowMs the time that an expiry has to be later than
 */
export function readTicket(ticket: Ticket, market: Pick<MarketBody, 'id' | 'tickSize'>, nowMs: number): TicketResult {
  const { side, outcome, kind } = ticket;
  const inDollars = isInDollars(ticket);
  const price = readPrice(ticket, market.tickSize);
  const quantity = inDollars ? ABSENT : readQuantity(ticket);
  const notional = inDollars ? readNotional(ticket.notional) : ABSENT;
  const expiresAt = canRest(ticket) ? readExpiry(ticket.expiresAt, nowMs) : ABSENT;
  const parts = { price, quantity, notional, expiresAt };
  const faults = Object.fromEntries(
    Object.entries(parts).flatMap(([field, { fault }]) => (fault === null ? [] : [[field, fault]])),
  ) as FieldFaults;
  if (Object.keys(faults).length > 0) return { item: null, faults };
  const item = {
    marketId: market.id,
    side,
    outcome,
    ...FORMS[kind],
    ...(price.value === null ? {} : { price: price.value }),
    ...(quantity.value === null ? {} : { quantity: quantity.value }),
    ...(notional.value === null ? {} : { notional: notional.value }),
    ...(expiresAt.value === null ? {} : { expiresAt: expiresAt.value }),
    ...(canRest(ticket) && ticket.postOnly ? { postOnly: true } : {}),
  };
  return { item, faults: null };
}

const FORMS = {
  limit: { orderType: 'limit', timeInForce: 'GTC' },
  ioc: { orderType: 'limit', timeInForce: 'IOC' },
  fok: { orderType: 'limit', timeInForce: 'FOK' },
  market: { orderType: 'market', timeInForce: 'IOC' },
} as const;

/** A part of an order; a null value without a fault is left out. */
type Part<T> = Read<T> | typeof ABSENT;

const ABSENT = { value: null, fault: null };

function readPrice({ kind, price }: Ticket, tickSize: number): Part<number> {
  if (price.trim() === '') return kind === 'market' ? ABSENT : wrong('is required for a limit order');
  const read = readNumber(price, PRICE_MIN, PRICE_MAX);
  if (read.value === null) return read;
  const units = parseUnits(read.value);
  const isOnTick = units !== null && units % Math.round(tickSize * UNITS_PER_DOLLAR) === 0;
  return isOnTick ? read : wrong(`The price must be a multiple of the market's tick size ${tickSize}`);
}

function readQuantity({ side, quantity }: Ticket): Part<number> {
  if (quantity.trim() === '') return wrong(side === 'sell' ? 'is required to sell' : 'is required to buy, or notional');
  return readShares(quantity);
}

function readNotional(text: string): Part<number> {
  if (text.trim() === '') return wrong('is required to buy, or quantity');
  const read = readNumber(text, 1, NOTIONAL_MAX);
  if (read.value === null || parseUnits(read.value) !== null) return read;
  return wrong('must be 1 to 5000, in steps of 0.0001');
}

function readExpiry(text: string, nowMs: number): Part<string> {
  if (text === '') return ABSENT;
  // Without an offset the time is in the person's own time zone.
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) return wrong('must be a date with a time');
  if (ms <= nowMs || ms > nowMs + EXPIRY_MS_MAX) return wrong('must be later than now, and at most 366 days ahead');
  return { value: new Date(ms).toISOString(), fault: null };
}
