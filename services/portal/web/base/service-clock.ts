/** A browser's clock counts as right up to this difference. */
const DIFFERENCE_MS = 60_000;

/** How far this browser's clock is ahead of the service's; 0 within the limit. */
let aheadMs = 0;

/** The service's time now: the browser's clock, corrected by the measured difference. */
export function serviceNowMs(): number {
  return Date.now() - aheadMs;
}

export function compareClocks(date: string | null): void {
  const differenceMs = Date.now() - Date.parse(date ?? '');
  if (Number.isNaN(differenceMs)) return;
  aheadMs = Math.abs(differenceMs) > DIFFERENCE_MS ? differenceMs : 0;
}

/** A sentence about the difference of the browser's clock; null for none. */
export function clockWarning(): string | null {
  if (aheadMs === 0) return null;
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const span = hours === 0 ? `${minutes} min` : `${hours} h${rest === 0 ? '' : ` ${rest} min`}`;
  const where = aheadMs > 0 ? 'ahead of' : 'behind';
  return `The clock of this device is ${span} ${where} the service's. "Ago" and "in" count by the service's clock.`;
}
