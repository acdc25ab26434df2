import { applyDecision, createState, decide, dueTimer, previewOrder } from '@paper/exchange';
import type { Decision, State } from '@paper/exchange';
import type { Actor, Command, CommandOf } from '@paper/exchange/commands';
import type { OrderFilled } from '@paper/exchange/events';
import type { Mandate } from '@paper/exchange/vocabulary';
import { createRandom, createWorkload, longTest, SMALL_SETTINGS } from '@paper/testkit';
import type { Random, Workload } from '@paper/testkit';
import { expect } from 'chai';
import assert from 'node:assert/strict';
import { SpendingLedger } from './spending-ledger.ts';

/** Commands of one seed. */
const COMMANDS = 2_000;
/** Random cases of a run; a million with LONG_TESTS=1 besides. */
const CASES = 3_000;
/** Room for every kind of end of an order, and for 50 open ones. */
const SETTINGS = { ...SMALL_SETTINGS, openOrdersPerAccount: 50, startingBalanceUnits: 20_000_000 };

function take(state: State, command: Command): Decision {
  const decision = decide(state, command);
  if (decision.kind === 'accepted') applyDecision(state, decision.events, command);
  return decision;
}

/** Runs seeds until `enough`; `each` takes every command in turn. */
function runSeeds(
  enough: () => boolean,
  each: (state: State, workload: Workload, command: Command) => void,
  begin: () => void = () => undefined,
): void {
  for (let seed = 1; !enough(); seed += 1) {
    begin();
    const state = createState();
    const workload = createWorkload({ changeSettings: false, seed, settings: SETTINGS });
    try {
      for (let n = 0; n < COMMANDS && !enough(); n += 1) each(state, workload, workload.next());
    } catch (error) {
      throw new Error(`seed ${seed}, event ${state.seq}: ${String(error)}`, { cause: error });
    }
  }
}

/** What an order did: the differences of the state, and its own events. */
function whatItDid(
  state: State,
  order: CommandOf<'PlaceOrder'>,
): { readonly decision: Decision; readonly did: object | null } {
  const accountId = order.accountId ?? (order.by.kind === 'key' ? order.by.accountId : '');
  const account = state.accounts.get(accountId);
  const before = { cash: account?.cashUnits ?? 0, reserved: account?.reservedUnits ?? 0 };
  const held = (outcome: 'yes' | 'no'): number =>
    account === undefined ? 0 : (state.markets.get(order.marketId)?.positionOf(account)?.[outcome] ?? 0);
  const heldBefore = held(order.outcome);
  const decision = take(state, order);
  if (decision.kind !== 'accepted' || account === undefined) return { decision, did: null };
  const fills = decision.events.filter((event): event is OrderFilled => event.type === 'OrderFilled');
  const levels = new Map<number, number>();
  for (const { quantity, yesPriceUnits } of fills) {
    const price = order.outcome === 'yes' ? yesPriceUnits : 10_000 - yesPriceUnits;
    levels.set(price, (levels.get(price) ?? 0) + quantity);
  }
  const rests = state.orders.get(order.orderId)?.remaining ?? 0;
  const heldAfter = held(order.outcome);
  const filledQty = order.side === 'buy' ? heldAfter - heldBefore : heldBefore - heldAfter;
  const cancelled = decision.events.find((event) => event.type === 'OrderCancelled');
  return {
    decision,
    did: {
      cashAfterUnits: account.cashUnits,
      costUnits: before.cash - account.cashUnits,
      filledQty,
      fills: [...levels].map(([priceUnits, quantity]) => ({ priceUnits, quantity })),
      freeCashAfterUnits: account.cashUnits - account.reservedUnits,
      noSharesAfter: held('no'),
      quantity: filledQty + rests + (cancelled?.quantity ?? 0),
      reason: cancelled?.reason ?? null,
      reservedUnits: account.reservedUnits - before.reserved,
      status: cancelled ? 'cancelled' : rests === 0 ? 'filled' : filledQty > 0 ? 'partial' : 'open',
      yesSharesAfter: held('yes'),
    },
  };
}

/** Previews every order before it is sent; gives how many did anything. */
function comparePreviews(orders: number): number {
  let compared = 0;
  let accepted = 0;
  runSeeds(
    () => compared >= orders,
    (state, workload, command) => {
      if (command.type !== 'PlaceOrder') {
        workload.observe(command, take(state, command));
        return;
      }
      const order: CommandOf<'PlaceOrder'> = { ...command, idempotency: null };
      const preview = previewOrder(state, order);
      const { decision, did } = whatItDid(state, order);
      compared += 1;
      if (did === null) {
        assert.deepEqual(preview, decision);
      } else {
        accepted += 1;
        assert.ok(!('kind' in preview));
        const { averageUnits, priceUnits, ...same } = preview;
        assert.deepEqual(same, did);
        const { costUnits, filledQty } = same;
        const average = filledQty === 0 ? null : Math.round(Math.abs(costUnits) / filledQty);
        assert.equal(averageUnits, average);
        if (order.orderType === 'limit') assert.equal(priceUnits, order.priceUnits);
        else if (average !== null) assert.equal(priceUnits, average);
      }
      workload.observe(order, decision);
    },
  );
  return accepted;
}

/** A mandate of which the order, by its figures, comes to exactly one limit, or is a unit above it. */
function aimedAt(random: Random, state: State, order: CommandOf<'PlaceOrder'>): Mandate | null {
  const preview = previewOrder(state, { ...order, idempotency: null });
  const accountId = order.accountId ?? (order.by.kind === 'key' ? order.by.accountId : '');
  const account = state.accounts.get(accountId);
  if ('kind' in preview || account === undefined || order.by.kind !== 'key' || order.side === 'sell') return null;
  const { costUnits, quantity, reservedUnits, status } = preview;
  const neededUnits = costUnits + reservedUnits;
  if (neededUnits === 0) return null;
  const spentUnits = state.keys.get(order.by.keyId)?.spentOn(Math.max(order.at, state.lastAt)) ?? 0;
  const shares = state.markets.get(order.marketId)?.positionOf(account)?.heldOrBuying(order.outcome) ?? 0;
  const short = random.int(0, 1);
  const limits = random.pick<Partial<Mandate>>([
    { maxOrderCostUnits: neededUnits - short },
    { maxReservedUnits: Math.max(0, account.reservedUnits + reservedUnits - short) },
    { spendPerDayUnits: spentUnits + neededUnits - short },
    { maxShares: Math.max(0, shares + (status === 'cancelled' ? preview.filledQty : quantity) - short) },
  ]);
  return { ...anyMandate(random, 0), ...limits };
}

/** Limits near what a workload's orders come to, each with this chance. */
function anyMandate(random: Random, chance: number): Mandate {
  const limit = (units: readonly number[]): number | null => (random.chance(chance) ? random.pick(units) : null);
  return {
    marketIds: random.chance(chance / 4) ? ['market-1', 'market-2'] : null,
    maxOrderCostUnits: limit([5_000, 50_000, 120_000, 900_000]),
    maxReservedUnits: limit([20_000, 150_000, 500_000, 2_000_000]),
    maxShares: limit([5, 20, 100, 600]),
    reduceOnly: random.chance(chance / 8) ? true : null,
    spendPerDayUnits: limit([100_000, 400_000, 3_000_000]),
  };
}

/** Sets a mandate with the first key of the fleet, which no mandate limits; null for that key itself. */
function setting(random: Random, state: State, keyId: string, mandate: Mandate): CommandOf<'SetMandate'> | null {
  const owner = state.keys.get(keyId)?.account.owner;
  const master = [...state.keys.values()].find(({ account }) => account === owner);
  if (owner === undefined || master === undefined || master.id === keyId || master.mandate !== null) return null;
  const by: Actor = { accountId: owner.id, keyId: master.id, kind: 'key' };
  const at = state.lastAt;
  const id = random.uuid(at);
  return { at, by, causationId: id, correlationId: id, id, idempotency: null, keyId, mandate, type: 'SetMandate' };
}

interface Judged {
  /** Orders by keys with a mandate that were accepted. */
  readonly limited: number;
  /** Those of them that came to exactly one of its limits. */
  readonly exact: number;
  /** Orders that a mandate refused. */
  readonly exceeded: number;
}

/** Sends workloads in which most keys have mandates, many of them aimed at the next order, and adds up what passes. */
function judgeMandates(commands: number): Judged {
  const random = createRandom(77);
  const counts = { exact: 0, exceeded: 0, limited: 0 };
  let sent = 0;
  let ledger = new SpendingLedger();
  const decideAndJudge = (state: State, workload: Workload, command: Command): void => {
    const due = dueTimer(state, command.at);
    assert.ok(due === null || command.type === due.type || command.type === 'StartWriterEpoch', 'timers come first');
    const decision = take(state, command);
    workload.observe(command, decision);
    sent += 1;
    if (decision.kind === 'rejected' && decision.code === 'mandate_exceeded') counts.exceeded += 1;
    if (decision.kind === 'accepted') ledger.decided(command, decision.events);
  };
  const mandateBefore = (state: State, command: Command): CommandOf<'SetMandate'> | null => {
    const isDue = dueTimer(state, state.lastAt) !== null;
    if (isDue || command.type !== 'PlaceOrder' || command.by.kind !== 'key') return null;
    const mandate = random.chance(0.2)
      ? aimedAt(random, state, command)
      : random.chance(0.05)
        ? anyMandate(random, 0.4)
        : null;
    return mandate === null ? null : setting(random, state, command.by.keyId, mandate);
  };
  const collect = (): void => {
    counts.exact += ledger.exactOrders;
    counts.limited += ledger.limitedOrders;
    ledger = new SpendingLedger();
  };
  runSeeds(
    () => sent >= commands,
    (state, workload, command) => {
      const set = mandateBefore(state, command);
      if (set !== null) decideAndJudge(state, workload, set);
      decideAndJudge(state, workload, command);
    },
    collect,
  );
  collect();
  return counts;
}

describe('a preview equals the order that is sent next', () => {
  it(`in ${CASES} random cases`, () => {
    expect(comparePreviews(CASES)).to.be.greaterThan(CASES / 2);
  }).timeout(60_000);

  it('in 1,000,000 random cases', function () {
    longTest(this);
    this.timeout(1_800_000);
    expect(comparePreviews(1_000_000)).to.be.greaterThan(500_000);
  });
});

describe('no mandate is passed by a unit, and no fill comes after an order’s expiresAt or its switch', () => {
  it(`in ${CASES} random commands`, () => {
    const { exact, exceeded, limited } = judgeMandates(CASES);
    expect(limited).to.be.greaterThan(CASES / 20);
    expect(exceeded).to.be.greaterThan(CASES / 40);
    expect(exact).to.be.greaterThan(CASES / 500);
  }).timeout(60_000);

  it('in 1,000,000 random commands', function () {
    longTest(this);
    this.timeout(1_800_000);
    const { exact, exceeded, limited } = judgeMandates(1_000_000);
    expect(limited).to.be.greaterThan(50_000);
    expect(exceeded).to.be.greaterThan(25_000);
    expect(exact).to.be.greaterThan(2_000);
  });
});
