import type { Actor, CommandOf } from '@paper/exchange/commands';
import type { Mandate } from '@paper/exchange/vocabulary';
import {
  base,
  issueKey,
  keyOf,
  listMarket,
  openAccount,
  openSubAccount,
  OPERATOR,
  orderFrom,
  SCENARIO_AT,
  startEpoch,
} from '@paper/testkit';
import { expect } from 'chai';
import { amend, cancel, cancelMany, fleetScenario, later, mandate, withKey } from '../tool-commands.ts';

const DAY_MS = 86_400_000;
const revoke = (keyId: string, by: Actor): CommandOf<'RevokeApiKey'> => ({ ...base(by), keyId, type: 'RevokeApiKey' });
/** An order by ann's key `trader`, which the mandates of these tests limit. */
const limited = (text: string) => withKey('trader', orderFrom(text));
const under = (limits: Partial<Mandate>) => fleetScenario().given(mandate('trader', limits));

describe('setting a mandate', () => {
  it('limits any key of the fleet', () => {
    const s = fleetScenario();
    const limits = { marketIds: ['m', 'no-such-market'], maxShares: 5 };
    s.when(later(1, mandate('sub-key', limits))).thenEvents([
      {
        accountId: 'sub',
        at: SCENARIO_AT + 1,
        keyId: 'sub-key',
        mandate: {
          marketIds: ['m', 'no-such-market'],
          maxOrderCostUnits: null,
          maxReservedUnits: null,
          maxShares: 5,
          reduceOnly: null,
          spendPerDayUnits: null,
        },
        type: 'MandateSet',
      },
    ]);
    s.when(mandate('sub-key', limits)).thenNothing();
    s.when(mandate('trader', limits)).events();
    s.when(mandate('ann-key', limits)).events();
  });

  it('replaces the former one whole, and null removes it', () => {
    const s = under({ maxShares: 5 }).given(mandate('trader', { maxOrderCostUnits: 100_000 }));
    s.given(limited('a1 ann buy yes 10 @ 0.55'), mandate('trader', null));
    s.when(mandate('trader', null)).thenNothing();
    s.given(limited('a2 ann buy yes 20 @ 0.55'));
  });

  it('needs no Idempotency-Key: the same again appends nothing, whatever the order of the fields', () => {
    under({ maxShares: 5, reduceOnly: false })
      .when(mandate('trader', { reduceOnly: false, maxShares: 5 }))
      .thenNothing();
  });

  const limits: Mandate = {
    marketIds: ['m'],
    maxOrderCostUnits: 100_000,
    maxReservedUnits: 100_000,
    maxShares: 5,
    reduceOnly: false,
    spendPerDayUnits: 100_000,
  };
  const others: Readonly<Record<string, Partial<Mandate>>> = {
    'in reduceOnly': { reduceOnly: true },
    'in reduceOnly, given and not': { reduceOnly: null },
    'in maxOrderCost': { maxOrderCostUnits: 100_001 },
    'in maxReserved': { maxReservedUnits: 100_001 },
    'in maxShares': { maxShares: 6 },
    'in spendPerDay': { spendPerDayUnits: 100_001 },
    'in a market': { marketIds: ['n'] },
    'in having no markets': { marketIds: null },
  };
  for (const [what, other] of Object.entries(others)) {
    it(`that differs ${what} alone is a change`, () => {
      const mandated = { ...limits, ...other };
      under(limits)
        .when(mandate('trader', mandated))
        .thenEvents([{ accountId: 'ann', at: SCENARIO_AT, keyId: 'trader', mandate: mandated, type: 'MandateSet' }]);
    });
  }

  const forms: readonly (readonly [string, Partial<Mandate>, string])[] = [
    ['maxOrderCost', { maxOrderCostUnits: -1 }, 'must be 0 to 1000000000, in steps of 0.0001'],
    ['maxOrderCost', { maxOrderCostUnits: 10_000_000_000_001 }, 'must be 0 to 1000000000, in steps of 0.0001'],
    ['maxReserved', { maxReservedUnits: 0.5 }, 'must be 0 to 1000000000, in steps of 0.0001'],
    ['spendPerDay', { spendPerDayUnits: Number.NaN }, 'must be 0 to 1000000000, in steps of 0.0001'],
    ['maxShares', { maxShares: 1_000_000_001 }, 'must be a whole number, 0 to 1000000000'],
    ['maxShares', { maxShares: 1.5 }, 'must be a whole number, 0 to 1000000000'],
    ['marketIds', { marketIds: Array.from({ length: 101 }, (_, n) => `m${n}`) }, 'must have at most 100 items'],
  ];
  for (const [field, limits, problem] of forms) {
    it(`refuses ${field} that is out of range: ${JSON.stringify(Object.values(limits)[0]).slice(0, 30)}`, () => {
      fleetScenario()
        .when(mandate('trader', limits))
        .thenRejected('validation_failed', `validation failure: ${field}: ${problem}`);
    });
  }

  it('takes every limit at the ends of its range', () => {
    const s = fleetScenario();
    const least = { maxOrderCostUnits: 0, maxReservedUnits: 0, maxShares: 0, spendPerDayUnits: 0, marketIds: [] };
    const most = {
      marketIds: Array.from({ length: 100 }, (_, n) => `m${n}`),
      maxOrderCostUnits: 10_000_000_000_000,
      maxReservedUnits: 10_000_000_000_000,
      maxShares: 1_000_000_000,
      spendPerDayUnits: 10_000_000_000_000,
    };
    s.given(mandate('trader', least), mandate('trader', most), mandate('trader', {}));
  });

  it('is refused for an unknown key, a revoked one and another fleet’s', () => {
    const s = fleetScenario();
    s.when(mandate('none', {})).thenRejected('forbidden', 'Forbidden');
    s.when(mandate('bob-key', {})).thenRejected('forbidden', 'Forbidden');
    s.given(revoke('both', keyOf('ann')));
    s.when(mandate('both', {})).thenRejected('forbidden', 'Forbidden');
  });

  it('is for a primary’s master key', () => {
    const s = fleetScenario();
    s.when(mandate('sub-key', {}, keyOf('sub'))).thenRejected('primary_account_required');
    s.when(mandate('trader', {}, keyOf('ann', 'trader'))).thenRejected('forbidden');
    s.when(mandate('trader', {}, OPERATOR)).thenRejected('not_authenticated');
    s.when(mandate('trader', {}, keyOf('ann', 'no-such-key'))).thenRejected('not_authenticated');
    s.given(mandate('trader', {}, keyOf('ann', 'viewer')));
  });
});

describe('a key that has a mandate', () => {
  for (const [what, limits] of [
    ['with a limit', { maxShares: 1_000 }],
    ['without any limit', {}],
  ] as const) {
    it(`${what}, can set no mandates, issue no keys, revoke no other and open no sub-accounts`, () => {
      const s = fleetScenario().given(mandate('both', limits));
      const by = keyOf('ann', 'both');
      for (const keyId of ['ann-key', 'trader', 'sub-key', 'no-such-key']) {
        s.when(revoke(keyId, by)).thenRejected('forbidden', 'Forbidden');
      }
      s.when(mandate('both', null, by)).thenRejected('forbidden', 'Forbidden');
      s.when(mandate('trader', {}, by)).thenRejected('forbidden', 'Forbidden');
      s.when(issueKey('another', { by })).thenRejected('forbidden', 'Forbidden');
      s.when(openSubAccount('another', { by })).thenRejected('forbidden', 'Forbidden');
      s.given(mandate('both', null), mandate('trader', {}, by));
    });
  }

  it('can revoke itself: before rules 5 a key with the tightest mandate could revoke all others of its fleet', () => {
    const by = keyOf('ann', 'both');
    const [s, former] = [fleetScenario(), fleetScenario({}, 4)].map((one) => one.given(mandate('both', {})));
    s?.when(revoke('both', by)).thenEvents([
      { accountId: 'ann', at: SCENARIO_AT, keyId: 'both', type: 'ApiKeyRevoked' },
    ]);
    former?.given(revoke('ann-key', by));
    former?.given(startEpoch());
    former?.when(revoke('trader', by)).thenRejected('forbidden', 'Forbidden');
  });

  it('can cancel, and amend in place', () => {
    const s = fleetScenario().given('a1 ann buy yes 10 @ 0.55', 'a2 ann buy yes 10 @ 0.55');
    s.given(
      mandate('trader', { marketIds: [], maxOrderCostUnits: 0, maxReservedUnits: 0, maxShares: 0, reduceOnly: true }),
    );
    s.given(
      withKey('trader', amend('a1', { quantity: 5 })),
      withKey('trader', cancel('a1')),
      withKey('trader', cancelMany('ann')),
    );
  });

  it('leaves the other keys of its account unlimited', () => {
    under({ maxOrderCostUnits: 0 }).given('a1 ann buy yes 10 @ 0.55');
  });
});

describe('maxOrderCost', () => {
  it('is the cost of the exact plan with what it reserves', () => {
    const s = under({ maxOrderCostUnits: 50_000 }).given('b1 bob buy no 4 @ 0.50');
    s.when(limited('a1 ann buy yes 10 @ 0.5001')).thenRejected(
      'mandate_exceeded',
      'Mandate exceeded: maxOrderCost is 5, this order would make it 5.0006',
    );
    // 4 fill at 0.50 and 6 rest at 0.50.
    s.given(limited('a1 ann buy yes 10 @ 0.50'));
  });

  it('is exceeded by a single unit', () => {
    const exact = under({ maxOrderCostUnits: 5_499 });
    exact
      .when(limited('a1 ann buy yes 1 @ 0.55'))
      .thenRejected('mandate_exceeded', 'Mandate exceeded: maxOrderCost is 0.5499, this order would make it 0.55');
    exact.given(limited('a1 ann buy yes 1 @ 0.5499'));
  });

  it('of 0 lets only orders pass that cost nothing', () => {
    const s = under({ maxOrderCostUnits: 0 });
    s.when(limited('a1 ann buy yes 1 @ 0.01')).thenRejected('mandate_exceeded');
    s.given(limited('a2 ann buy yes 1 @ 0.01 IOC'), limited('a3 ann buy yes 500 @ 0.99 FOK'));
  });

  it('does not concern sells', () => {
    const s = under({ maxOrderCostUnits: 0 }).given('b1 bob buy no 10 @ 0.45', 'a1 ann buy yes 10 @ 0.55');
    s.given(limited('a2 ann sell yes 10 @ 0.99'));
  });

  it('of an order by notional counts what it really costs', () => {
    const s = under({ maxOrderCostUnits: 90_000 }).given('b1 bob buy no 10 @ 0.50');
    s.given(limited('a1 ann market buy yes $10'));
  });
});

describe('maxReserved', () => {
  it('is the account’s reserved money after the order, by whatever key it was reserved', () => {
    const s = under({ maxReservedUnits: 100_000 }).given('a1 ann buy yes 10 @ 0.55');
    s.given(limited('a2 ann buy yes 9 @ 0.50'));
    s.when(limited('a3 ann buy yes 1 @ 0.01')).thenRejected(
      'mandate_exceeded',
      'Mandate exceeded: maxReserved is 10, this order would make it 10.01',
    );
  });

  it('lets an order pass that does not raise it, even where it is above already', () => {
    const s = under({ maxReservedUnits: 10_000 }).given('a1 ann buy yes 10 @ 0.40', 'b1 bob buy no 4 @ 0.50');
    s.given(limited('a2 ann buy yes 4 @ 0.50'));
    s.when(limited('a3 ann buy yes 1 @ 0.01')).thenRejected('mandate_exceeded');
    s.given(limited('a4 ann sell yes 4 @ 0.90'));
  });

  it('is the named account’s', () => {
    const s = fleetScenario().given(mandate('both', { maxReservedUnits: 10_000 }), 'a1 ann buy yes 10 @ 0.40');
    s.given(withKey('both', orderFrom('a2 ann buy yes 2 @ 0.50 for sub')));
    s.when(withKey('both', orderFrom('a3 ann buy yes 1 @ 0.50 for sub'))).thenRejected(
      'mandate_exceeded',
      'Mandate exceeded: maxReserved is 1, this order would make it 1.5',
    );
  });
});

describe('maxShares', () => {
  it('is the shares of the outcome held, with those that resting buys of it would add', () => {
    const s = under({ maxShares: 20 }).given(
      'b1 bob buy no 8 @ 0.45',
      'a1 ann buy yes 8 @ 0.55',
      'a2 ann buy yes 7 @ 0.50',
    );
    s.when(limited('a3 ann buy yes 6 @ 0.10')).thenRejected(
      'mandate_exceeded',
      'Mandate exceeded: maxShares is 20, this order would make it 21',
    );
    s.given(limited('a3 ann buy yes 5 @ 0.10'), limited('a4 ann buy no 20 @ 0.10'));
    s.when(limited('a5 ann buy no 1 @ 0.10')).thenRejected('mandate_exceeded');
  });

  it('counts what fills and what rests, not what is cancelled', () => {
    const s = under({ maxShares: 5 }).given('b1 bob buy no 3 @ 0.45');
    s.given(limited('a1 ann buy yes 100 @ 0.55 IOC'));
    s.when(limited('a2 ann buy yes 3 @ 0.10')).thenRejected('mandate_exceeded');
    s.given(limited('a2 ann buy yes 2 @ 0.10'));
  });

  it('falls with sells, merges and cancels', () => {
    const s = under({ maxShares: 5 }).given(limited('a1 ann buy yes 5 @ 0.55'), 'b1 bob buy no 2 @ 0.45');
    s.when(limited('a2 ann buy yes 1 @ 0.10')).thenRejected('mandate_exceeded');
    s.given(cancel('a1'), limited('a3 ann buy yes 3 @ 0.10'));
    s.when(limited('a4 ann buy yes 1 @ 0.10')).thenRejected('mandate_exceeded');
    s.given('b2 bob buy yes 2 @ 0.40', limited('a5 ann sell yes 2 @ 0.40'), limited('a6 ann buy yes 2 @ 0.10'));
  });

  it('is counted a market', () => {
    const s = under({ maxShares: 5 }).given(listMarket('n'), limited('a1 ann buy yes 5 @ 0.55'));
    s.given(limited('a2 ann buy yes 5 @ 0.55 in n'));
  });

  it('is the named account’s', () => {
    const s = fleetScenario().given(mandate('both', { maxShares: 5 }), 'a1 ann buy yes 100 @ 0.40');
    s.given(withKey('both', orderFrom('a2 ann buy yes 5 @ 0.30 for sub')));
    s.when(withKey('both', orderFrom('a3 ann buy yes 1 @ 0.30 for sub'))).thenRejected('mandate_exceeded');
  });
});

describe('spendPerDay', () => {
  it('is Σ of what the key’s buys cost and reserved when they were placed; nothing is given back', () => {
    const s = under({ spendPerDayUnits: 100_000 }).given('b1 bob buy no 4 @ 0.50', limited('a1 ann buy yes 10 @ 0.60'));
    // 4 × 0.50 + 6 × 0.60.
    s.given(cancel('a1'));
    s.when(limited('a2 ann buy yes 10 @ 0.4401')).thenRejected(
      'mandate_exceeded',
      'Mandate exceeded: spendPerDay is 10, this order would make it 10.001',
    );
    s.given(limited('a2 ann buy yes 10 @ 0.44'));
    s.when(limited('a3 ann buy yes 1 @ 0.01')).thenRejected('mandate_exceeded');
  });

  it('is counted a key', () => {
    const s = under({ spendPerDayUnits: 50_000 }).given('a1 ann buy yes 100 @ 0.60');
    s.given(limited('a2 ann buy yes 10 @ 0.50'));
    s.when(limited('a3 ann buy yes 1 @ 0.01')).thenRejected('mandate_exceeded');
  });

  it('counts the orders for sub-accounts for the key that sent them', () => {
    const s = fleetScenario().given(mandate('both', { spendPerDayUnits: 50_000 }));
    s.given(withKey('both', orderFrom('a1 ann buy yes 6 @ 0.50 for sub')), 's1 sub buy yes 100 @ 0.50');
    s.when(withKey('both', orderFrom('a2 ann buy yes 5 @ 0.50'))).thenRejected('mandate_exceeded');
    s.given(withKey('both', orderFrom('a2 ann buy yes 4 @ 0.50')));
  });

  it('counts the morning of a mandate that is set at noon', () => {
    const s = fleetScenario().given(
      limited('a1 ann buy yes 10 @ 0.60'),
      mandate('trader', { spendPerDayUnits: 70_000 }),
    );
    s.when(limited('a2 ann buy yes 2 @ 0.51')).thenRejected(
      'mandate_exceeded',
      'Mandate exceeded: spendPerDay is 7, this order would make it 7.02',
    );
  });

  it('counts on while there is no mandate, and while there is another', () => {
    const s = under({ spendPerDayUnits: 100_000 }).given(limited('a1 ann buy yes 10 @ 0.50'), mandate('trader', null));
    s.given(limited('a2 ann buy yes 10 @ 0.40'), mandate('trader', { spendPerDayUnits: 100_000 }));
    s.when(limited('a3 ann buy yes 10 @ 0.11')).thenRejected('mandate_exceeded');
  });

  it('begins anew at 00:00 UTC of the command’s time', () => {
    const midnightMs = DAY_MS - (SCENARIO_AT % DAY_MS);
    const s = under({ spendPerDayUnits: 50_000 }).given(listMarket('n', { closesAt: SCENARIO_AT + 9 * DAY_MS }));
    s.given(later(midnightMs - 1, limited('a1 ann buy yes 10 @ 0.50 in n')));
    s.when(later(midnightMs - 1, limited('a2 ann buy yes 1 @ 0.01 in n'))).thenRejected('mandate_exceeded');
    s.given(later(midnightMs, limited('a2 ann buy yes 10 @ 0.50 in n')));
    s.when(later(midnightMs + DAY_MS - 1, limited('a3 ann buy yes 1 @ 0.01 in n'))).thenRejected('mandate_exceeded');
    s.given(later(midnightMs + DAY_MS, limited('a3 ann buy yes 1 @ 0.01 in n')));
  });

  it('takes the last event’s day where the clock stepped back over midnight', () => {
    const midnightMs = DAY_MS - (SCENARIO_AT % DAY_MS);
    const s = under({ spendPerDayUnits: 50_000 }).given(listMarket('n', { closesAt: SCENARIO_AT + 9 * DAY_MS }));
    s.given(later(midnightMs, limited('a1 ann buy yes 10 @ 0.50 in n')));
    s.when(later(midnightMs - 1, limited('a2 ann buy yes 1 @ 0.01 in n'))).thenRejected('mandate_exceeded');
  });

  it('does not count sells, refused orders and orders that end with nothing done', () => {
    const s = under({ spendPerDayUnits: 50_000 }).given('b1 bob buy no 10 @ 0.55', 'a1 ann buy yes 10 @ 0.45');
    s.when(limited('a2 ann buy yes 500 @ 0.99')).thenRejected('mandate_exceeded');
    s.given(limited('a3 ann buy yes 500 @ 0.99 FOK'), limited('a4 ann sell yes 10 @ 0.90'));
    s.given(limited('a5 ann buy no 10 @ 0.05'), limited('a6 ann buy yes 9 @ 0.50'));
    s.when(limited('a7 ann buy yes 1 @ 0.01')).thenRejected('mandate_exceeded');
  });
});

describe('reduceOnly', () => {
  it('permits sells only', () => {
    const s = under({ reduceOnly: true }).given('b1 bob buy no 10 @ 0.45', 'a1 ann buy yes 10 @ 0.55');
    s.when(limited('a2 ann buy no 1 @ 0.10')).thenRejected(
      'mandate_exceeded',
      'Mandate exceeded: reduceOnly permits sells only',
    );
    s.given(limited('a3 ann sell yes 10 @ 0.60'));
  });

  it('refuses a buy also where it would end with nothing done', () => {
    under({ reduceOnly: true }).when(limited('a1 ann buy yes 1 @ 0.10 FOK')).thenRejected('mandate_exceeded');
  });

  it('that is false limits nothing', () => {
    under({ reduceOnly: false }).given(limited('a1 ann buy yes 1 @ 0.10'));
  });
});

describe('marketIds', () => {
  it('permits orders in these markets only, sells too', () => {
    const s = under({ marketIds: ['m'] }).given(
      listMarket('n'),
      'b1 bob buy no 1 @ 0.45 in n',
      'a1 ann buy yes 1 @ 0.55 in n',
    );
    s.given(limited('a2 ann buy yes 1 @ 0.10'));
    for (const text of [
      'a3 ann buy yes 1 @ 0.10 in n',
      'a3 ann sell yes 1 @ 0.90 in n',
      'a3 ann buy yes 9 @ 0.10 FOK in n',
    ]) {
      s.when(limited(text)).thenRejected('mandate_exceeded', 'Mandate exceeded: marketIds does not contain n');
    }
  });

  it('that is empty permits none', () => {
    under({ marketIds: [] }).when(limited('a1 ann buy yes 1 @ 0.10')).thenRejected('mandate_exceeded');
  });
});

describe('the order of a mandate’s limits', () => {
  const all = {
    marketIds: [],
    maxOrderCostUnits: 0,
    maxReservedUnits: 0,
    maxShares: 0,
    reduceOnly: true,
    spendPerDayUnits: 0,
  };
  const order: readonly (readonly [keyof Mandate, string])[] = [
    ['maxOrderCostUnits', 'maxOrderCost is 0, this order would make it 1'],
    ['maxReservedUnits', 'maxReserved is 0, this order would make it 1'],
    ['maxShares', 'maxShares is 0, this order would make it 10'],
    ['spendPerDayUnits', 'spendPerDay is 0, this order would make it 1'],
    ['marketIds', 'marketIds does not contain m'],
    ['reduceOnly', 'reduceOnly permits sells only'],
  ];
  for (const [index, [limit, message]] of order.entries()) {
    it(`${limit} comes ${index === 0 ? 'first' : `after ${order[index - 1]?.[0]}`}`, () => {
      const left = Object.fromEntries(order.slice(index).map(([name]) => [name, all[name]]));
      under(left)
        .when(limited('a1 ann buy yes 10 @ 0.10'))
        .thenRejected('mandate_exceeded', `Mandate exceeded: ${message}`);
    });
  }

  it('comes after the market, the tick and the clientOrderId, and before shares and balance', () => {
    const s = under({ marketIds: [], maxOrderCostUnits: 0 }).given('a1 ann buy yes 1 @ 0.10 as c1');
    s.when(limited('a2 ann buy yes 1 @ 0.10 in none')).thenRejected('market_not_found');
    s.when(limited('a2 ann buy yes 1 @ 0.10005')).thenRejected('invalid_tick');
    s.when(limited('a2 ann buy yes 1 @ 0.10 as c1')).thenRejected('duplicate_client_order_id');
    s.when(limited('a2 ann sell yes 1 @ 0.10')).thenRejected('mandate_exceeded');
    const poor = fleetScenario({ startingBalanceUnits: 10_000 }).given(mandate('trader', { maxOrderCostUnits: 0 }));
    poor.when(limited('a2 ann buy yes 500 @ 0.10')).thenRejected('mandate_exceeded');
    poor.when('a2 ann buy yes 500 @ 0.10').thenRejected('insufficient_balance');
  });
});

describe('a mandate measures a replaced order', () => {
  const requote = (orderId: string, change: Parameters<typeof amend>[1]) => withKey('trader', amend(orderId, change));

  it('like a new one of its remaining shares', () => {
    const s = under({ maxOrderCostUnits: 36_000 }).given('a1 ann buy yes 10 @ 0.55', 'b1 bob buy no 4 @ 0.45');
    s.when(requote('a1', { price: 0.6001 })).thenRejected(
      'mandate_exceeded',
      'Mandate exceeded: maxOrderCost is 3.6, this order would make it 3.6006',
    );
    s.given(requote('a1', { price: 0.6 }));
  });

  it('with its former reserve given back first', () => {
    const s = under({ maxReservedUnits: 60_000 }).given('a1 ann buy yes 10 @ 0.55');
    s.given(requote('a1', { price: 0.6 }));
    s.when(requote('a1', { price: 0.61 })).thenRejected(
      'mandate_exceeded',
      'Mandate exceeded: maxReserved is 6, this order would make it 6.1',
    );
  });

  it('and lets it pass where it does not raise a figure that is above its limit already', () => {
    const s = under({ maxReservedUnits: 10_000, maxShares: 3 }).given('a1 ann buy yes 10 @ 0.55');
    s.given(requote('a1', { price: 0.54 }), requote('a1', { price: 0.5, quantity: 9 }));
    s.when(requote('a1', { price: 0.51 })).thenRejected('mandate_exceeded', /^Mandate exceeded: maxReserved is 1,/);
    s.when(requote('a1', { price: 0.3, quantity: 10 })).thenRejected(
      'mandate_exceeded',
      'Mandate exceeded: maxShares is 3, this order would make it 10',
    );
  });

  it('adds its whole cost and reserve to spendPerDay, for the key that replaced it', () => {
    const s = under({ spendPerDayUnits: 100_000 }).given('a1 ann buy yes 10 @ 0.55', 'b1 bob buy no 4 @ 0.45');
    // 6 remaining at 0.60, twice 3.6, then 2.8 are left.
    s.given(requote('a1', { price: 0.6 }), requote('a1', { price: 0.5 }));
    s.when(requote('a1', { price: 0.6 })).thenRejected(
      'mandate_exceeded',
      'Mandate exceeded: spendPerDay is 10, this order would make it 10.2',
    );
    s.given(requote('a1', { quantity: 9 }));
    s.given(requote('a1', { price: 0.4, quantity: 10 }));
  });

  it('refuses it in a market that it does not permit, and of buys with reduceOnly', () => {
    under({ marketIds: [] })
      .given('a1 ann buy yes 10 @ 0.55')
      .when(requote('a1', { price: 0.5 }))
      .thenRejected('mandate_exceeded', 'Mandate exceeded: marketIds does not contain m');
    under({ reduceOnly: true })
      .given('a1 ann buy yes 10 @ 0.55')
      .when(requote('a1', { price: 0.5 }))
      .thenRejected('mandate_exceeded', 'Mandate exceeded: reduceOnly permits sells only');
  });

  it('lets a sale pass all limits but marketIds', () => {
    under({ maxOrderCostUnits: 0, maxReservedUnits: 0, maxShares: 0, reduceOnly: true, spendPerDayUnits: 0 }).given(
      'b1 bob buy no 10 @ 0.45',
      'a1 ann buy yes 10 @ 0.55',
      'a2 ann sell yes 10 @ 0.90',
      requote('a2', { price: 0.8 }),
    );
  });
});

describe('what a key spends', () => {
  const spentOf = (s: ReturnType<typeof fleetScenario>, keyId: string) =>
    s.state.keys.get(keyId)?.spentOn(s.state.lastAt);

  it('is stored without a mandate too, and is 0 on a new day', () => {
    const s = fleetScenario().given(limited('a1 ann buy yes 10 @ 0.60'));
    expect(spentOf(s, 'trader')).to.equal(60_000);
    s.given(later(DAY_MS, openAccount('eve')));
    expect(spentOf(s, 'trader')).to.equal(0);
  });

  it('is in the events, and 0 for sells', () => {
    const s = fleetScenario().given('b1 bob buy no 4 @ 0.50');
    const [bought] = s.when(limited('a1 ann buy yes 10 @ 0.60')).events();
    expect(bought).to.include({ keyId: 'trader', spentUnits: 4 * 5_000 + 6 * 6_000 });
    const [sold] = s.when(limited('a2 ann sell yes 4 @ 0.90')).events();
    expect(sold).to.include({ keyId: 'trader', spentUnits: 0 });
  });
});
