import { inOwnTerms } from '@paper/contracts/units';
import type { Anchor } from './anchors.ts';
import { MAX_PRICE_UNITS, MIN_PRICE_UNITS, orderFor } from './quotes.ts';
import type { Holding, Quote, LossLimits } from './quotes.ts';
import type { HouseSettings } from './settings.ts';

type Rules = Pick<HouseSettings, 'takeEdgeUnits' | 'takeSize' | 'takeMaxInventory'>;

interface TakeLimits extends LossLimits {
  /** The largest loss of the order against the anchor, in units. */
  readonly edgeUnits: number;
}

/**
 * The taker's next order, or null: a few shares in a random direction, at most `takeEdgeUnits` away from the anchor,
 * and no more than the budgets of losses allow at that price.
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
  return quantity < 1 ? null : orderFor(up, yesPrice, quantity, held);
}
