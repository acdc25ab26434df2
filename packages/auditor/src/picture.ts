import type { Outcome, Side } from './judged-commands.ts';
import { bidsYes, toYes } from './ledger.ts';
import { type Rule, Violation } from './violation.ts';

type Order = readonly [
  orderId: string,
  accountId: string,
  outcome: Outcome,
  side: Side,
  remaining: number,
  priceUnits: number,
];
type Level = readonly [yesPriceUnits: number, orders: readonly Order[]];

interface Position {
  readonly yes: number;
  readonly no: number;
  readonly yesCost: number;
  readonly noCost: number;
  readonly yesReserved: number;
  readonly noReserved: number;
}

/** The part of an exchange's dump that can be checked by itself. */
export interface Picture {
  readonly accounts: readonly (readonly [
    accountId: string,
    account: {
      readonly cash: number;
      readonly reserved: number;
      readonly openOrders: number;
      readonly startingBalance: number;
    },
  ])[];
  readonly markets: readonly (readonly [
    marketId: string,
    market: {
      readonly bids: readonly Level[];
      readonly asks: readonly Level[];
      readonly positions: readonly (readonly [accountId: string, position: Position])[];
      readonly pairs: number;
      readonly phase: string;
      readonly pool: number;
    },
  ])[];
  readonly granted: number;
  readonly seq: number;
}

/** Checks a dumped state by arithmetic alone, without its history. Throws a Violation where it is inconsistent. */
export function checkPicture(picture: Picture): void {
  const must = (holds: boolean, rule: Rule, detail: string): void => {
    if (!holds) throw new Violation(rule, picture.seq, null, detail);
  };
  const promised = new Map<string, number>();
  const open = new Map<string, number>();
  const add = (to: Map<string, number>, key: string, amount: number): void => {
    to.set(key, (to.get(key) ?? 0) + amount);
  };
  let locked = 0;
  for (const [marketId, market] of picture.markets) {
    locked += market.pairs * 10_000 + market.pool;
    const bestBid = market.bids[0]?.[0] ?? -Infinity;
    const bestAsk = market.asks[0]?.[0] ?? Infinity;
    must(bestBid < bestAsk, 'best bid < best ask', `${marketId}: ${bestBid} bid, ${bestAsk} asked`);
    for (const [levels, bids] of [
      [market.bids, true],
      [market.asks, false],
    ] as const) {
      let before = bids ? Infinity : -Infinity;
      for (const [price, orders] of levels) {
        must(bids ? price < before : price > before, 'price-time priority', `${marketId}: ${price} after ${before}`);
        must(orders.length > 0, 'quantities add up', `${marketId}: an empty level at ${price}`);
        before = price;
        for (const [orderId, accountId, outcome, side, remaining, priceUnits] of orders) {
          must(
            remaining > 0 && bidsYes(side, outcome) === bids && toYes(outcome, priceUnits) === price,
            'quantities add up',
            `${marketId}: ${orderId} does not belong at ${price}`,
          );
          add(open, accountId, 1);
          if (side === 'buy') add(promised, accountId, priceUnits * remaining);
          else add(promised, `${marketId} ${accountId} ${outcome}`, remaining);
        }
      }
    }
    let yes = 0;
    let no = 0;
    for (const [accountId, at] of market.positions) {
      yes += at.yes;
      no += at.no;
      for (const [outcome, shares, reserved, cost] of [
        ['yes', at.yes, at.yesReserved, at.yesCost],
        ['no', at.no, at.noReserved, at.noCost],
      ] as const) {
        const key = `${marketId} ${accountId} ${outcome}`;
        must(reserved === (promised.get(key) ?? 0), 'reserves are what the book says', `${key}: ${reserved}`);
        must(reserved >= 0 && shares >= reserved && cost >= 0, 'nobody is below zero', `${key}: ${shares} at ${cost}`);
        must(shares > 0 || cost === 0, 'costs are right', `${key}: no shares cost ${cost}`);
        promised.delete(key);
      }
    }
    if (!['settling', 'resolved', 'void'].includes(market.phase)) {
      must(
        yes === market.pairs && no === market.pairs,
        'yes = no = pairs',
        `${marketId}: ${yes}, ${no}, ${market.pairs}`,
      );
      must(market.pool === 0, 'settlement pays exactly', `${marketId}: a pool of ${market.pool} before the end`);
    }
  }
  let cash = 0;
  let granted = 0;
  for (const [accountId, account] of picture.accounts) {
    cash += account.cash;
    granted += account.startingBalance;
    must(
      account.reserved === (promised.get(accountId) ?? 0) && account.openOrders === (open.get(accountId) ?? 0),
      'reserves are what the book says',
      `${accountId}: ${account.reserved} in ${account.openOrders} orders`,
    );
    must(account.cash >= account.reserved && account.reserved >= 0, 'nobody is below zero', accountId);
    promised.delete(accountId);
  }
  must(promised.size === 0, 'reserves are what the book says', `${[...promised.keys()].join(', ')} promise nothing`);
  must(
    granted === picture.granted && cash + locked === granted,
    'money is conserved',
    `${cash} + ${locked} ≠ ${granted}`,
  );
}
