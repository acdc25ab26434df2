import type { Ledger } from './ledger.ts';

/** Recomputes the sums from every order and holding, and compares them with those that the accounts carry. */
export function recount(ledger: Ledger): void {
  const reserved = new Map<string, number>();
  const open = new Map<string, number>();
  let locked = 0;
  for (const market of ledger.markets.values()) {
    const shares = { yes: 0, no: 0 };
    const promised = new Map<string, number>();
    for (const order of [...market.bids, ...market.asks]) {
      open.set(order.accountId, (open.get(order.accountId) ?? 0) + 1);
      const book = order.side === 'buy' ? reserved : promised;
      const key = order.side === 'buy' ? order.accountId : `${order.accountId} ${order.outcome}`;
      const units = order.side === 'buy' ? order.priceUnits * order.remaining : order.remaining;
      book.set(key, (book.get(key) ?? 0) + units);
    }
    for (const holding of market.holdings.values()) {
      for (const outcome of ['yes', 'no'] as const) {
        shares[outcome] += holding.shares[outcome];
        ledger.checkHolding(holding.accountId, market, outcome);
        const due = promised.get(`${holding.accountId} ${outcome}`) ?? 0;
        ledger.must(
          holding.reserved[outcome] === due,
          'reserves are what the book says',
          () => `${holding.accountId} has ${holding.reserved[outcome]} ${outcome} reserved, the book says ${due}`,
        );
      }
    }
    const isSum = shares.yes === market.shares.yes && shares.no === market.shares.no;
    ledger.must(isSum, 'yes = no = pairs', () => `${market.marketId}: ${shares.yes} yes and ${shares.no} no are held`);
    if (market.yesPays === null) {
      ledger.checkPairs(market);
    } else {
      const due = shares.yes * market.yesPays + shares.no * (10_000 - market.yesPays);
      ledger.must(market.pool === due, 'settlement pays exactly', () => `the pool has ${market.pool}, owes ${due}`);
    }
    locked += market.pairs * 10_000 + market.pool;
    ledger.checkSpread(market);
  }
  let cash = 0;
  for (const account of ledger.accounts.values()) {
    cash += account.cash;
    ledger.checkAccount(account);
    const due = reserved.get(account.accountId) ?? 0;
    ledger.must(
      account.reserved === due && account.open.size === (open.get(account.accountId) ?? 0),
      'reserves are what the book says',
      () => `${account.accountId} has ${account.reserved} reserved, the book says ${due}`,
    );
  }
  ledger.must(cash + locked === ledger.granted, 'money is conserved', () => `${cash} + ${locked} ≠ ${ledger.granted}`);
}
