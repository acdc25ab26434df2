import type { RejectionCode } from '@paper/exchange';
import type { CommandOf } from '@paper/exchange/commands';
import { TAPE_OPERATOR } from '@paper/exchange/vocabulary';
import { orderFrom, base, keyOf, openAccount, OPERATOR, SCENARIO_AT, SYSTEM, tradingScenario } from '@paper/testkit';
import { expect } from 'chai';
import { checkInvariants } from '../invariants.ts';

const scenario = () => tradingScenario({}, checkInvariants);
const order = (change: Partial<CommandOf<'PlaceOrder'>>): CommandOf<'PlaceOrder'> => ({
  ...orderFrom('a1 ann buy yes 10 @ 0.55'),
  ...change,
});

describe('the form of an order', () => {
  const table: readonly (readonly [name: string, change: Partial<CommandOf<'PlaceOrder'>>, field: string])[] = [
    ['limit buy without a price', { priceUnits: null }, 'price'],
    ['limit sale without a price', { side: 'sell', priceUnits: null }, 'price'],
    ['limit buy without quantity or notional', { quantity: null }, 'quantity'],
    ['limit sale without a quantity', { side: 'sell', quantity: null, notionalUnits: 20_000 }, 'quantity'],
    ['market buy without quantity or notional', { orderType: 'market', quantity: null }, 'quantity'],
    [
      'market sale without a quantity',
      { orderType: 'market', side: 'sell', quantity: null, notionalUnits: 20_000 },
      'quantity',
    ],
    ['price below 0.01', { priceUnits: 99 }, 'price'],
    ['price above 0.99', { priceUnits: 9_901 }, 'price'],
    ['price that is not a number', { priceUnits: Number.NaN }, 'price'],
    ['price out of range where it is a bound only', { orderType: 'market', priceUnits: 0 }, 'price'],
    ['quantity 0', { quantity: 0 }, 'quantity'],
    ['quantity 501', { quantity: 501 }, 'quantity'],
    ['half a share', { quantity: 1.5 }, 'quantity'],
    ['infinitely many', { quantity: Number.POSITIVE_INFINITY }, 'quantity'],
    ['notional below $1', { notionalUnits: 9_999 }, 'notional'],
    ['notional above $5,000', { notionalUnits: 50_000_001 }, 'notional'],
    ['notional finer than a unit', { notionalUnits: 10_000.5 }, 'notional'],
    ['notional out of range where it is ignored', { side: 'sell', notionalUnits: 1 }, 'notional'],
    ['maxPrice out of range where it is ignored', { maxPriceUnits: 99 }, 'maxPrice'],
    ['maxPrice above 0.99', { orderType: 'market', maxPriceUnits: 9_901 }, 'maxPrice'],
    ['slippage below 0 where it is ignored', { slippageUnits: -1 }, 'slippage'],
    ['slippage above 0.25', { orderType: 'market', slippageUnits: 2_501 }, 'slippage'],
    ['expiry between two milliseconds', { expiresAt: 1_000.5 }, 'expiresAt'],
    ['slippage that is not a number', { orderType: 'market', slippageUnits: Number.NaN }, 'slippage'],
  ];
  for (const [name, change, field] of table) {
    it(`refuses a ${name}`, () => {
      scenario()
        .when(order(change))
        .thenRejected('validation_failed', new RegExp(`^validation failure: ${field}: .`));
    });
  }

  it('takes every field at the ends of its range', () => {
    for (const text of [
      'a1 ann buy yes 1 $1 @ 0.01 max 0.01 slip 0',
      'a1 ann buy no 500 $5000 @ 0.99 max 0.99 slip 0.25',
    ]) {
      expect(scenario().when(text).decision.kind).to.equal('accepted');
    }
  });
});

describe('the price of an order', () => {
  const coarse = () =>
    scenario().given({
      ...base(OPERATOR),
      type: 'ListMarket',
      bodyHash: 'hash',
      category: 'c',
      citationUrl: null,
      closesAt: SCENARIO_AT + 1,
      companyImpact: 0,
      companySlug: 'c',
      description: null,
      drivers: [],
      marketId: 'cent',
      phase: 'active',
      priorUnits: 5_000,
      sector: 's',
      settlementSource: 's',
      tickUnits: 100,
      ticker: 'T',
      title: 't',
    });

  it('is refused off the tick, also as the bound of a market order, and never rounded', () => {
    for (const text of ['a1 ann buy yes 1 @ 0.555 in cent', 'a1 ann market buy yes 1 @ 0.555 in cent']) {
      coarse()
        .when(text)
        .thenRejected('invalid_tick', /0\.01$/);
    }
  });

  it('is refused finer than a unit, on any tick', () => {
    scenario()
      .when('a1 ann buy yes 1 @ 0.55555')
      .thenRejected('invalid_tick', /0\.0001$/);
  });

  it('is taken on the tick', () => {
    coarse()
      .when('a1 ann buy yes 1 @ 0.55 in cent')
      .then('a1 ann limit buy yes 1 @ 0.55 GTC: fills 0, rests 1 in cent');
  });
});

describe('the checks of an order', () => {
  it('happen in their order: whatever is also wrong further on does not show', () => {
    const s = tradingScenario({ complianceMode: 'kyc' }).given(
      { ...base(OPERATOR), type: 'PauseMarket', marketId: 'm' },
      openAccount('poor', { startingBalanceUnits: 10_000 }),
      openAccount('viewer', { permissions: ['view'] }),
    );
    // Each row mends the fault for which the row before was refused, and no other.
    const wrong = { ...orderFrom('p1 poor sell yes 501 @ 0.55555 FOK in nowhere') };
    const rows: readonly (readonly [Partial<CommandOf<'PlaceOrder'>>, RejectionCode])[] = [
      [{ by: keyOf('poor', 'no-such-key') }, 'not_authenticated'],
      [{ by: keyOf('viewer') }, 'forbidden'],
      [{ by: keyOf('poor') }, 'kyc_required'],
    ];
    for (const [change, code] of rows) s.when({ ...wrong, ...change }).thenRejected(code);
    s.given({ ...base(OPERATOR), type: 'ApproveAccount', accountId: 'poor' });
    s.when(wrong).thenRejected('validation_failed');
    s.when({ ...wrong, quantity: 500 }).thenRejected('market_not_found');
    s.when({ ...wrong, quantity: 500, marketId: 'm' }).thenRejected('market_not_active', 'Market is not active');
    s.given({ ...base(OPERATOR), type: 'ActivateMarket', marketId: 'm' });
    s.when({ ...wrong, quantity: 500, marketId: 'm' }).thenRejected('invalid_tick');
    const onTick = { ...wrong, quantity: 500, marketId: 'm', priceUnits: 5_555, offTick: false };
    s.when(onTick).thenRejected('insufficient_shares');
    // An unfillable FOK is accepted and cancelled before the balance is checked.
    expect(s.when({ ...onTick, side: 'buy' }).decision.kind).to.equal('accepted');
    s.when({ ...onTick, side: 'buy', timeInForce: 'GTC' }).thenRejected('insufficient_balance', 'Insufficient balance');
  });

  it('a key must be live, and of the account that it is used for', () => {
    const s = scenario();
    s.when(order({ by: keyOf('ann', 'bob-key') })).thenRejected('not_authenticated', 'Not authenticated');
    s.when(order({ by: OPERATOR })).thenRejected('not_authenticated');
    s.when(order({ by: SYSTEM })).thenRejected('not_authenticated');
    s.given({ ...base(keyOf('ann')), type: 'RevokeApiKey', keyId: 'ann-key' });
    s.when(order({})).thenRejected('not_authenticated');
  });

  it('trade is what it takes; master does not imply it', () => {
    const s = scenario().given(openAccount('boss', { permissions: ['view', 'master', 'reconcile'] }));
    s.when('a1 boss buy yes 1 @ 0.5').thenRejected('forbidden', 'Forbidden');
  });

  it('paper mode asks for no approval, kyc mode for the account’s own', () => {
    const kyc = tradingScenario({ complianceMode: 'kyc' });
    kyc.when('a1 ann buy yes 1 @ 0.5').thenRejected('kyc_required', /^Permission or KYC: /);
    kyc.given({ ...base(OPERATOR), type: 'ApproveAccount', accountId: 'ann' }, 'a1 ann buy yes 1 @ 0.5');
    scenario().given('a1 ann buy yes 1 @ 0.5');
  });
});

describe('the balance', () => {
  const rich = (units: number) =>
    scenario().given(openAccount('eve', { startingBalanceUnits: units }), 'b1 bob buy no 10 @ 0.45');

  it('needs the walked cost and the limit × what will rest, exactly', () => {
    // 10 × 0.55 are filled, 5 × 0.60 rest: 8.5.
    rich(85_000).given('e1 eve buy yes 15 @ 0.60');
    rich(84_999).when('e1 eve buy yes 15 @ 0.60').thenRejected('insufficient_balance', 'Insufficient balance');
  });

  it('of an order that does not rest needs the walked cost alone', () => {
    rich(55_000).given('e1 eve buy yes 15 @ 0.60 IOC');
    rich(54_999).when('e1 eve buy yes 15 @ 0.60 IOC').thenRejected('insufficient_balance');
  });

  it('counts free cash: what is reserved cannot be spent again', () => {
    const s = rich(100_000).given('e1 eve buy yes 10 @ 0.50');
    s.when('e2 eve buy yes 10 @ 0.5001').thenRejected('insufficient_balance');
    s.given('e3 eve buy yes 10 @ 0.50');
  });

  it('is not asked for by a sale', () => {
    const s = scenario().given(openAccount('eve', { startingBalanceUnits: 10_000 }), 'b1 bob buy no 10 @ 0.90');
    s.given('e1 eve buy yes 10 @ 0.10');
    expect(s.money('eve').cash).to.equal(0);
    s.when('e2 eve sell yes 10 @ 0.20').then('e2 eve limit sell yes 10 @ 0.2 GTC: fills 0, rests 10');
  });
});

describe('the shares', () => {
  const holding = () => scenario().given('b0 bob buy no 10 @ 0.50', 'a0 ann buy yes 10 @ 0.50');

  it('can be sold when they are free', () => {
    holding().given('a1 ann sell yes 4 @ 0.60', 'a2 ann sell yes 6 @ 0.60');
  });

  it('are refused when promised already, or of the other outcome, with the way to go short', () => {
    const s = holding().given('a1 ann sell yes 4 @ 0.60');
    s.when('a2 ann sell yes 7 @ 0.60').thenRejected(
      'insufficient_shares',
      /^Insufficient shares.*buy the other outcome/,
    );
    s.when('a2 ann sell no 1 @ 0.60').thenRejected('insufficient_shares');
    s.when('c1 cy sell yes 1 @ 0.60').thenRejected('insufficient_shares');
  });
});

describe('limits of an order', () => {
  it('an account has so many open orders, and may still place what does not rest', () => {
    const s = tradingScenario({ openOrdersPerAccount: 2 }, checkInvariants).given(
      'b1 bob buy no 10 @ 0.45',
      'a1 ann buy yes 1 @ 0.50',
      'a2 ann buy yes 1 @ 0.50',
    );
    s.when('a3 ann buy yes 1 @ 0.50').thenRejected('limit_reached', /2 open orders/);
    s.given('a4 ann buy yes 1 @ 0.55', 'a5 ann buy yes 1 @ 0.40 IOC');
    s.given({ ...base(keyOf('ann')), type: 'CancelOrder', orderId: 'a1' }, 'a6 ann buy yes 1 @ 0.50');
  });

  it('neither number nor size of orders is limited for an account that plays a tape', () => {
    const by = { kind: 'operator', name: TAPE_OPERATOR } as const;
    const s = tradingScenario({ openOrdersPerAccount: 1 }, checkInvariants).given(
      openAccount('mirror', { by }),
      'm1 mirror buy yes 5000 @ 0.50',
      'm2 mirror buy yes 501 @ 0.50',
      {
        ...base(keyOf('mirror')),
        type: 'AmendOrder',
        offTick: false,
        orderId: 'm1',
        priceUnits: null,
        quantity: 4_999,
      },
    );
    s.when('m3 mirror buy yes 1000000001 @ 0.01').thenRejected('validation_failed', /quantity/);
    s.when('a1 ann buy yes 501 @ 0.50').thenRejected('validation_failed', /quantity/);
    s.given('a2 ann buy yes 1 @ 0.50').when('a3 ann buy yes 1 @ 0.50').thenRejected('limit_reached');
  });

  const many = () =>
    tradingScenario({ fillsPerCommand: 2 }, checkInvariants).given(
      'b1 bob buy no 1 @ 0.50',
      'b2 bob buy no 1 @ 0.50',
      'c1 cy buy no 1 @ 0.49',
    );
  const two = (left: number) => [
    `mint 1 at 0.5: b1 bob buy no cost 0.5 left 0 <- a1 ann buy yes cost 0.5 left ${left + 1}`,
    `mint 1 at 0.5: b2 bob buy no cost 0.5 left 0 <- a1 ann buy yes cost 0.5 left ${left}`,
  ];

  it('one command fills so many orders, then its rest is cancelled, also as GTC', () => {
    many()
      .when('a1 ann buy yes 5 @ 0.60')
      .then(
        'a1 ann limit buy yes 5 @ 0.6 GTC: fills 2, rests 0',
        ...two(3),
        'a1 ann buy yes @ 0.6: 3 incoming cancelled, fill_limit',
      );
  });

  it('that many fills and no further order within the limit is no fill limit', () => {
    many()
      .when('a1 ann buy yes 5 @ 0.50')
      .then('a1 ann limit buy yes 5 @ 0.5 GTC: fills 2, rests 3', ...two(3));
    many()
      .when('a1 ann buy yes 2 @ 0.60')
      .then('a1 ann limit buy yes 2 @ 0.6 GTC: fills 2, rests 0', ...two(0));
  });

  it('a FOK that would need more fills is unfillable', () => {
    many()
      .when('a1 ann buy yes 3 @ 0.60 FOK')
      .then(
        'a1 ann limit buy yes 3 @ 0.6 FOK: fills 0, rests 0',
        'a1 ann buy yes @ 0.6: 3 incoming cancelled, fok_unfillable',
      );
  });

  it('a market order by notional tells its unspent budget', () => {
    many()
      .when('a1 ann market buy yes $3 max 0.80')
      .then(
        'a1 ann market buy yes 4 of $3 @ 0.8 GTC: fills 2, rests 0',
        ...two(2),
        'a1 ann buy yes @ 0.8: 2 incoming cancelled, fill_limit',
      );
  });
});
