import { orderAnswer } from '@paper/exchange';
import { OPTIONAL_ORDER_FIELDS, PLAIN_ORDER } from '@paper/exchange/commands';
import type { OptionalFields } from '@paper/exchange/commands';
import { bareType } from '@paper/exchange/fields';
import { orderFrom, SCENARIO_AT, tradingScenario } from '@paper/testkit';
import { expect } from 'chai';
import { Orders } from '../src/models/orders/fold.ts';
import { ORDER_VIEW_COLUMNS, toOrderDetail } from '../src/models/orders/order-view.ts';
import { OPTIONAL_COLUMNS } from '../src/models/orders/table.ts';

/** A value of each type that such a field has. */
const VALUES = { boolean: true, text: 'mine', time: SCENARIO_AT + 60_000 };

/** Given values, each unlike that of an order which leaves the field out. */
const GIVEN = Object.fromEntries(
  Object.entries(OPTIONAL_ORDER_FIELDS).map(([name, type]) => [name, VALUES[bareType(type) as keyof typeof VALUES]]),
) as unknown as OptionalFields;

describe('the fields that an order may leave out', () => {
  const placed = tradingScenario()
    .when({ ...orderFrom('a1 ann buy yes 1 @ 0.20'), ...GIVEN })
    .events();

  it('are all given here, and none in a plain order', () => {
    expect(Object.values(GIVEN)).not.to.include(undefined);
    expect(
      Object.keys(PLAIN_ORDER).filter(
        (name) => GIVEN[name as keyof OptionalFields] === PLAIN_ORDER[name as keyof OptionalFields],
      ),
    ).to.deep.equal([]);
  });

  it('each have a column, which an order without details leaves out', () => {
    const fields = Object.values(OPTIONAL_COLUMNS).map(({ field }) => field);
    expect(fields).to.have.members(Object.keys(PLAIN_ORDER));
    expect(ORDER_VIEW_COLUMNS).not.to.include.members(Object.keys(OPTIONAL_COLUMNS));
  });

  it('are in the answer to the command, in the row, and in its details, as they were given', () => {
    expect(orderAnswer(placed)).to.include(GIVEN);
    const fold = new Orders({ writes: () => true, positionsMax: 0 });
    const [event] = placed;
    if (event?.type !== 'OrderPlaced') throw new Error('the order was refused');
    fold.place(event, { seq: 7, id: 'e', formerName: null, keyId: null });
    const row = fold.placed.get('a1');
    if (row === undefined) throw new Error('the order has no row');
    expect(toOrderDetail(row, 7)).to.include(GIVEN);
  });
});
