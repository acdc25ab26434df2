import { validationMessage } from '@paper/contracts';
import { OrderItem } from '@paper/contracts/orders';
import type { PlaceOrder } from '@paper/exchange/commands';
import { listMarket, openAccount, orderFrom, Scenario, SCENARIO_AT } from '@paper/testkit';
import { expect } from 'chai';
import fc from 'fast-check';
import type { OrderInput } from '../../web/data/orders/order-calls.ts';
import { refusalOf } from '../../web/data/orders/order-refusal.ts';
import { readTicket } from '../../web/pages/market/order-ticket-state.ts';
import { EMPTY_TICKET, ORDER_KINDS } from '../../web/pages/market/ticket.ts';
import type { Ticket } from '../../web/pages/market/ticket.ts';

const NOW = SCENARIO_AT;
const MARKET = { id: 'm', tickSize: 0.01 };

const read = (change: Partial<Ticket>) => readTicket({ ...EMPTY_TICKET, ...change }, MARKET, NOW);

const units = (value: number | undefined): number | null => (value === undefined ? null : Math.round(value * 10_000));

/** The command that the service makes of a ticket's order. */
function commandOf(item: OrderInput): PlaceOrder {
  const order = OrderItem.parse(item);
  return {
    ...orderFrom('o1 ann buy yes 1 @ 0.5'),
    at: NOW,
    expiresAt: order.expiresAt === undefined ? null : Date.parse(order.expiresAt),
    marketId: order.marketId,
    notionalUnits: units(order.notional),
    orderType: order.orderType,
    outcome: order.outcome,
    postOnly: order.postOnly ?? false,
    priceUnits: units(order.price),
    quantity: order.quantity ?? null,
    side: order.side,
    timeInForce: order.timeInForce,
  };
}

const texts = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '0.005',
    '0.01',
    '0.5',
    '.5',
    '5.',
    '0.555',
    '0.99',
    '0.991',
    '1',
    '500',
    '501',
    '5000',
  ),
  fc.constantFrom('5000.0001', '1.00001', '-1', '+3', '1e3', 'ten', '0x10', 'NaN', 'Infinity', '1,5', '２'),
  fc.double({ min: 0, max: 6000, noNaN: true }).map(String),
  fc.integer({ min: 1, max: 99 }).map((cents) => String(cents / 100)),
);

const tickets: fc.Arbitrary<Ticket> = fc.record({
  side: fc.constantFrom('buy' as const, 'sell' as const),
  outcome: fc.constantFrom('yes' as const, 'no' as const),
  kind: fc.constantFrom(...ORDER_KINDS),
  price: texts,
  amountIn: fc.constantFrom('shares' as const, 'dollars' as const),
  quantity: texts,
  notional: texts,
  postOnly: fc.boolean(),
  expiresAt: fc.oneof(
    fc.constantFrom('', 'soon', '1970-01-01T00:00:00Z', '2026-01-01T00:00'),
    fc.integer({ min: NOW - 5_000, max: NOW + 367 * 86_400_000 }).map((ms) => new Date(ms).toISOString()),
  ),
});

describe('an order ticket', () => {
  it('never makes an order whose form the service refuses, for any ticket', () => {
    const market = listMarket('m', { tickUnits: 100 });
    fc.assert(
      fc.property(tickets, (ticket) => {
        const { item } = readTicket(ticket, MARKET, NOW);
        if (item === null) return;
        const { decision } = new Scenario().given(market, openAccount('ann')).when(commandOf(item));
        if (decision.kind !== 'rejected') return;
        expect(decision.code).to.be.oneOf(['insufficient_balance', 'insufficient_shares']);
      }),
    );
  });

  it('makes an order or names a fault, for any ticket', () => {
    fc.assert(
      fc.property(tickets, (ticket) => {
        const { faults, item } = readTicket(ticket, MARKET, NOW);
        expect(item === null).to.equal(faults !== null && Object.keys(faults).length > 0);
      }),
    );
  });

  const wrongNumbers: readonly (readonly ['price' | 'quantity' | 'notional', string])[] = [
    ['price', '0'],
    ['price', '0.009'],
    ['price', '0.995'],
    ['price', '-0.5'],
    ['quantity', '0'],
    ['quantity', '501'],
    ['quantity', '-3'],
    ['notional', '0.99'],
    ['notional', '5000.01'],
  ];
  for (const [field, text] of wrongNumbers) {
    it(`given the ${field} ${text}, then the fault has the words of the service`, () => {
      const amount = field === 'notional' ? { amountIn: 'dollars' as const } : { quantity: '1' };
      const { faults } = read({ price: '0.5', ...amount, [field]: text });
      const { error } = OrderItem.safeParse({ marketId: 'm', outcome: 'yes', price: 0.5, [field]: Number(text) });
      if (error === undefined) expect.fail('the service accepts it');
      expect(`validation failure: ${field}: ${faults?.[field]}`).to.equal(validationMessage(error));
    });
  }

  const missing: readonly (readonly [Partial<Ticket>, string, 'price' | 'quantity'])[] = [
    [{ quantity: '1' }, 'o1 ann buy yes 1', 'price'],
    [{ price: '0.5' }, 'o1 ann buy yes @ 0.5', 'quantity'],
    [{ side: 'sell', price: '0.5' }, 'o1 ann sell yes @ 0.5', 'quantity'],
    [{ kind: 'market' }, 'o1 ann market buy yes', 'quantity'],
  ];
  for (const [change, order, field] of missing) {
    it(`given no ${field} (${order}), then the fault has the words of the exchange`, () => {
      const { faults } = read(change);
      const scenario = new Scenario().given(listMarket('m'), openAccount('ann'));
      scenario.when(order).thenRejected('validation_failed', `validation failure: ${field}: ${faults?.[field]}`);
    });
  }

  it('given a price between two ticks, then the fault has the words of the exchange', () => {
    const { faults } = read({ price: '0.555', quantity: '1' });
    const scenario = new Scenario().given(listMarket('m', { tickUnits: 100 }), openAccount('ann'));
    scenario.when('o1 ann buy yes 1 @ 0.555').thenRejected('invalid_tick', faults?.price ?? '');
  });

  it('given an expiry in the past, then the fault has the words of the exchange', () => {
    const { faults } = read({ price: '0.5', quantity: '1', expiresAt: new Date(NOW - 1_000).toISOString() });
    const command = { ...orderFrom('o1 ann buy yes 1 @ 0.5'), at: NOW, expiresAt: NOW - 1_000 };
    const scenario = new Scenario().given(listMarket('m'), openAccount('ann'));
    scenario.when(command).thenRejected('validation_failed', `validation failure: expiresAt: ${faults?.expiresAt}`);
  });

  const whole: readonly (readonly [string, Partial<Ticket>, Partial<OrderInput>])[] = [
    [
      'a resting buy',
      { price: '0.55', quantity: '10' },
      { orderType: 'limit', timeInForce: 'GTC', price: 0.55, quantity: 10 },
    ],
    [
      'a post-only sale that expires',
      { side: 'sell', outcome: 'no', price: '.4', quantity: '3', postOnly: true, expiresAt: '1970-01-02T00:00:00Z' },
      {
        side: 'sell',
        outcome: 'no',
        orderType: 'limit',
        timeInForce: 'GTC',
        price: 0.4,
        quantity: 3,
        expiresAt: '1970-01-02T00:00:00.000Z',
        postOnly: true,
      },
    ],
    [
      'a market buy for dollars',
      { kind: 'market', amountIn: 'dollars', notional: '25', quantity: 'left over' },
      { orderType: 'market', timeInForce: 'IOC', notional: 25 },
    ],
    [
      'a sale counts its shares, also where dollars were chosen for a buy before',
      { side: 'sell', kind: 'market', amountIn: 'dollars', quantity: '2' },
      { side: 'sell', orderType: 'market', timeInForce: 'IOC', quantity: 2 },
    ],
    [
      'an order that cannot rest is neither post-only nor expires, even where both were chosen before',
      { kind: 'fok', price: '0.5', quantity: '1', postOnly: true, expiresAt: 'soon' },
      { orderType: 'limit', timeInForce: 'FOK', price: 0.5, quantity: 1 },
    ],
  ];
  for (const [what, change, expected] of whole) {
    it(what, () => {
      const { item } = read(change);
      expect(item).to.deep.equal({ marketId: 'm', side: 'buy', outcome: 'yes', ...expected });
    });
  }

  const refusals = [
    ['validation_failed', 'validation failure: quantity: must be at most 500', 'quantity', 'must be at most 500'],
    ['validation_failed', 'validation failure: maxPrice: must be at most 0.99', 'price', 'must be at most 0.99'],
    ['validation_failed', 'validation failure: marketId: is required: text', null, null],
    ['invalid_tick', "The price must be a multiple of the market's tick size 0.01", 'price', null],
    ['insufficient_balance', 'Insufficient balance', 'notional', null],
    ['market_not_active', 'Market is not active', null, null],
  ] as const;
  for (const [code, message, field, words] of refusals) {
    it(`puts "${message}" ${field === null ? 'under the ticket' : `beside ${field}`}`, () => {
      expect(refusalOf({ code, message }, 'notional')).to.deep.equal({ field, words: words ?? message });
    });
  }
});
