import { OrderItem } from '@paper/contracts/orders';
import type { CommandOf } from '@paper/exchange/commands';
import { listMarket, openAccount, orderFrom, Scenario, SCENARIO_AT } from '@paper/testkit';
import { expect } from 'chai';
import fc from 'fast-check';
import type { OrderInput } from '../../web/data/orders/order-calls.ts';
import { refusalOf } from '../../web/data/orders/order-refusal.ts';
import { resultText } from '../../web/data/orders/order-words.ts';
import { effectText, estimate, shortageText, totalOf } from '../../web/pages/market/order-estimate.ts';
import { readTicket } from '../../web/pages/market/order-ticket-state.ts';
import { ticketAddress, EMPTY_TICKET, ORDER_KINDS, ticketOf } from '../../web/pages/market/ticket.ts';
import type { Ticket } from '../../web/pages/market/ticket.ts';

const NOW = SCENARIO_AT;
const MARKET = { id: 'm', tickSize: 0.01 };

const read = (change: Partial<Ticket>) => readTicket({ ...EMPTY_TICKET, ...change }, MARKET, NOW);

const units = (value: number | undefined): number | null => (value === undefined ? null : Math.round(value * 10_000));

/** The command that the service makes of a ticket's order. */
function commandOf(item: OrderInput): CommandOf<'PlaceOrder'> {
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
  fc.constantFrom(
    '5000.0001',
    '1.00001',
    '33¢',
    '0,33',
    '33%',
    '1,000',
    '1 000',
    '$25',
    '-1',
    '+3',
    '1e3',
    'ten',
    '0x10',
    'NaN',
    'Infinity',
    '1,5',
    '２',
  ),
  fc.double({ min: 0, max: 6000, noNaN: true }).map(String),
  fc.integer({ min: 1, max: 99 }).map((cents) => String(cents / 100)),
);

const tickets: fc.Arbitrary<Ticket> = fc.record({
  side: fc.constantFrom('buy' as const, 'sell' as const),
  outcome: fc.constantFrom('yes' as const, 'no' as const),
  kind: fc.constantFrom(...ORDER_KINDS),
  price: texts,
  unit: fc.constantFrom('shares' as const, 'dollars' as const),
  amount: texts,
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

  it('names the faults of all fields at once', () => {
    const { faults } = read({ kind: 'limit', price: '33', unit: 'shares', amount: '501', expiresAt: 'soon' });
    expect(faults).to.deep.equal({
      price: 'A price is in dollars a share, at most 0.99. Did you mean 0.33?',
      amount: 'This market takes at most 500 shares an order.',
      expiresAt: 'Type a date with a time.',
    });
    const past = read({ kind: 'limit', price: '0.5', amount: '5', expiresAt: new Date(NOW - 1_000).toISOString() });
    expect(past.faults).to.deep.equal({ expiresAt: 'An order expires later than now, and at most 366 days ahead.' });
  });

  const whole: readonly (readonly [string, Partial<Ticket>, Partial<OrderInput>])[] = [
    [
      'a resting buy',
      { kind: 'limit', price: '0,55', unit: 'shares', amount: '10' },
      { orderType: 'limit', timeInForce: 'GTC', price: 0.55, quantity: 10 },
    ],
    [
      'a post-only sale that expires',
      {
        side: 'sell',
        outcome: 'no',
        kind: 'limit',
        price: '40¢',
        amount: '3',
        postOnly: true,
        expiresAt: '1970-01-02T00:00:00Z',
      },
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
    ['a market buy for dollars', { amount: '$25' }, { orderType: 'market', timeInForce: 'IOC', notional: 25 }],
    [
      'a sale counts its shares, also where dollars were chosen for a buy before',
      { side: 'sell', unit: 'dollars', amount: '2' },
      { side: 'sell', orderType: 'market', timeInForce: 'IOC', quantity: 2 },
    ],
    [
      'an order that cannot rest is neither post-only nor expires, even where both were chosen before',
      { kind: 'fok', price: '0.5', unit: 'shares', amount: '1', postOnly: true, expiresAt: 'soon' },
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
    ['validation_failed', 'validation failure: quantity: must be at most 500', 'amount', 'This must be at most 500.'],
    ['validation_failed', 'validation failure: maxPrice: must be at most 0.99', 'price', 'This must be at most 0.99.'],
    ['invalid_tick', "The price must be a multiple of the market's tick size 0.01", 'price', null],
    ['insufficient_balance', 'Insufficient balance', 'amount', null],
    ['market_not_active', 'Market is not active', null, null],
  ] as const;
  for (const [code, message, field, words] of refusals) {
    it(`puts "${message}" ${field === null ? 'under the ticket' : `beside ${field}`}, as a sentence`, () => {
      expect(refusalOf({ code, message })).to.deep.equal({ field, words: words ?? `${message}.` });
    });
  }

  it('stands whole in the address of its page', () => {
    fc.assert(
      fc.property(tickets, (ticket) => {
        const address = new URL(ticketAddress('m', ticket), 'http://portal');
        expect(address.pathname).to.equal('/markets/m');
        expect(ticketOf(address.search)).to.deep.equal(ticket);
      }),
    );
  });

  it('is filled in by a link with an outcome, a side or an amount, and leaves out what is not understood', () => {
    expect(ticketAddress('m', { side: 'sell', outcome: 'no', amount: '25' })).to.equal(
      '/markets/m?side=sell&outcome=no&amount=25',
    );
    expect(ticketOf('?outcome=no')).to.deep.equal({ ...EMPTY_TICKET, outcome: 'no' });
    expect(ticketOf('?price=0.5')).to.deep.equal({ ...EMPTY_TICKET, kind: 'limit', price: '0.5' });
    expect(ticketOf('?side=steal&outcome=maybe&kind=stop&postOnly=1')).to.deep.equal(EMPTY_TICKET);
    expect(ticketOf(`?amount=${'9'.repeat(99)}`).amount).to.have.length(40);
  });

  it('is short of money or shares in a sentence with all figures', () => {
    const buy = { marketId: 'm', side: 'buy', outcome: 'yes' } as const;
    const shares = { yes: { held: 50, offered: 30 }, no: { held: 0, offered: 0 } };
    const means = { free: 3.2, reserved: 9991.3, reservedBy: 43, shares };
    expect(shortageText(buy, 300, means)).to.equal(
      'This order needs $300.00. You have $3.20 free: $9,991.30 is reserved by 43 orders.',
    );
    expect(shortageText(buy, 300, { ...means, reservedBy: 0 })).to.equal(
      'This order needs $300.00. You have $3.20 free.',
    );
    expect(shortageText({ ...buy, side: 'sell' }, 1, means)).to.equal(
      'You have 20 Yes to sell: 30 of your 50 are offered already.',
    );
    expect(shortageText({ ...buy, side: 'sell', outcome: 'no' }, 1, means)).to.equal(
      'You hold no No to sell. To trade against it, buy Yes.',
    );
  });
});

describe('the estimate of an order by the book', () => {
  const book = {
    asks: [
      { price: 0.32, quantity: 50 },
      { price: 0.4, quantity: 100 },
    ],
    bids: [{ price: 0.3, quantity: 10 }],
  };
  const lines: readonly (readonly [Partial<Ticket>, string, number])[] = [
    [{ amount: '16' }, '≈ 50 shares at 0.32 · pays $50.00 if yes', 16],
    [{ amount: '17' }, '≈ 52 shares at 0.3231 · pays $52.00 if yes', 16.8],
    [{ outcome: 'no', amount: '7' }, '≈ 10 shares at 0.70 · pays $10.00 if no', 7],
    [{ side: 'sell', amount: '4' }, '≈ 4 shares at 0.30 · brings $1.20', 1.2],
    [
      { side: 'sell', amount: '14' },
      '≈ 10 shares at 0.30 · brings $3.00. The other 4 would be cancelled: it may not rest',
      3,
    ],
    [
      { kind: 'limit', unit: 'shares', price: '0.32', amount: '60' },
      '≈ 50 shares at 0.32, 10 would rest at 0.32 · pays $60.00 if yes',
      19.2,
    ],
    [
      { kind: 'limit', unit: 'shares', price: '0.1', amount: '1' },
      '1 share would rest at 0.10 · pays $1.00 if yes',
      0.1,
    ],
    [
      { kind: 'ioc', unit: 'shares', price: '0.1', amount: '1' },
      'Nothing would fill: there is no more at an allowed price.',
      0,
    ],
    [
      { kind: 'fok', unit: 'shares', price: '0.32', amount: '60' },
      'Nothing would fill: it cannot fill whole at once.',
      0,
    ],
  ];
  for (const [ticket, line, total] of lines) {
    it(line, () => {
      const { item } = read(ticket);
      if (item === null) return expect.fail('the ticket is wrong');
      const effect = estimate(item, book);
      expect(effectText(item, effect)).to.equal(line);
      expect(totalOf(item.side ?? 'buy', effect)).to.be.closeTo(total, 1e-9);
    });
  }
});

describe('the result of an order in words', () => {
  const order = { side: 'buy', outcome: 'yes', price: 0.33, quantity: 20, reason: null } as const;
  const results = [
    [
      { ...order, averagePrice: 0.3185, filledQty: 20, status: 'filled' },
      'Bought 20 Yes at 0.3185 on average for $6.37.',
    ],
    [
      { ...order, averagePrice: 0.32, filledQty: 15, status: 'partial' },
      'Bought 15 Yes at 0.32 on average for $4.80. The other 5 rest in the book at 0.33.',
    ],
    [
      { ...order, side: 'sell', averagePrice: 0.32, filledQty: 15, status: 'cancelled', reason: 'ioc_remainder' },
      'Sold 15 Yes at 0.32 on average for $4.80. The other 5 are cancelled: it may not rest.',
    ],
    [
      { ...order, averagePrice: null, filledQty: 0, status: 'open' },
      'The order to buy 20 Yes at 0.33 rests in the book.',
    ],
    [
      { ...order, averagePrice: null, filledQty: 0, status: 'cancelled', reason: 'fok_unfillable' },
      'Cancelled without a fill: it cannot fill whole at once.',
    ],
  ] as const;
  for (const [result, text] of results) {
    it(text, () => expect(resultText(result)).to.equal(text));
  }

  it('has the cost of its fills where that is known, since an average is rounded', () => {
    const filled = { ...order, averagePrice: 0.3333, filledQty: 20, status: 'filled' } as const;
    expect(resultText(filled, 6.5)).to.include('for $6.50.');
    expect(resultText(filled)).to.include('for $6.67.');
  });
});
