import { inOwnTerms } from '@paper/exchange/vocabulary';
import { Violation } from '@paper/auditor';
import type { Rule } from '@paper/auditor';
import type { AccountDump, LevelDump, MarketDump, OrderDump, PositionDump, StateDump } from './dump.ts';

/** Checks a dumped state by arithmetic alone, without its history. @throws Violation */
export function checkDump(dump: StateDump): void {
  new DumpCheck(dump).run();
}

/** Sums the obligations of all books, and then compares the sums with positions, accounts and all money. */
class DumpCheck {
  /** The cash by account, and the shares by `market account outcome`, that open orders reserve. */
  readonly #promised = new Map<string, number>();
  readonly #openOrders = new Map<string, number>();

  constructor(private readonly dump: StateDump) {}

  run(): void {
    for (const [marketId, market] of this.dump.markets) {
      this.#checkBook(marketId, market);
      this.#checkPositions(marketId, market);
    }
    for (const [accountId, account] of this.dump.accounts) this.#checkAccount(accountId, account);
    const unclaimed = [...this.#promised.keys()];
    this.#must(unclaimed.length === 0, 'reserves are what the book says', `${unclaimed.join(', ')} promise nothing`);
    this.#checkMoney();
  }

  #must(holds: boolean, rule: Rule, detail: string): void {
    if (!holds) throw new Violation(rule, this.dump.seq, null, detail);
  }

  #checkBook(marketId: string, { bids, asks }: MarketDump): void {
    const bestBid = bids[0]?.[0] ?? -Infinity;
    const bestAsk = asks[0]?.[0] ?? Infinity;
    this.#must(bestBid < bestAsk, 'best bid < best ask', `${marketId}: ${bestBid} bid, ${bestAsk} asked`);
    this.#checkLevels(marketId, bids, true);
    this.#checkLevels(marketId, asks, false);
  }

  #checkLevels(marketId: string, levels: readonly LevelDump[], areBids: boolean): void {
    let before = areBids ? Infinity : -Infinity;
    for (const [price, orders] of levels) {
      const isInOrder = areBids ? price < before : price > before;
      this.#must(isInOrder, 'price-time priority', `${marketId}: ${price} after ${before}`);
      this.#must(orders.length > 0, 'quantities add up', `${marketId}: an empty level at ${price}`);
      before = price;
      for (const order of orders) this.#checkOrder(marketId, order, price, areBids);
    }
  }

  #checkOrder(marketId: string, order: OrderDump, price: number, isBid: boolean): void {
    const [orderId, accountId, outcome, side, remaining, priceUnits] = order;
    const yesPrice = inOwnTerms(outcome, priceUnits);
    const belongs = remaining > 0 && isBid === ((side === 'buy') === (outcome === 'yes')) && yesPrice === price;
    this.#must(belongs, 'quantities add up', `${marketId}: ${orderId} does not belong at ${price}`);
    add(this.#openOrders, accountId, 1);
    if (side === 'buy') add(this.#promised, accountId, priceUnits * remaining);
    else add(this.#promised, `${marketId} ${accountId} ${outcome}`, remaining);
  }

  #checkPositions(marketId: string, { pairs, phase, pool, positions }: MarketDump): void {
    let yes = 0;
    let no = 0;
    for (const [accountId, position] of positions) {
      yes += position.yes;
      no += position.no;
      this.#checkPosition(`${marketId} ${accountId}`, position);
    }
    if (['settling', 'resolved', 'void'].includes(phase)) return;
    this.#must(yes === pairs && no === pairs, 'yes = no = pairs', `${marketId}: ${yes}, ${no}, ${pairs}`);
    this.#must(pool === 0, 'settlement pays exactly', `${marketId}: a pool of ${pool} before the end`);
  }

  #checkPosition(holder: string, position: PositionDump): void {
    for (const [outcome, shares, reserved, cost] of [
      ['yes', position.yes, position.yesReserved, position.yesCost],
      ['no', position.no, position.noReserved, position.noCost],
    ] as const) {
      const key = `${holder} ${outcome}`;
      const promised = this.#promised.get(key) ?? 0;
      this.#must(reserved === promised, 'reserves are what the book says', `${key}: ${reserved}`);
      const isCovered = reserved >= 0 && shares >= reserved && cost >= 0;
      this.#must(isCovered, 'nobody is below zero', `${key}: ${shares} at ${cost}`);
      this.#must(shares > 0 || cost === 0, 'costs are right', `${key}: no shares cost ${cost}`);
      this.#promised.delete(key);
    }
  }

  #checkAccount(accountId: string, { cash, reserved, openOrders }: AccountDump): void {
    const isPromised = reserved === (this.#promised.get(accountId) ?? 0);
    this.#must(
      isPromised && openOrders === (this.#openOrders.get(accountId) ?? 0),
      'reserves are what the book says',
      `${accountId}: ${reserved} in ${openOrders} orders`,
    );
    this.#must(cash >= reserved && reserved >= 0, 'nobody is below zero', accountId);
    this.#promised.delete(accountId);
  }

  #checkMoney(): void {
    const { accounts, markets, granted } = this.dump;
    const cash = sum(accounts, ([, account]) => account.cash);
    const startingBalances = sum(accounts, ([, account]) => account.startingBalance);
    const locked = sum(markets, ([, { pairs, pool }]) => pairs * 10_000 + pool);
    const isConserved = startingBalances === granted && cash + locked === startingBalances;
    this.#must(isConserved, 'money is conserved', `${cash} + ${locked} ≠ ${startingBalances}`);
  }
}

function add(to: Map<string, number>, key: string, amount: number): void {
  to.set(key, (to.get(key) ?? 0) + amount);
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
