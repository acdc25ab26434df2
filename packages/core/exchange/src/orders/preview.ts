import type { ExchangeEvent, OrderFilled } from '../events.ts';
import { takerMoves } from '../fill-moves.ts';
import { inOwnTerms } from '../vocabulary.ts';
import { accountOf, findMarket } from '../state/state.ts';
import type { State } from '../state/state.ts';
import type { Outcome } from '../vocabulary.ts';
import { orderAnswer } from './views.ts';

/** The effect that an order would have now, in units and in terms of its own outcome. */
export type OrderPreview = ReturnType<typeof previewOf>;

/** Summarizes the events of a PlaceOrder that was decided on this state but not applied. */
export function previewOf(state: State, events: readonly ExchangeEvent[]) {
  const order = orderAnswer(events);
  const account = accountOf(state, order.accountId);
  const position = findMarket(state, order.marketId)?.positionOf(account) ?? null;
  const fills = events.filter((event) => event.type === 'OrderFilled');
  const moves = fills.map(takerMoves);
  const costUnits = moves.reduce((sum, { cashUnits }) => sum - cashUnits, 0);
  const shares = moves.reduce((sum, moved) => sum + moved.shares, 0);
  const sharesAfter = (outcome: Outcome): number =>
    (position?.[outcome] ?? 0) + (outcome === order.outcome ? shares : 0);
  return {
    averageUnits: order.averagePriceUnits,
    cashAfterUnits: account.cashUnits - costUnits,
    /** The cost of the fills; the proceeds of a sale are negative. */
    costUnits,
    filledQty: order.filledQty,
    fills: byLevel(fills, order.outcome),
    freeCashAfterUnits: account.cashUnits - costUnits - account.reservedUnits - order.reservedUnits,
    noSharesAfter: sharesAfter('no'),
    priceUnits: order.priceUnits,
    quantity: order.quantity,
    reason: order.reason,
    reservedUnits: order.reservedUnits,
    status: order.status,
    yesSharesAfter: sharesAfter('yes'),
  };
}

function byLevel(fills: readonly OrderFilled[], outcome: Outcome) {
  const levels: { priceUnits: number; quantity: number }[] = [];
  for (const { quantity, yesPriceUnits } of fills) {
    const priceUnits = inOwnTerms(outcome, yesPriceUnits);
    const last = levels.at(-1);
    if (last?.priceUnits === priceUnits) last.quantity += quantity;
    else levels.push({ priceUnits, quantity });
  }
  return levels;
}
