/** A browser's clock that differs by less than this counts as right. */
const DIFFERENCE_MS = 60_000;

/** By how much this browser's clock is ahead of the service's, where that is more than the limit; else 0. */
let aheadMs = 0;

/** The service's time now: the browser's own, without what that is wrong by. */
export function serviceNowMs(): number {
  return Date.now() - aheadMs;
}

/** Compares the clocks by the `date` of an answer that just came. */
export function compareClocks(date: string | null): void {
  const differenceMs = Date.now() - Date.parse(date ?? '');
  if (Number.isNaN(differenceMs)) return;
  aheadMs = Math.abs(differenceMs) > DIFFERENCE_MS ? differenceMs : 0;
}

/** Says by how much the browser's clock is wrong; null where it is right. */
export function clockWarning(): string | null {
  if (aheadMs === 0) return null;
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const span = hours === 0 ? `${minutes} min` : `${hours} h${rest === 0 ? '' : ` ${rest} min`}`;
  const where = aheadMs > 0 ? 'ahead of' : 'behind';
  return `The clock of this device is ${span} ${where} the service's. "Ago" and "in" count by the service's clock.`;
}
