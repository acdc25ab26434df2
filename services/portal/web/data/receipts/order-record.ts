import { dollars, inOwnTerms } from '@paper/contracts/units';
import { countText, OUTCOME_NAMES, priceText } from '../../ui/format.ts';
import { fetchJournalPage } from './journal-page.ts';
import type { JournalAccess } from './journal-page.ts';

/** The fields of an order's events. Which of them an event has depends on its type. */
interface Fields {
  readonly type: string;
  readonly at: number;
  readonly marketId: string;
  readonly accountId: string;
  readonly orderType: string;
  readonly side: 'buy' | 'sell';
  readonly outcome: 'yes' | 'no';
  readonly quantity: number;
  readonly priceUnits: number;
  readonly yesPriceUnits: number;
  readonly takerOrderId: string;
  readonly takerOutcome: 'yes' | 'no';
  readonly makerOutcome: 'yes' | 'no';
}

export type OrderEvent = Readonly<{ seq: number; hash: string; fields: Fields }>;

export function readOrderEvents(seqs: readonly number[], access: JournalAccess): Promise<readonly OrderEvent[]> {
  return Promise.all(
    seqs.map(async (seq) => {
      const { lines } = await fetchJournalPage(access, seq, 1);
      const { hash, publicText } = JSON.parse(lines[0] ?? '') as { readonly hash: string; readonly publicText: string };
      return { seq, hash, fields: (JSON.parse(publicText) as { readonly event: Fields }).event };
    }),
  );
}

/** What happened to the order, in words: `Placed: buy 13 No at 0.46`, `6 filled at 0.47`. */
export function orderEventText({ fields }: OrderEvent, orderId: string): string {
  const { priceUnits, quantity, type } = fields;
  const shares = countText(quantity);
  switch (type) {
    case 'OrderPlaced':
      return `Placed: ${placedText(fields)}`;
    case 'OrderFilled': {
      const own = fields.takerOrderId === orderId ? fields.takerOutcome : fields.makerOutcome;
      return `${shares} filled at ${priceText(dollars(inOwnTerms(own, fields.yesPriceUnits)))}`;
    }
    case 'OrderCancelled':
      return `${shares} cancelled`;
    default:
      return `Amended: ${shares} in all at ${priceText(dollars(priceUnits))}`;
  }
}

export function placedText({ priceUnits, ...terms }: Fields): string {
  return orderText({ ...terms, price: terms.orderType === 'limit' ? dollars(priceUnits) : 0 });
}

type Terms = Pick<Fields, 'orderType' | 'outcome' | 'quantity' | 'side'> & { readonly price: number };

/** An order in words: `buy 13 No at 0.46`. */
export function orderText({ orderType, outcome, price, quantity, side }: Terms): string {
  const at = orderType === 'limit' ? `at ${priceText(price)}` : 'at the market';
  return `${side} ${countText(quantity)} ${OUTCOME_NAMES[outcome]} ${at}`;
}
