import type { Outcome } from '../events/judged-commands.ts';
import { bookSide, findAccount, pairsOf, probabilityHalf, reservedCash, reservedShares, yesPrice } from './world.ts';
import type { Market, Position, World } from './world.ts';

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Dumps the twin's state in the format of the exchange's dump, so that the hashes of both can be compared. */
export function dumpWorld(world: World): unknown {
  return {
    accounts: [...world.accounts.values()]
      .sort((a, b) => byText(a.id, b.id))
      .map((account) => [
        account.id,
        {
          approved: account.approved,
          cash: account.cash,
          closure: account.closed === null ? null : { ...account.closed },
          openOrders: account.orders.size,
          primary: account.primary,
          reserved: reservedCash(account),
          startingBalance: account.startingBalance,
        },
      ]),
    granted: Number(world.granted),
    lastAt: world.lastAt,
    markets: [...world.markets.values()]
      .sort((a, b) => byText(a.id, b.id))
      .map((market) => [market.id, dumpMarket(world, market)]),
    remembered: [...world.memory.all].map(({ seq }) => seq),
    rulesVersion: world.rulesVersion,
    seq: world.seq,
    tools: dumpTools(world),
  };
}

function dumpTools(world: World): unknown {
  return {
    endedClientOrderIds: [...world.endedIds.all].map(({ seq }) => seq),
    keys: [...world.keys.values()]
      .filter(({ live, mandate, spentUnits }) => live && (mandate !== null || spentUnits > 0))
      .sort((a, b) => byText(a.keyId, b.keyId))
      .map(({ keyId, mandate, spentDay, spentUnits }) => [keyId, { mandate, spentDay, spentUnits }]),
    orders: [...world.orders.values()]
      .sort((a, b) => byText(a.orderId, b.orderId))
      .map(({ acceptedSeq, clientOrderId, expiresAt, orderId, postOnly, quantity }) => [
        orderId,
        { acceptedSeq, clientOrderId, expiresAt, postOnly, quantity },
      ]),
    switches: [...world.accounts.values()]
      .filter(({ cancelsAt }) => cancelsAt !== null)
      .sort((a, b) => byText(a.id, b.id))
      .map(({ cancelsAt, id }) => [id, cancelsAt]),
  };
}

function dumpMarket(world: World, market: Market): unknown {
  return {
    asks: dumpSide(market, false),
    bids: dumpSide(market, true),
    lastTrade: market.lastTrade,
    pairs: pairsOf(market),
    phase: market.phase,
    pool: market.pool,
    positions: [...market.positions.values()]
      .filter((at) => at.shares.yes + at.shares.no > 0)
      .sort((a, b) => byText(a.accountId, b.accountId))
      .map((at) => [
        at.accountId,
        {
          no: at.shares.no,
          noCost: at.cost.no,
          noReserved: reserved(world, market, at, 'no'),
          yes: at.shares.yes,
          yesCost: at.cost.yes,
          yesReserved: reserved(world, market, at, 'yes'),
        },
      ]),
    probabilityHalf: probabilityHalf(market),
    volume: market.volume,
  };
}

function reserved(world: World, market: Market, { accountId }: Position, outcome: Outcome): number {
  const account = findAccount(world, accountId);
  return account === undefined ? 0 : reservedShares(account, market.id, outcome);
}

function dumpSide(market: Market, bids: boolean): unknown[] {
  const levels: [number, unknown[]][] = [];
  for (const order of bookSide(market, bids)) {
    const price = yesPrice(order.outcome, order.price);
    let level = levels.find(([levelPrice]) => levelPrice === price);
    if (level === undefined) {
      level = [price, []];
      levels.push(level);
    }
    level[1].push([order.orderId, order.accountId, order.outcome, order.side, order.remaining, order.price]);
  }
  return levels;
}
