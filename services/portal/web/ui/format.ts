const dollars = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 4,
});
const price = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 4 });
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat('en');
const points = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** Stands for a figure that there is not. */
export const NO_FIGURE = '–';

/** Dollars with cents, finer where the amount is: `$1,234.50`. */
export function moneyText(amount: number | null): string {
  return amount === null ? NO_FIGURE : dollars.format(amount);
}

/** A gain or loss with its sign: `+$3.00`, `−$0.50`, `$0.00`. */
export function gainText(amount: number): string {
  const text = dollars.format(Math.abs(amount));
  return amount > 0 ? `+${text}` : amount < 0 ? `−${text}` : text;
}

/** Dollars a share, without the sign: `0.55`. */
export function priceText(value: number | null): string {
  return value === null ? NO_FIGURE : price.format(value);
}

/** A probability: `55.5%`. */
export function percentText(fraction: number | null): string {
  return fraction === null ? NO_FIGURE : percent.format(fraction);
}

/** A count: `12,345`. */
export function countText(count: number | null): string {
  return count === null ? NO_FIGURE : whole.format(count);
}

/** A change of a probability in percentage points: `▲ 1.5`, `▼ 0.3`; an empty text where it rounds to nothing. */
export function moveText(change: number): string {
  const text = points.format(Math.abs(change) * 100);
  return text === '0' ? '' : `${change > 0 ? '▲' : '▼'} ${text}`;
}

/** A time in UTC, the same on the server and in the browser: `2026-11-23 07:14 UTC`. */
export function utcText(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

const localTime = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });

/** A time in the person's own zone: `Nov 23, 2026, 07:14`. */
export function localText(iso: string): string {
  return localTime.format(new Date(iso));
}
