import { useEffect, useState } from 'preact/hooks';
import { gainText, moneyText, priceText, relativeText, timeText } from './format.ts';

export function Money({ amount }: { readonly amount: number | null }) {
  return <span class="number">{moneyText(amount)}</span>;
}

export function Gain({ amount }: { readonly amount: number }) {
  const kind = amount > 0 ? 'gain' : amount < 0 ? 'loss' : '';
  return <span class={`number ${kind}`}>{gainText(amount)}</span>;
}

export function Price({ value }: { readonly value: number | null }) {
  return <span class="number">{priceText(value)}</span>;
}

export interface TimeProps {
  readonly at: string;
  /** The text of a time more than a day away. Default: the time with its zone. */
  readonly far?: (at: string) => string;
  readonly isExact?: boolean;
}

/** A moment, relative within a day. The first paint is in UTC; hydration replaces the text, but not the title. */
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

const TICK_MS = 20_000;

/** Renders the component every 20 s while `isOn`, so that relative times stay right. */
function useTicks(isOn: boolean): void {
  const [, setTicks] = useState(0);
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setInterval(() => setTicks((before) => before + 1), TICK_MS);
    return () => clearInterval(timer);
  }, [isOn]);
}
