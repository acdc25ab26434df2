import { parseUnits, UNITS_PER_DOLLAR } from '@paper/contracts/units';
import { countText, moneyText, priceText } from '../../ui/format.ts';
import { inDollars, parseTyped } from './typed-number.ts';

/** A value, or the fault of its text as a whole sentence. */
export type Read<T> = { readonly value: T; readonly fault: null } | { readonly value: null; readonly fault: string };

export const SHARES_MAX = 500;
export const DOLLARS_MAX = 5_000;
const PRICE_MIN = 0.01;
const PRICE_MAX = 0.99;

/** Reads dollars a share. Refuses a bare 33, which could mean cents. Without `tickSize` the service checks the step. */
export function readPrice(text: string, tickSize: number | null): Read<number> {
  const typed = parseTyped(text);
  if (text.trim() === '') return wrong('Type a price, such as 0.33.');
  if (typed === null) return wrong(`"${text.trim()}" is not a price. Type dollars a share, such as 0.33.`);
  const value = inDollars(typed);
  const isBare = typed.value === value && (Number.isInteger(value) || value >= 10);
  if (isBare && value >= 1 && value < 100) {
    return wrong(`A price is in dollars a share, at most ${PRICE_MAX}. Did you mean ${priceText(value / 100)}?`);
  }
  if (value > PRICE_MAX) return wrong(`A price is at most ${PRICE_MAX}: a share pays $1.00.`);
  if (value < PRICE_MIN) return wrong(`A price is at least ${PRICE_MIN}.`);
  const tickUnits = Math.round((tickSize ?? 1 / UNITS_PER_DOLLAR) * UNITS_PER_DOLLAR);
  const ticks = (value * UNITS_PER_DOLLAR) / tickUnits;
  if (Math.abs(ticks - Math.round(ticks)) < 1e-6) return { value, fault: null };
  const near = [Math.floor(ticks), Math.ceil(ticks)].map((count) => (count * tickUnits) / UNITS_PER_DOLLAR);
  const possible = near.filter((each) => each >= PRICE_MIN && each <= PRICE_MAX).map(priceText);
  return wrong(`This market's prices go in steps of ${tickUnits / UNITS_PER_DOLLAR}: type ${possible.join(' or ')}.`);
}

export function readShares(text: string): Read<number> {
  const typed = parseTyped(text);
  if (text.trim() === '') return wrong('Type how many shares.');
  if (typed === null || typed.unit !== '') {
    return wrong(`"${text.trim()}" is not a number of shares. Type one such as 25.`);
  }
  const { value } = typed;
  if (value < 1) return wrong('An order is for at least 1 share.');
  if (!Number.isInteger(value)) return wrong(`Shares are whole: type ${Math.floor(value)} or ${Math.ceil(value)}.`);
  if (value > SHARES_MAX) return wrong(`This market takes at most ${countText(SHARES_MAX)} shares an order.`);
  return { value, fault: null };
}

export function readDollars(text: string): Read<number> {
  const typed = parseTyped(text);
  if (text.trim() === '') return wrong('Type how many dollars.');
  if (typed === null || typed.unit === '%') {
    return wrong(`"${text.trim()}" is not an amount of dollars. Type one such as 25.`);
  }
  const value = inDollars(typed);
  if (value < 1) return wrong(`An order in dollars is for at least ${moneyText(1)}.`);
  if (value > DOLLARS_MAX) return wrong(`This market takes at most ${moneyText(DOLLARS_MAX)} an order.`);
  return parseUnits(value) === null ? wrong('Dollars have four decimals at most.') : { value, fault: null };
}

export const wrong = (fault: string): Read<never> => ({ value: null, fault });
