import type { Command, CommandOf } from '@paper/exchange/commands';
import {
  orderFrom,
  base,
  keyOf,
  openAccount,
  OPERATOR,
  SCENARIO_AT,
  startEpoch,
  tradingScenario,
} from '@paper/testkit';
import { dump } from '@paper/testkit/dumps';
import { expect } from 'chai';
import { arm, cancelMany, mandate } from '../tool-commands.ts';

const keyed = <C extends Command>(command: C, key: string, fingerprint = 'same'): C => ({
  ...command,
  idempotency: { fingerprint, key },
});
const order = (text: string, key: string, fingerprint?: string): CommandOf<'PlaceOrder'> =>
  keyed(orderFrom(text), key, fingerprint);

const amendClosesAt = (closesAt: number): CommandOf<'AmendMarket'> => ({
  ...base(OPERATOR),
  type: 'AmendMarket',
  citationUrl: null,
  closesAt,
  companyImpact: null,
  description: null,
  drivers: null,
  marketId: 'm',
  title: null,
});

describe('an Idempotency-Key', () => {
  const repeated: readonly (readonly [string, Command])[] = [
    ['a dead-man switch', arm(30)],
    ['a mandate', mandate('ann-key', { maxShares: 5 })],
    ['a cancel of many', cancelMany('ann')],
  ];
  for (const [what, command] of repeated) {
    it(`of ${what} is not remembered, so that a repeat is carried out again`, () => {
      const s = tradingScenario().given('a1 ann buy yes 1 @ 0.60', keyed(command, 'k'));
      expect(dump(s.state).remembered).to.deep.equal([]);
      s.when(keyed(command, 'k', 'other'));
      s.given(order('a2 ann buy yes 1 @ 0.50', 'k'));
      s.when(keyed(arm(60), 'k')).then('ann switch at 60s');
    });
  }

  it('is remembered with the sequence of the decision’s first event', () => {
    const s = tradingScenario().given('b1 bob buy no 4 @ 0.45');
    const seq = s.state.seq + 1;
    s.given(order('a1 ann buy yes 10 @ 0.60', 'k'));
    const { decision } = s.when(order('a2 ann buy yes 10 @ 0.60', 'k'));
    expect(decision).to.deep.equal({ kind: 'replayed', seq });
  });

  it('is refused for another request', () => {
    const s = tradingScenario().given(order('a1 ann buy yes 10 @ 0.60', 'k'));
    s.when(order('a2 ann buy yes 10 @ 0.60', 'k', 'other')).thenRejected('idempotency_conflict');
    s.when(keyed({ ...base(keyOf('ann')), type: 'CancelOrder', orderId: 'a1' }, 'k', 'cancel')).thenRejected(
      'idempotency_conflict',
    );
  });

  it('counts for its account alone', () => {
    const s = tradingScenario().given(order('a1 ann buy yes 10 @ 0.60', 'k'));
    s.given(order('b1 bob buy yes 10 @ 0.60', 'k'));
  });

  it('is not spent by a rejection: that is decided anew', () => {
    const s = tradingScenario();
    const sale = order('a1 ann sell yes 10 @ 0.60', 'k');
    s.when(sale).thenRejected('insufficient_shares');
    s.given('b1 bob buy no 10 @ 0.45', 'a0 ann buy yes 10 @ 0.55', sale);
  });

  it('shows after the form and before the market', () => {
    const s = tradingScenario().given(order('a1 ann buy yes 10 @ 0.60', 'k'));
    s.when({ ...order('a1 ann buy yes 10 @ 0.60', 'k'), quantity: 0 }).thenRejected('validation_failed');
    s.when({ ...order('a1 ann buy yes 10 @ 0.60', 'k'), marketId: 'nowhere' }).thenNothing('replayed');
  });

  it('of an operator counts for every command of that operator', () => {
    const s = tradingScenario().given(keyed(openAccount('eve'), 'k'));
    s.when(keyed(openAccount('eva'), 'k')).thenNothing('replayed');
    s.given({ ...keyed(openAccount('eva'), 'k'), by: { kind: 'operator', name: 'another' } });
  });

  it('is forgotten after its window of event time, and not before', () => {
    const day = 24 * 60 * 60 * 1000;
    const s = tradingScenario().given(order('a1 ann buy yes 10 @ 0.60', 'k'));
    s.given(amendClosesAt(SCENARIO_AT + 2 * day));
    s.given({ ...orderFrom('b1 bob buy yes 1 @ 0.10'), at: SCENARIO_AT + day });
    s.when(order('a2 ann buy yes 10 @ 0.60', 'k')).thenNothing('replayed');
    s.given({ ...orderFrom('b2 bob buy yes 1 @ 0.10'), at: SCENARIO_AT + day + 1 });
    s.given(order('a3 ann buy yes 10 @ 0.60', 'k'));
    expect(s.state.idempotency.size).to.equal(1);
  });

  it('is forgotten when there are too many newer ones, the oldest first', () => {
    const s = tradingScenario({ idempotencyEntries: 2 });
    for (const key of ['k1', 'k2', 'k3']) s.given(order(`${key} ann buy yes 1 @ 0.10`, key));
    expect(s.state.idempotency.size).to.equal(2);
    s.when(order('x ann buy yes 1 @ 0.10', 'k2')).thenNothing('replayed');
    s.given(order('y ann buy yes 1 @ 0.10', 'k1'));
    s.when(order('x ann buy yes 1 @ 0.10', 'k3')).thenNothing('replayed');
    s.given(order('z ann buy yes 1 @ 0.10', 'k2'));
  });

  it('is not pushed out by another fleet: the oldest of the fleet that holds most goes', () => {
    const s = tradingScenario({ idempotencyEntries: 4 }).given(order('b1 bob buy yes 1 @ 0.10', 'k'));
    for (let n = 0; n < 20; n += 1) s.given(order(`a${n} ann buy yes 1 @ 0.10`, `k${n}`));
    expect(s.state.idempotency.size).to.equal(4);
    s.when(order('x bob buy yes 1 @ 0.10', 'k')).thenNothing('replayed');
    s.when(order('x ann buy yes 1 @ 0.10', 'k17')).thenNothing('replayed');
    s.given(order('y ann buy yes 1 @ 0.10', 'k16'));
  });

  it('counts for its fleet with all its sub-accounts; of fleets that hold the same the older one loses', () => {
    const s = tradingScenario({ idempotencyEntries: 4 }).given({
      ...base(keyOf('bob')),
      type: 'OpenSubAccount',
      accountId: 'sub',
      nameDigest: 'ab'.repeat(32),
      keyHash: 'sub-hash',
      keyId: 'sub-key',
      last4: 'last',
      permissions: null,
    });
    s.given(order('b1 bob buy yes 1 @ 0.10', 'k1'), order('b2 sub buy yes 1 @ 0.10', 'k1'));
    s.given(order('a1 ann buy yes 1 @ 0.10', 'k1'), order('a2 ann buy yes 1 @ 0.10', 'k2'));
    // Both fleets hold two keys. Ann's was opened first, so she loses her oldest key to cy; then bob's fleet holds
    // most.
    s.given(order('c1 cy buy yes 1 @ 0.10', 'k1'));
    s.given(order('c2 cy buy yes 1 @ 0.10', 'k2'));
    const kept = [...s.state.idempotency.oldestFirst()].map(({ scope }) => scope.replace('\n', ' '));
    expect(kept).to.deep.equal(['sub k1', 'ann k2', 'cy k1', 'cy k2']);
  });

  it('of operators ranks behind those of accounts', () => {
    const s = tradingScenario({ idempotencyEntries: 2 }).given(keyed(openAccount('eve'), 'k'));
    s.given(order('a1 ann buy yes 1 @ 0.10', 'k'), order('b1 bob buy yes 1 @ 0.10', 'k'));
    expect([...s.state.idempotency.oldestFirst()].map(({ scope }) => scope)).to.deep.equal([
      'operator:op\nk',
      'bob\nk',
    ]);
  });

  it('goes, in an epoch of rules 1, as the oldest of all; what is left is shared when rules 2 begin', () => {
    const s = tradingScenario({ idempotencyEntries: 4 }, undefined, 1).given(order('b1 bob buy yes 1 @ 0.10', 'k'));
    for (let n = 0; n < 3; n += 1) s.given(order(`a${n} ann buy yes 1 @ 0.10`, `k${n}`));
    s.given(order('a3 ann buy yes 1 @ 0.10', 'k3'));
    s.given(order('b2 bob buy yes 1 @ 0.10', 'k'), startEpoch({ idempotencyEntries: 4 }));
    for (let n = 4; n < 9; n += 1) s.given(order(`a${n} ann buy yes 1 @ 0.10`, `k${n}`));
    s.when(order('x bob buy yes 1 @ 0.10', 'k')).thenNothing('replayed');
  });

  it('of a batch counts with the item’s place, as a pair: no key can be written that looks like another’s item', () => {
    const item = (text: string, index: number, key: string): CommandOf<'PlaceOrder'> => ({
      ...orderFrom(text),
      idempotency: { fingerprint: 'same', index, key },
    });
    const s = tradingScenario().given(item('a0 ann buy yes 1 @ 0.10', 0, 'k'), item('a1 ann buy yes 1 @ 0.10', 1, 'k'));
    s.when(item('x ann buy yes 1 @ 0.10', 1, 'k')).thenNothing('replayed');
    s.given(item('a2 ann buy yes 1 @ 0.10', 2, 'k'));
    const alike = ['k 0', 'k\n0', 'k#0', 'k:0', 'k,0'];
    for (const [n, key] of alike.entries()) s.given(order(`b${n} ann buy yes 1 @ 0.10`, key));
    // The same key for a single command is another request than in a batch, and the other way round.
    s.when(order('x ann buy yes 1 @ 0.10', 'k')).thenRejected('idempotency_conflict');
    s.when(item('x ann buy yes 1 @ 0.10', 0, 'k 0')).thenRejected('idempotency_conflict');
  });

  it('lets the window empty and fill again', () => {
    const s = tradingScenario({ idempotencyWindowMs: 10 }).given(order('a1 ann buy yes 1 @ 0.10', 'k'));
    s.given({ ...orderFrom('a2 ann buy yes 1 @ 0.10'), at: SCENARIO_AT + 11 });
    expect(s.state.idempotency.size).to.equal(0);
    s.given(order('a3 ann buy yes 1 @ 0.10', 'k'));
    s.when(order('a4 ann buy yes 1 @ 0.10', 'k')).thenNothing('replayed');
  });
});
