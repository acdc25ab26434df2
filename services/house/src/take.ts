import { inOwnTerms } from '@paper/contracts/units';
import type { Anchor } from './anchors.ts';
import { MAX_PRICE_UNITS, MIN_PRICE_UNITS } from './quotes.ts';
import type { Holding, Quote, LossRoom } from './quotes.ts';
import type { HouseSettings } from './settings.ts';

type Rules = Pick<HouseSettings, 'takeEdgeUnits' | 'takeSize' | 'takeMaxInventory'>;

/** The loss that the taker may still make in the market. */
export interface TakeLimits extends LossRoom {
  /** The largest loss of the order against the anchor, in units. */
  readonly edgeUnits: number;
}

/**
 * The taker's next order, or null: a few shares in a random direction, at most `takeEdgeUnits` away from the anchor,
 * and only as large as the remaining budgets allow at that price. A trader who quotes inside the maker's prices to
 * catch these orders gains at most the edge on each share and at most the budgets in all. A trader who has the next
 * signal early gains at most what the house may still lose today. `random` returns numbers from 0 (included) to 1
 * (excluded).
 */
export function nextTake(
  { anchorUnits, tickUnits }: Anchor,
  held: Holding,
  left: TakeLimits,
  rules: Rules,
  random: () => number,
): Quote | null {
  const net = held.yes - held.no;
  const up = net >= rules.takeMaxInventory ? false : net <= -rules.takeMaxInventory ? true : random() < 0.5;
  const desired = 1 + Math.floor(random() * rules.takeSize);
  const bound = up
    ? Math.floor((anchorUnits + rules.takeEdgeUnits) / tickUnits) * tickUnits
    : Math.ceil((anchorUnits - rules.takeEdgeUnits) / tickUnits) * tickUnits;
  const yesPrice = Math.min(MAX_PRICE_UNITS, Math.max(MIN_PRICE_UNITS, bound));
  const byDay = up ? left.bidUnits / yesPrice : left.askUnits / inOwnTerms('no', yesPrice);
  const quantity = Math.min(desired, Math.floor(left.edgeUnits / rules.takeEdgeUnits), Math.floor(byDay));
  if (quantity < 1) return null;

  if (up) {
    return held.no >= quantity
      ? { outcome: 'no', side: 'sell', priceUnits: inOwnTerms('no', yesPrice), quantity }
      : { outcome: 'yes', side: 'buy', priceUnits: yesPrice, quantity };
  }
  return held.yes >= quantity
    ? { outcome: 'yes', side: 'sell', priceUnits: yesPrice, quantity }
    : { outcome: 'no', side: 'buy', priceUnits: inOwnTerms('no', yesPrice), quantity };
}
