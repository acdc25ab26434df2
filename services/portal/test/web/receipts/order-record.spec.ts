import { expect } from 'chai';
import { orderEventText } from '../../../web/data/receipts/order-record.ts';
import type { OrderEvent } from '../../../web/data/receipts/order-record.ts';

const event = (fields: object) => ({ seq: 1, hash: '', fields }) as unknown as OrderEvent;
const order = { side: 'buy', quantity: 13, outcome: 'no', orderType: 'limit', priceUnits: 4600 };
const fill = { type: 'OrderFilled', quantity: 6, yesPriceUnits: 5300, takerOutcome: 'no', makerOutcome: 'yes' };

describe("an order's events in words", () => {
  for (const [fields, text] of [
    [{ type: 'OrderPlaced', ...order }, 'Placed: buy 13 No at 0.46'],
    [{ type: 'OrderPlaced', ...order, orderType: 'market' }, 'Placed: buy 13 No at the market'],
    [{ ...fill, takerOrderId: 'o' }, '6 filled at 0.47'],
    [{ ...fill, takerOrderId: 'other' }, '6 filled at 0.53'],
    [{ type: 'OrderCancelled', quantity: 7 }, '7 cancelled'],
    [{ type: 'OrderAmended', ...order }, 'Amended: 13 in all at 0.46'],
    [{ type: 'OrderReplaced', ...order, priceUnits: 4700 }, 'Amended: 13 in all at 0.47'],
  ] as const) {
    it(text, () => expect(orderEventText(event(fields), 'o')).to.equal(text));
  }
});
