import type { State } from '@paper/exchange';
import { dump } from '@paper/testkit/dumps';
import type { MarketDump } from '@paper/testkit/dumps';
import assert from 'node:assert/strict';

/**
 * Checks the invariants that hold after every event. Money and shares are conserved, nothing is below 0, reserves equal
 * what the book's orders need, and the book is not crossed. It sums everything anew, so use it for small states.
 */
export function checkInvariants(state: State): void {
  const { accounts, markets, granted } = dump(state);
  const reserved = new Map<string, number>();
  const openOrders = new Map<string, number>();
  // A replaced order stays open, outside the book, until the last of its fills.
  const replaced = state.incoming !== null && state.orders.has(state.incoming.id) ? state.incoming : null;
  if (replaced !== null) openOrders.set(replaced.position.account.id, 1);
  let money = 0;
  for (const [marketId, market] of markets) {
    money += 10_000 * market.pairs + market.pool;
    checkShares(marketId, market);
    for (const [, orders] of [...market.bids, ...market.asks]) {
      for (const [, accountId, , side, remaining, price] of orders) {
        assert.ok(remaining > 0, 'a resting order is never empty');
        openOrders.set(accountId, (openOrders.get(accountId) ?? 0) + 1);
        if (side === 'buy') reserved.set(accountId, (reserved.get(accountId) ?? 0) + price * remaining);
      }
    }
    const bid = market.bids[0]?.[0] ?? 0;
    const ask = market.asks[0]?.[0] ?? 10_000;
    assert.ok(bid < ask, `the best bid ${bid} is below the best ask ${ask}`);
  }
  for (const [id, account] of accounts) {
    money += account.cash;
    assert.ok(account.cash >= account.reserved && account.reserved >= 0, `${id} is not below 0`);
    assert.equal(account.reserved, reserved.get(id) ?? 0, `${id} reserves what its orders promise`);
    assert.equal(account.openOrders, openOrders.get(id) ?? 0, `${id} has as many orders as rest`);
  }
  assert.equal(money, granted, 'cash, pairs and pools are all money ever granted');
  checkTools(state);
}

/** What the order tools add: counted shares of resting buys, armed timers, and clientOrderIds that are taken. */
function checkTools(state: State): void {
  const orders = [...state.orders.values()];
  const buying = new Map<object, { yes: number; no: number }>();
  for (const { outcome, position, remaining, side } of orders) {
    const counted = buying.get(position) ?? { no: 0, yes: 0 };
    if (side === 'buy') counted[outcome] += remaining;
    buying.set(position, counted);
  }
  for (const market of state.markets.values()) {
    for (const position of market.positions) {
      // Before the last fill of a replaced order, its rest is not in the book yet.
      if (state.incoming?.position === position) continue;
      const { yesBuying: yes, noBuying: no } = position;
      assert.deepEqual({ no, yes }, buying.get(position) ?? { no: 0, yes: 0 }, 'a position counts its resting buys');
    }
  }
  const expiring = orders.filter(({ given }) => given.expiresAt !== null);
  assert.equal(state.expiring.size, expiring.length, 'every open order with expiresAt is armed, and nothing else');
  const armed = [...state.accounts.values()].filter(({ cancelsAt }) => cancelsAt !== null);
  assert.equal(state.switches.size, armed.length, 'every switch that is on is armed, and nothing else');
  const named = orders.flatMap(({ given, position }) =>
    given.clientOrderId === null ? [] : [`${position.account.id} ${given.clientOrderId}`],
  );
  assert.equal(new Set(named).size, named.length, 'no account has two open orders with one clientOrderId');
  for (const { given, position } of orders) {
    const { clientOrderId } = given;
    const isFree = clientOrderId !== null && !state.clientOrderIds.isTaken(position.account.id, clientOrderId);
    assert.ok(!isFree, 'the clientOrderId of an open order is taken');
  }
}

function checkShares(marketId: string, market: MarketDump): void {
  let yes = 0;
  let no = 0;
  for (const [id, position] of market.positions) {
    yes += position.yes;
    no += position.no;
    for (const [shares, promised, cost] of [
      [position.yes, position.yesReserved, position.yesCost],
      [position.no, position.noReserved, position.noCost],
    ] as const) {
      assert.ok(shares >= promised && promised >= 0 && cost >= 0, `${id} has the shares that it promises`);
      assert.ok(shares > 0 || cost === 0, `${id} has no cost without shares`);
    }
    for (const [outcome, promised] of [
      ['yes', position.yesReserved],
      ['no', position.noReserved],
    ] as const) {
      assert.equal(promised, promisedIn(market, id, outcome), `${id} promises what its sells say`);
    }
  }
  const isEnding = ['settling', 'resolved', 'void'].includes(market.phase);
  if (isEnding) return;
  assert.equal(yes, market.pairs, `${marketId}: YES shares are pairs`);
  assert.equal(no, market.pairs, `${marketId}: NO shares are pairs`);
}

function promisedIn(market: MarketDump, accountId: string, outcome: 'yes' | 'no'): number {
  let promised = 0;
  for (const [, orders] of [...market.bids, ...market.asks]) {
    for (const [, account, wanted, side, remaining] of orders) {
      if (account === accountId && wanted === outcome && side === 'sell') promised += remaining;
    }
  }
  return promised;
}
