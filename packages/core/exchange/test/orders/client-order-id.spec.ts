import { listMarket, orderFrom, SCENARIO_AT } from '@paper/testkit';
import { dump } from '@paper/testkit/dumps';
import { expect } from 'chai';
import { amend, cancel, expire, fleetScenario, keyed, later, toolScenario, withKey } from '../tool-commands.ts';

const DAY_MS = 86_400_000;
const again = orderFrom('a2 ann buy yes 1 @ 0.20 as c1');

describe('a clientOrderId', () => {
  it('is refused for a second order while the first one is open', () => {
    const s = toolScenario().given('a1 ann buy yes 10 @ 0.55 as c1');
    s.when(again).thenRejected(
      'duplicate_client_order_id',
      'clientOrderId c1 is in use by an open order of this account, or by one that ended in the last 24 hours',
    );
  });

  it('is in the event of its order', () => {
    const [placed] = toolScenario().when('a1 ann buy yes 10 @ 0.55 as c1').events();
    expect(placed).to.include({ clientOrderId: 'c1', type: 'OrderPlaced' });
  });

  it('is of its account: another account, and a sub-account, can take the same', () => {
    fleetScenario().given(
      'a1 ann buy yes 10 @ 0.55 as c1',
      'b1 bob buy yes 1 @ 0.20 as c1',
      's1 sub buy yes 1 @ 0.2 as c1',
    );
  });

  it('is of the account that the order is for', () => {
    const s = fleetScenario().given('a1 ann buy yes 10 @ 0.55 as c1', 'a2 ann buy yes 1 @ 0.20 as c1 for sub');
    s.when('s1 sub buy yes 1 @ 0.20 as c1').thenRejected('duplicate_client_order_id');
    s.when('a3 ann buy yes 1 @ 0.20 as c1 for sub').thenRejected('duplicate_client_order_id');
  });

  const ends: readonly (readonly [string, (s: ReturnType<typeof toolScenario>) => unknown])[] = [
    ['cancelled', (s) => s.given('a1 ann buy yes 10 @ 0.55 as c1', cancel('a1'))],
    ['filled at once', (s) => s.given('b1 bob buy no 10 @ 0.45', 'a1 ann buy yes 10 @ 0.55 as c1')],
    ['filled later', (s) => s.given('a1 ann buy yes 10 @ 0.55 as c1', 'b1 bob buy no 10 @ 0.45')],
    ['cancelled at once', (s) => s.given('a1 ann buy yes 10 @ 0.55 FOK as c1')],
    ['expired', (s) => s.given('a1 ann buy yes 10 @ 0.55 until 5s as c1', later(5_000, expire()))],
    [
      'amended into its end',
      (s) => s.given('b1 bob buy no 10 @ 0.45', 'a1 ann buy yes 10 @ 0.50 as c1', amend('a1', { price: 0.55 })),
    ],
  ];
  for (const [what, end] of ends) {
    it(`stays taken for 24 hours of event time after its order was ${what}`, () => {
      const s = toolScenario();
      end(s);
      const endedMs = s.state.lastAt - SCENARIO_AT;
      s.when(again).thenRejected('duplicate_client_order_id');
      // The market has closed by then; only the event's time counts.
      s.given(later(endedMs + DAY_MS, listMarket('later', { closesAt: SCENARIO_AT + 9 * DAY_MS })));
      s.when({ ...again, marketId: 'later' }).thenRejected('duplicate_client_order_id');
      s.given(later(endedMs + DAY_MS + 1, orderFrom('d1 dan buy yes 1 @ 0.01 in later')));
      s.given({ ...again, marketId: 'later' });
    });
  }

  it('is not taken by an order that is refused', () => {
    const s = toolScenario();
    s.when('a1 ann sell yes 10 @ 0.55 as c1').thenRejected('insufficient_shares');
    s.given(again);
  });

  it('is checked after the market and the tick, and before mandate, shares and balance', () => {
    const s = fleetScenario().given('a1 ann buy yes 10 @ 0.55 as c1');
    s.when('a2 ann buy yes 1 @ 0.20 as c1 in none').thenRejected('market_not_found');
    s.when('a2 ann buy yes 1 @ 0.20005 as c1').thenRejected('invalid_tick');
    s.when('a2 ann sell yes 1 @ 0.20 as c1').thenRejected('duplicate_client_order_id');
    s.when('a2 ann buy yes $5000 @ 0.01 as c1').thenRejected('duplicate_client_order_id');
  });

  it('is checked after the Idempotency-Key, so a repeat replays', () => {
    const order = keyed('k', orderFrom('a1 ann buy yes 10 @ 0.55 as c1'));
    const s = toolScenario().given(order);
    s.when({ ...order, orderId: 'a2' }).thenNothing('replayed');
  });

  it('stays its order’s when that is amended', () => {
    const s = toolScenario().given('a1 ann buy yes 10 @ 0.55 as c1', amend('a1', { price: 0.5 }));
    s.when(again).thenRejected('duplicate_client_order_id');
  });

  it('is one for all keys of the account', () => {
    const s = fleetScenario().given('a1 ann buy yes 10 @ 0.55 as c1');
    s.when(withKey('trader', again)).thenRejected('duplicate_client_order_id');
  });

  it('goes before its time, with the end that passes the bound, where the fleet holds more than its share of the memory', () => {
    const s = toolScenario({ idempotencyEntries: 2 });
    for (const n of [1, 2, 3]) s.given(`a${n} ann buy yes 1 @ 0.20 as c${n}`, cancel(`a${n}`));
    expect(dump(s.state).tools.endedClientOrderIds).to.have.length(2);
    s.given('a4 ann buy yes 1 @ 0.20 as c1');
    s.when('a5 ann buy yes 1 @ 0.20 as c3').thenRejected('duplicate_client_order_id');
  });
});
