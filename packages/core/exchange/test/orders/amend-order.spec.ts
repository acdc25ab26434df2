import { amendAnswer } from '@paper/exchange';
import { PLAIN_ORDER } from '@paper/exchange/commands';
import { base, keyOf, listMarket, openAccount, OPERATOR, orderFrom, SCENARIO_AT, startEpoch } from '@paper/testkit';
import { expect } from 'chai';
import {
  amend,
  cancel,
  cancelMany,
  fleetScenario,
  keyed,
  later,
  mandate,
  market,
  merge,
  toolScenario,
  withKey,
} from '../tool-commands.ts';

describe('lowering the total of an order at its price', () => {
  it('keeps its place in the queue and frees the rest of its reserve', () => {
    const s = toolScenario().given('a1 ann buy yes 10 @ 0.55', 'c1 cy buy yes 1 @ 0.55');
    s.when(amend('a1', { quantity: 6 })).then('a1 ann buy yes @ 0.55: 4 removed, 6 of 6 rest');
    expect(s.ladder()).to.equal('-----\n0.55 | a1 ann buy yes 6, c1 cy buy yes 1');
    expect(s.money('ann')).to.deep.equal({ cash: 10_000, reserved: 3.3 });
  });

  it('counts what is filled', () => {
    const s = toolScenario().given('a1 ann buy yes 10 @ 0.55', 'b1 bob buy no 4 @ 0.45');
    s.when(amend('a1', { quantity: 5 })).then('a1 ann buy yes @ 0.55: 5 removed, 1 of 5 rest');
    s.when('b2 bob buy no 3 @ 0.45').then(
      'b2 bob limit buy no 3 @ 0.45 GTC: fills 1, rests 2',
      'mint 1 at 0.55: a1 ann buy yes cost 0.55 left 0 <- b2 bob buy no cost 0.45 left 2',
    );
  });

  it('is whole in its event', () => {
    const s = toolScenario().given('a1 ann buy no 10 @ 0.55');
    s.when(later(5_000, amend('a1', { quantity: 6, price: 0.55 }))).thenEvents([
      {
        ...PLAIN_ORDER,
        accountId: 'ann',
        at: SCENARIO_AT + 5_000,
        createdAt: SCENARIO_AT,
        filledCostUnits: 0,
        marketId: 'm',
        orderId: 'a1',
        outcome: 'no',
        priceUnits: 5_500,
        quantity: 6,
        remaining: 6,
        removed: 4,
        side: 'buy',
        type: 'OrderAmended',
      },
    ]);
  });

  it('frees the shares of a sale', () => {
    const s = toolScenario().given('b0 bob buy no 10 @ 0.50', 'a0 ann buy yes 10 @ 0.50', 'a1 ann sell yes 10 @ 0.60');
    s.given(amend('a1', { quantity: 4 }), 'a2 ann sell yes 6 @ 0.70');
    s.when('a3 ann sell yes 1 @ 0.70').thenRejected('insufficient_shares');
  });

  it('works while the market is paused, and past its closing time', () => {
    toolScenario().given('a1 ann buy yes 10 @ 0.55', market('PauseMarket'), amend('a1', { quantity: 6 }));
    toolScenario().given('a1 ann buy yes 10 @ 0.55', later(2_000_000, amend('a1', { quantity: 6 })));
  });

  it('lowers an order by notional, whatever its total was', () => {
    const s = toolScenario().given('a1 ann buy yes $8 @ 0.01');
    s.when(amend('a1', { quantity: 500 })).then('a1 ann buy yes @ 0.01: 300 removed, 500 of 500 rest');
  });

  it('answers with the order as it is', () => {
    const order = orderFrom('a1 ann buy yes 10 @ 0.55');
    const expiresAt = SCENARIO_AT + 60_000;
    const s = toolScenario().given({ ...order, clientOrderId: 'bid', expiresAt }, 'b1 bob buy no 4 @ 0.45');
    expect(amendAnswer(s.when(later(1, amend('a1', { quantity: 6 }))).events())).to.deep.equal({
      ...PLAIN_ORDER,
      accountId: 'ann',
      averagePriceUnits: 5_500,
      clientOrderId: 'bid',
      createdAt: SCENARIO_AT,
      expiresAt,
      filledQty: 4,
      marketId: 'm',
      orderId: 'a1',
      orderType: 'limit',
      outcome: 'yes',
      priceUnits: 5_500,
      quantity: 6,
      reason: null,
      reservedUnits: 11_000,
      side: 'buy',
      status: 'partial',
      timeInForce: 'GTC',
    });
  });
});

describe('a change by rules 4', () => {
  it('tells nothing of its order besides, nor the average of fills before it', () => {
    const s = toolScenario({}, 4).given({ ...orderFrom('a1 ann buy yes 10 @ 0.55'), clientOrderId: 'bid' });
    const unknown = { clientOrderId: null, expiresAt: null, postOnly: null };
    const taken = s.given('c1 cy buy no 2 @ 0.40').when(amend('a1', { price: 0.6 }));
    expect(taken.events()[0]).to.include({ ...unknown, filledCostUnits: null });
    expect(amendAnswer(taken.events())).to.include({ ...unknown, averagePriceUnits: 6_000, filledQty: 2 });
    const lowered = s.when(amend('a1', { quantity: 6 }));
    expect(lowered.events()).to.have.length(1);
    expect(amendAnswer(lowered.events())).to.include({ ...unknown, averagePriceUnits: null, filledQty: 2 });
  });
});

describe('the same values', () => {
  const amendments = [{ price: 0.55 }, { quantity: 10 }, { price: 0.55, quantity: 10 }];
  for (const change of amendments) {
    it(`append nothing: ${JSON.stringify(change)}`, () => {
      const s = toolScenario().given('a1 ann buy yes 10 @ 0.55', 'b1 bob buy no 4 @ 0.45');
      s.when(amend('a1', change)).thenNothing();
      s.given(market('PauseMarket')).when(amend('a1', change)).thenNothing();
    });
  }

  it('are those of an order of 800 by notional, of which only the price is given', () => {
    const s = toolScenario().given('a1 ann buy yes $8 @ 0.01');
    s.when(amend('a1', { price: 0.01 })).thenNothing();
  });
});

describe('any other change of an order', () => {
  it('takes it out of the book, and it enters again at the end', () => {
    const s = toolScenario().given('a1 ann buy yes 10 @ 0.55', 'c1 cy buy yes 1 @ 0.55');
    s.when(amend('a1', { quantity: 11 })).then('a1 ann buy yes 10 @ 0.55, 0 filled -> 11 @ 0.55: fills 0, rests 11');
    expect(s.ladder()).to.equal('-----\n0.55 | c1 cy buy yes 1, a1 ann buy yes 11');
    s.when(amend('c1', { price: 0.6 }, keyOf('cy'))).then(
      'c1 cy buy yes 1 @ 0.55, 0 filled -> 1 @ 0.6: fills 0, rests 1',
    );
    expect(s.ladder()).to.equal('-----\n0.60 | c1 cy buy yes 1\n0.55 | a1 ann buy yes 11');
    expect(s.money('ann')).to.deep.equal({ cash: 10_000, reserved: 6.05 });
    expect(s.money('cy')).to.deep.equal({ cash: 10_000, reserved: 0.6 });
  });

  it('loses the place with a lower total and another price', () => {
    const s = toolScenario().given('a1 ann buy yes 10 @ 0.55', 'c1 cy buy yes 1 @ 0.50');
    s.given(amend('a1', { price: 0.5, quantity: 5 }));
    expect(s.ladder()).to.equal('-----\n0.50 | c1 cy buy yes 1, a1 ann buy yes 5');
  });

  it('takes where it crosses, and counts all fills', () => {
    const s = toolScenario().given('a1 ann buy yes 10 @ 0.50', 'b1 bob buy no 4 @ 0.50', 'c1 cy buy no 2 @ 0.42');
    const then = s.when(later(5_000, amend('a1', { price: 0.6 })));
    then.then(
      'a1 ann buy yes 6 @ 0.5, 4 filled -> 10 @ 0.6: fills 2, rests 4',
      'mint 2 at 0.58: c1 cy buy no cost 0.84 left 0 <- a1 ann buy yes cost 1.16 left 4',
    );
    expect(s.ladder()).to.equal('-----\n0.60 | a1 ann buy yes 4');
    expect(amendAnswer(then.events())).to.deep.include({
      // (4 × 0.50 + 2 × 0.58) / 6 = 0.526666…
      averagePriceUnits: 5_267,
      createdAt: SCENARIO_AT,
      filledQty: 6,
      quantity: 10,
      reservedUnits: 24_000,
      status: 'partial',
    });
    expect(s.money('ann')).to.deep.equal({ cash: 9_996.84, reserved: 2.4 });
    s.given('c2 cy buy no 4 @ 0.40');
    s.when(cancel('a1')).thenNothing('unknown_order');
  });

  it('is whole in its event', () => {
    const s = fleetScenario().given('a1 ann buy no 10 @ 0.50', 'b1 bob buy yes 4 @ 0.50', 'c1 cy buy yes 2 @ 0.42');
    const [replaced] = s.when(later(5_000, withKey('trader', amend('a1', { price: 0.6, quantity: 8 })))).events();
    expect(replaced).to.deep.equal({
      ...PLAIN_ORDER,
      accountId: 'ann',
      at: SCENARIO_AT + 5_000,
      createdAt: SCENARIO_AT,
      fillQuantity: 2,
      filledCostUnits: 4 * 5_000,
      filledQuantity: 4,
      formerPriceUnits: 5_000,
      formerRemaining: 6,
      keyId: 'trader',
      marketId: 'm',
      orderId: 'a1',
      outcome: 'no',
      priceUnits: 6_000,
      quantity: 8,
      restQuantity: 2,
      side: 'buy',
      spentUnits: 2 * 5_800 + 2 * 6_000,
      type: 'OrderReplaced',
    });
  });

  it('can fill it wholly', () => {
    const s = toolScenario().given('a1 ann buy yes 10 @ 0.50', 'c1 cy buy no 10 @ 0.45');
    const then = s.when(amend('a1', { price: 0.55 }));
    then.then(
      'a1 ann buy yes 10 @ 0.5, 0 filled -> 10 @ 0.55: fills 10, rests 0',
      'mint 10 at 0.55: c1 cy buy no cost 4.5 left 0 <- a1 ann buy yes cost 5.5 left 0',
    );
    expect(amendAnswer(then.events()).status).to.equal('filled');
    s.when(amend('a1', { price: 0.5 })).thenNothing('unknown_order');
    s.when(cancelMany('ann')).thenNothing();
  });

  it('stops at an own order, and the rest is cancelled', () => {
    const s = fleetScenario().given('a1 ann buy yes 10 @ 0.50', 'c1 cy buy no 2 @ 0.46', 's1 sub buy no 5 @ 0.45');
    const then = s.when(amend('a1', { price: 0.55 }));
    then.then(
      'a1 ann buy yes 10 @ 0.5, 0 filled -> 10 @ 0.55: fills 2, rests 0',
      'mint 2 at 0.54: c1 cy buy no cost 0.92 left 0 <- a1 ann buy yes cost 1.08 left 8',
      'a1 ann buy yes @ 0.55: 8 incoming cancelled, self_trade',
    );
    expect(amendAnswer(then.events())).to.include({ filledQty: 2, status: 'cancelled', reservedUnits: 0 });
  });

  it('cancels a post-only order that would take', () => {
    const s = toolScenario().given(
      'a1 ann buy yes 10 @ 0.50 post-only',
      'b1 bob buy no 4 @ 0.50',
      'c1 cy buy no 2 @ 0.42',
    );
    const then = s.when(amend('a1', { price: 0.6 }));
    then.then(
      'a1 ann buy yes 6 @ 0.5, 4 filled -> 10 @ 0.6: fills 0, rests 0',
      'a1 ann buy yes @ 0.6: 6 incoming cancelled, post_only',
    );
    expect(amendAnswer(then.events())).to.include({ filledQty: 4, status: 'cancelled', reservedUnits: 0 });
    expect(s.money('ann').reserved).to.equal(0);
  });

  it('lets a post-only order rest elsewhere', () => {
    toolScenario().given('a1 ann buy yes 10 @ 0.50 post-only', 'c1 cy buy no 2 @ 0.42', amend('a1', { price: 0.57 }));
  });

  it('keeps the 800 of an order by notional where only its price is given', () => {
    const s = toolScenario().given('a1 ann buy yes $8 @ 0.01');
    s.when(amend('a1', { price: 0.02 })).then('a1 ann buy yes 800 @ 0.01, 0 filled -> 800 @ 0.02: fills 0, rests 800');
    s.when(amend('a1', { price: 0.03, quantity: 500 })).then(
      'a1 ann buy yes 800 @ 0.02, 0 filled -> 500 @ 0.03: fills 0, rests 500',
    );
  });

  it('keeps its place by acceptance among the account’s orders', () => {
    const s = toolScenario().given('a1 ann buy yes 1 @ 0.50', 'a2 ann buy yes 1 @ 0.40', amend('a1', { price: 0.3 }));
    s.when(cancelMany('ann')).then(
      'a1 ann buy yes @ 0.3: 1 resting cancelled, user',
      'a2 ann buy yes @ 0.4: 1 resting cancelled, user',
    );
  });

  it('does not count a second time towards the open orders', () => {
    const s = toolScenario({ openOrdersPerAccount: 1 }).given('a1 ann buy yes 1 @ 0.50');
    s.when('a2 ann buy yes 1 @ 0.50').thenRejected('limit_reached');
    s.given(amend('a1', { price: 0.4 }));
  });

  it('gives back its reserve before it needs the new one', () => {
    const s = toolScenario({ startingBalanceUnits: 55_000 }).given('a1 ann buy yes 10 @ 0.50');
    s.given(amend('a1', { price: 0.55 }));
    s.when(amend('a1', { price: 0.56 })).thenRejected('insufficient_balance');
    expect(s.ladder()).to.equal('-----\n0.55 | a1 ann buy yes 10');
  });

  it('gives back its shares before it needs them', () => {
    const s = toolScenario().given('b0 bob buy no 10 @ 0.50', 'a0 ann buy yes 10 @ 0.50', 'a1 ann sell yes 8 @ 0.60');
    s.given(amend('a1', { quantity: 10 }), amend('a1', { price: 0.7 }));
    s.when(amend('a1', { quantity: 11 })).thenRejected('insufficient_shares');
    expect(s.ladder()).to.equal('0.70 | a1 ann sell yes 10\n-----');
    s.when(merge(1)).thenRejected('insufficient_shares');
  });

  it('cannot be filled at its former price afterwards', () => {
    const s = toolScenario().given('a1 ann buy yes 10 @ 0.50', amend('a1', { price: 0.4 }));
    s.when('b1 bob buy no 10 @ 0.50').then('b1 bob limit buy no 10 @ 0.5 GTC: fills 0, rests 10');
  });
});

describe('an amendment is refused and leaves the order as it was', () => {
  const scenario = () =>
    fleetScenario().given('a1 ann buy yes 10 @ 0.55', 'b1 bob buy no 4 @ 0.45', 's1 sub buy yes 1 @ 0.30');

  const faults: readonly (readonly [string, Parameters<typeof amend>[1], string])[] = [
    ['price', { price: 0.0099 }, 'must be 0.01 to 0.99'],
    ['price', { price: 0.9901 }, 'must be 0.01 to 0.99'],
    ['price', {}, 'or quantity is required'],
    ['quantity', { quantity: 0 }, 'must be a whole number, 1 to 500'],
    ['quantity', { quantity: 501 }, 'must be a whole number, 1 to 500'],
    ['quantity', { quantity: 5.5 }, 'must be a whole number, 1 to 500'],
    ['quantity', { quantity: 4 }, 'must be greater than the 4 shares that are filled'],
    ['quantity', { quantity: 3, price: 0.6 }, 'must be greater than the 4 shares that are filled'],
  ];
  for (const [field, change, problem] of faults) {
    it(`${JSON.stringify(change)}: ${problem}`, () => {
      scenario()
        .when(amend('a1', change))
        .thenRejected('validation_failed', `validation failure: ${field}: ${problem}`);
    });
  }

  it('off the tick', () => {
    const s = scenario().given(listMarket('coarse', { tickUnits: 100 }), 'a2 ann buy yes 1 @ 0.50 in coarse');
    s.when(amend('a2', { price: 0.505 })).thenRejected('invalid_tick');
    s.when(amend('a1', { price: 0.50005 })).thenRejected('invalid_tick');
  });

  it('in a market that takes no orders', () => {
    const s = scenario().given(market('PauseMarket'));
    s.when(amend('a1', { price: 0.5 })).thenRejected('market_not_active');
    s.when(amend('a1', { quantity: 11 })).thenRejected('market_not_active');
    s.given(amend('a1', { quantity: 9 }));
    scenario()
      .when(later(2_000_000, amend('a1', { price: 0.5 })))
      .thenRejected('market_not_active');
  });

  it('of an account that awaits approval, where it would enter again', () => {
    const s = toolScenario().given('a1 ann buy yes 10 @ 0.55', startEpoch({ complianceMode: 'kyc' }));
    s.when(amend('a1', { price: 0.5 })).thenRejected('kyc_required');
    s.given(amend('a1', { quantity: 9 }), { ...base(OPERATOR), type: 'ApproveAccount', accountId: 'ann' });
    s.given(amend('a1', { price: 0.5 }));
  });

  it('of an order that has ended, or never was: the read model says which', () => {
    const s = scenario().given(cancel('a1'));
    s.when(amend('a1', { price: 0.5 })).thenNothing('unknown_order');
    s.when(amend('none', { price: 0.5 })).thenNothing('unknown_order');
  });

  it('of another fleet, of the primary and of a sibling', () => {
    scenario()
      .when(amend('a1', { price: 0.5 }, keyOf('bob')))
      .thenRejected('forbidden');
    scenario()
      .when(amend('a1', { price: 0.5 }, keyOf('sub')))
      .thenRejected('forbidden');
    scenario()
      .when(amend('s1', { price: 0.5 }, keyOf('sib')))
      .thenRejected('forbidden');
    scenario()
      .when(amend('s1', { price: 0.5 }, keyOf('ann', 'trader')))
      .thenRejected('forbidden');
    scenario()
      .when(amend('s1', { price: 0.5 }, keyOf('ann', 'viewer')))
      .thenRejected('forbidden');
    scenario().given(amend('s1', { price: 0.5 }, keyOf('ann', 'both')), amend('s1', { price: 0.4 }, keyOf('sub')));
  });

  it('without a key that may trade', () => {
    scenario()
      .when(amend('a1', { price: 0.5 }, keyOf('ann', 'no-such-key')))
      .thenRejected('not_authenticated');
    scenario()
      .when(amend('a1', { price: 0.5 }, OPERATOR))
      .thenRejected('not_authenticated');
    const s = scenario().given(openAccount('eve', { permissions: ['view', 'master'] }));
    s.when(amend('a1', { price: 0.5 }, keyOf('eve'))).thenRejected('forbidden');
  });

  it('before anything else for its form, then for its Idempotency-Key', () => {
    const s = scenario().given(keyed('k', amend('a1', { price: 0.5 })));
    s.when(keyed('k', amend('none', { quantity: 0 }))).thenRejected('validation_failed');
    s.when(keyed('k', amend('none', { price: 0.4 }), 'other')).thenRejected('idempotency_conflict');
  });

  it('for the mandate before the shares and the balance', () => {
    const s = scenario().given(mandate('trader', { maxOrderCostUnits: 10_000 }));
    s.when(withKey('trader', amend('a1', { price: 0.99, quantity: 500 }))).thenRejected('mandate_exceeded');
  });
});

describe('an amendment with an Idempotency-Key', () => {
  it('replays when the order has ended meanwhile', () => {
    const change = keyed('k', amend('a1', { quantity: 6 }));
    const s = toolScenario().given('a1 ann buy yes 10 @ 0.55', change, cancel('a1'));
    s.when(change).thenNothing('replayed');
  });

  it('replays when the order was filled by it', () => {
    const change = keyed('k', amend('a1', { price: 0.6 }));
    const s = toolScenario().given('a1 ann buy yes 10 @ 0.55', 'b1 bob buy no 10 @ 0.42', change);
    s.when(change).thenNothing('replayed');
  });

  it('replays a cancel of one order too, when the order has ended', () => {
    const command = keyed('k', cancel('a1'));
    const s = toolScenario().given('a1 ann buy yes 10 @ 0.55', command);
    s.when(command).thenNothing('replayed');
    s.when(keyed('k', orderFrom('a2 ann buy yes 1 @ 0.1'), 'order')).thenRejected('idempotency_conflict');
  });
});
