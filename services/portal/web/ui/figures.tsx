import { IS_SERVER } from '../base/is-server.ts';
import { gainText, localText, moneyText, priceText, utcText, zonedText } from './format.ts';

/** An amount in dollars; null shows a dash. */
export function Money({ amount }: { readonly amount: number | null }) {
  return <span class="number">{moneyText(amount)}</span>;
}

/** A profit or loss, with its sign and in its color. */
export function Gain({ amount }: { readonly amount: number }) {
  const kind = amount > 0 ? 'gain' : amount < 0 ? 'loss' : '';
  return <span class={`number ${kind}`}>{gainText(amount)}</span>;
}

/** Dollars a share; null shows a dash. */
export function Price({ value }: { readonly value: number | null }) {
  return <span class="number">{priceText(value)}</span>;
}

/**
 * A moment: in UTC in the first paint, since the server does not know the person's zone; then in that zone. Hydration
 * replaces a text that differs, so no second rendering is needed.
 */
export function Time({ at, hasZone = false }: { readonly at: string; readonly hasZone?: boolean }) {
  return (
    <time class="number" dateTime={at} title={utcText(at)}>
      {IS_SERVER ? utcText(at) : hasZone ? zonedText(at) : localText(at)}
    </time>
  );
}
