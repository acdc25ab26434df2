import type { MarketBody } from '@paper/contracts/markets';
import type { SettledMarketBody } from '@paper/contracts/operator';
import { countText, moneyText } from '../../ui/format.ts';

/** The props of a market's dialogs. */
export interface MarketDialogProps {
  readonly market: MarketBody;
  readonly onClose: () => void;
  /** Called after the change, with what has changed. */
  readonly onDone: (message: string) => void;
}

/** Describes the result of a settlement. */
export function settledText(
  { market, cancelledOrders, paid, settledAccounts }: SettledMarketBody,
  how: string,
): string {
  return `${market.id} ended ${how}: ${moneyText(paid)} was paid to ${countText(settledAccounts)} accounts, ${countText(cancelledOrders)} orders were cancelled.`;
}
