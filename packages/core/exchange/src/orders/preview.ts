import type { ExchangeEvent, OrderFilled } from '../events.ts';
import { SHARE_UNITS } from '../money.ts';
import { accountOf, findMarket } from '../state/state.ts';
import type { State } from '../state/state.ts';
import type { OrderPreview, Outcome } from '../vocabulary.ts';
import { averageUnits, orderAnswer } from './views.ts';

/** What these events of a PlaceOrder do to this state, in which they were decided and not applied. */
export function previewOf(state: State, events: readonly ExchangeEvent[]): OrderPreview {
  const order = orderAnswer(events);
  const account = accountOf(state, order.accountId);
  const position = findMarket(state, order.marketId)?.positionOf(account) ?? null;
  const fills = fillsByLevel(events, order.outcome);
  const valueUnits = fills.reduce((sum, { priceUnits, quantity }) => sum + priceUnits * quantity, 0);
  const sign = order.side === 'buy' ? 1 : -1;
  const cashAfterUnits = account.cashUnits - sign * valueUnits;
  const sharesAfter = (outcome: Outcome): number =>
    (position?.[outcome] ?? 0) + (outcome === order.outcome ? sign * order.filledQty : 0);
  return {
    averageUnits: averageUnits(valueUnits, order.filledQty),
    cashAfterUnits,
    costUnits: account.cashUnits - cashAfterUnits,
    filledQty: order.filledQty,
    fills,
    freeCashAfterUnits: cashAfterUnits - account.reservedUnits - order.reservedUnits,
    noSharesAfter: sharesAfter('no'),
    priceUnits: order.priceUnits,
    quantity: order.quantity,
    reason: events.find((event) => event.type === 'OrderCancelled')?.reason ?? null,
    reservedUnits: order.reservedUnits,
    status: order.status,
    yesSharesAfter: sharesAfter('yes'),
  };
}

function fillsByLevel(events: readonly ExchangeEvent[], outcome: Outcome): { priceUnits: number; quantity: number }[] {
  const levels: { priceUnits: number; quantity: number }[] = [];
  for (const fill of events.filter((event): event is OrderFilled => event.type === 'OrderFilled')) {
    const priceUnits = outcome === 'yes' ? fill.yesPriceUnits : SHARE_UNITS - fill.yesPriceUnits;
    const last = levels.at(-1);
    if (last?.priceUnits === priceUnits) {
      last.quantity += fill.quantity;
    } else {
      levels.push({ priceUnits, quantity: fill.quantity });
    }
  }
  return levels;
}
