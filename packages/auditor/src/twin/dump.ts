import {
  bookSide,
  type Market,
  pairsOf,
  probabilityHalf,
  reservedCash,
  reservedShares,
  type World,
  yesPrice,
} from './world.ts';

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The world in the shape of the exchange's own dump, so that the hashes of both can be compared. */
export function dumpWorld(world: World): unknown {
  return {
    accounts: [...world.accounts]
      .sort((a, b) => byText(a.id, b.id))
      .map((account) => [
        account.id,
        {
          approved: account.approved,
          cash: account.cash,
          openOrders: world.orders.filter((order) => order.accountId === account.id).length,
          primary: account.primary,
          reserved: reservedCash(world, account.id),
          startingBalance: account.startingBalance,
        },
      ]),
    granted: world.accounts.reduce((sum, account) => sum + account.startingBalance, 0),
    lastAt: world.lastAt,
    markets: [...world.markets]
      .sort((a, b) => byText(a.id, b.id))
      .map((market) => [market.id, dumpMarket(world, market)]),
    seq: world.seq,
  };
}

function dumpMarket(world: World, market: Market): unknown {
  return {
    asks: dumpSide(world, market, false),
    bids: dumpSide(world, market, true),
    lastTrade: market.lastTrade,
    pairs: pairsOf(world, market),
    phase: market.phase,
    pool: market.pool,
    positions: world.positions
      .filter((at) => at.marketId === market.id && at.shares.yes + at.shares.no > 0)
      .sort((a, b) => byText(a.accountId, b.accountId))
      .map((at) => [
        at.accountId,
        {
          no: at.shares.no,
          noCost: at.cost.no,
          noReserved: reservedShares(world, market.id, at.accountId, 'no'),
          yes: at.shares.yes,
          yesCost: at.cost.yes,
          yesReserved: reservedShares(world, market.id, at.accountId, 'yes'),
        },
      ]),
    probabilityHalf: probabilityHalf(world, market),
    volume: market.volume,
  };
}

function dumpSide(world: World, market: Market, bids: boolean): unknown[] {
  const levels: [number, unknown[]][] = [];
  for (const order of bookSide(world, market.id, bids)) {
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
