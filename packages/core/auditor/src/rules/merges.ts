import type { SharesMerged } from '../events/judged-events.ts';
import { removeIfEmpty, getOrOpenHolding } from '../ledger/ledger.ts';
import type { Ledger } from '../ledger/ledger.ts';

export function mergeShares(ledger: Ledger, event: SharesMerged): void {
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
