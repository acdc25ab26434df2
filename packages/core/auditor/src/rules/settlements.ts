import type { EventOf } from '../events/judged-events.ts';
import { removeIfEmpty, getOrOpenHolding, toYes } from '../ledger/ledger.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** Moves $1 for each pair into the pool that pays the shares. */
export function endMarket(ledger: Ledger, marketId: string, poolUnits: number, yesPays: number): void {
  const market = ledger.market(marketId);
  ledger.must(market.yesPays === null, 'settlement pays exactly', 'the market has ended already');
  if (poolUnits !== market.pairs * 10_000) {
    throw ledger.violation('settlement pays exactly', `${market.pairs} pairs fill the pool`);
  }
  ledger.must(yesPays >= 0 && yesPays <= 10_000, 'settlement pays exactly', () => `a YES share pays ${yesPays}`);
  market.phase = 'settling';
  market.pool = poolUnits;
  market.poolAtStart = poolUnits;
  market.pairs = 0;
  market.yesPays = yesPays;
}

export function settlePosition(ledger: Ledger, event: EventOf<'PositionSettled'>): void {
  const market = ledger.market(event.marketId);
  const account = ledger.account(event.accountId);
  const holding = getOrOpenHolding(market, event.accountId);
  if (market.yesPays === null) throw ledger.violation('settlement pays exactly', 'the market has not ended');
  const due = holding.shares[event.outcome] * toYes(event.outcome, market.yesPays);
  const isDue = event.shares > 0 && event.shares === holding.shares[event.outcome] && event.payoutUnits === due;
  ledger.must(isDue, 'settlement pays exactly', () => `${holding.shares[event.outcome]} ${event.outcome} pay ${due}`);
  if (event.costUnits !== holding.cost[event.outcome]) {
    throw ledger.violation('costs are right', `${holding.cost[event.outcome]}`);
  }
  ledger.must(market.bids.length + market.asks.length === 0, 'a decision is whole', 'orders rest in a settling market');
  market.shares[event.outcome] -= event.shares;
  holding.shares[event.outcome] = 0;
  holding.cost[event.outcome] = 0;
  account.cash += due;
  ledger.cash += due;
  market.pool -= due;
  ledger.locked -= due;
  ledger.must(market.pool >= 0, 'settlement pays exactly', () => `the pool is at ${market.pool}`);
  market.settledHolders.add(event.accountId);
  removeIfEmpty(market, event.accountId);
}

/** Ends a settlement: nothing is left, and the figures match the payments. */
export function settleMarket(ledger: Ledger, event: EventOf<'MarketSettled'>): void {
  const market = ledger.market(event.marketId);
  ledger.must(market.pool === 0, 'settlement pays exactly', () => `the pool ends at ${market.pool}`);
  if (market.bids.length + market.asks.length + market.holdings.size !== 0) {
    throw ledger.violation('a decision is whole', 'orders or shares are left in a settled market');
  }
  ledger.must(
    event.paidUnits === market.poolAtStart &&
      event.cancelledOrders === market.cancelledInRun &&
      event.settledAccounts === market.settledHolders.size,
    'quantities add up',
    () => `paid ${market.poolAtStart}, cancelled ${market.cancelledInRun}, settled ${market.settledHolders.size}`,
  );
  market.phase = 'settled';
}

export function mergeShares(ledger: Ledger, event: EventOf<'SharesMerged'>): void {
  const { accountId, cashUnits, marketId, quantity } = event;
  const market = ledger.market(marketId);
  ledger.checkOpen(accountId);
  const account = ledger.account(accountId);
  const holding = getOrOpenHolding(market, accountId);
  ledger.must(market.yesPays === null, 'settlement pays exactly', 'the market has ended');
  ledger.must(
    Number.isSafeInteger(quantity) && quantity > 0 && quantity <= Math.min(holding.shares.yes, holding.shares.no),
    'quantities add up',
    () => `${accountId} has ${holding.shares.yes} yes and ${holding.shares.no} no`,
  );
  for (const [outcome, cost] of [['yes', event.yesCostUnits] as const, ['no', event.noCostUnits] as const]) {
    const part = Number((BigInt(holding.cost[outcome]) * BigInt(quantity)) / BigInt(holding.shares[outcome]));
    ledger.must(cost === part, 'costs are right', () => `${quantity} ${outcome} take ${part} off, not ${cost}`);
    holding.shares[outcome] -= quantity;
    holding.cost[outcome] -= cost;
    market.shares[outcome] -= quantity;
    ledger.checkHolding(accountId, market, outcome);
  }
  market.pairs -= quantity;
  ledger.locked -= quantity * 10_000;
  account.cash += quantity * 10_000;
  ledger.cash += quantity * 10_000;
  ledger.must(cashUnits === account.cash, 'money is conserved', () => `${accountId} has ${account.cash}`);
  ledger.checkPairs(market);
  removeIfEmpty(market, accountId);
}
