import { useTicks } from '../base/use-ticks.ts';
import { gainText, moneyText, priceText, relativeText, timeText } from './format.ts';

/** An amount in dollars; null shows a dash. */
export function Money({ amount }: { readonly amount: number | null }) {
  return <span class="number">{moneyText(amount)}</span>;
}

/** A profit or loss, with its sign and in its color. */
export function Gain({ amount }: { readonly amount: number }) {
  const kind = amount > 0 ? 'gain' : amount < 0 ? 'loss' : '';
  return <span class={`number ${kind}`}>{gainText(amount)}</span>;
}

/** A price in dollars a share; null shows a dash. */
export function Price({ value }: { readonly value: number | null }) {
  return <span class="number">{priceText(value)}</span>;
}

export interface TimeProps {
  readonly at: string;
  /** The text of a time more than a day away. Default: the time with its zone. */
  readonly far?: (at: string) => string;
  /** Whether the exact time is shown even within a day. */
  readonly isExact?: boolean;
}

/**
 * A moment: within a day how far away it is, with the exact time as title. The first paint uses UTC; hydration replaces
 * the text, but not the title, which names its zone.
 */
export function Time({ at, far = timeText, isExact = false }: TimeProps) {
  const near = isExact ? null : relativeText(at);
  useTicks(near !== null);
  const text = near ?? far(at);
  const exact = timeText(at);
  return (
    <time class="number" dateTime={at} title={text === exact ? undefined : exact}>
      {text}
    </time>
  );
}
