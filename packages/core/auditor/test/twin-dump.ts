import type { LevelDump, MarketDump, OrderDump, StateDump, ToolsDump } from '@paper/testkit/dumps';
import type { Twin } from '../src/twin/twin.ts';
import { pairsOf, probabilityHalf, reservedCash, reservedShares } from '../src/twin/state.ts';

type TwinState = Twin['state'];
type Market = TwinState['markets'] extends ReadonlyMap<string, infer Value> ? Value : never;

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The twin's state in the format of the exchange's dump, so that the hashes of both can be compared. */
export function dumpTwin({ state }: Twin): StateDump {
  return {
    accounts: [...state.accounts.values()]
      .sort((a, b) => byText(a.id, b.id))
      .map((account) => [
        account.id,
        {
          approved: account.approved,
          cash: account.cash,
          closure: account.closed === null ? null : { ...account.closed },
          openOrders: account.orders.size,
          primary: account.primary,
          renamed: account.renamed,
          reserved: reservedCash(account),
          startingBalance: account.startingBalance,
        },
      ]),
    granted: Number(state.granted),
    lastAt: state.lastAt,
    markets: [...state.markets.values()]
      .sort((a, b) => byText(a.id, b.id))
      .map((market) => [market.id, dumpMarket(state, market)]),
    remembered: [...state.memory.all].map(({ seq }) => seq),
    rulesVersion: state.rulesVersion,
    seq: state.seq,
    tools: dumpTools(state),
  };
}

function dumpTools(state: TwinState): ToolsDump {
  return {
    endedClientOrderIds: [...state.endedIds.all].map(({ seq }) => seq),
    keys: [...state.keys.values()]
      .filter(({ live, mandate, spentUnits }) => live && (mandate !== null || spentUnits > 0))
      .sort((a, b) => byText(a.keyId, b.keyId))
      .map(({ keyId, mandate, spentDay, spentUnits }) => [keyId, { mandate, spentDay, spentUnits }]),
    orders: [...state.orders.values()]
      .sort((a, b) => byText(a.orderId, b.orderId))
      .map(({ acceptedSeq, clientOrderId, expiresAt, orderId, postOnly, quantity }) => [
        orderId,
        { acceptedSeq, clientOrderId, expiresAt, postOnly, quantity },
      ]),
    switches: [...state.accounts.values()]
      .filter(({ cancelsAt }) => cancelsAt !== null)
      .sort((a, b) => byText(a.id, b.id))
      .map(({ cancelsAt, id }) => [id, cancelsAt ?? 0]),
  };
}

function dumpMarket(state: TwinState, market: Market): MarketDump {
  return {
    asks: dumpSide(market.asks),
    bids: dumpSide(market.bids),
    lastTrade: market.lastTrade,
    pairs: pairsOf(market),
    phase: market.phase,
    pool: market.pool,
    positions: [...market.positions.values()]
      .filter((at) => at.shares.yes + at.shares.no > 0)
      .sort((a, b) => byText(a.accountId, b.accountId))
      .map(({ accountId, cost, shares }) => {
        const account = state.accounts.get(accountId);
        const reserved = (outcome: 'yes' | 'no') =>
          account === undefined ? 0 : reservedShares(account, market.id, outcome);
        return [
          accountId,
          {
            no: shares.no,
            noCost: cost.no,
            noReserved: reserved('no'),
            yes: shares.yes,
            yesCost: cost.yes,
            yesReserved: reserved('yes'),
          },
        ];
      }),
    probabilityHalf: probabilityHalf(market),
    volume: market.volume,
  };
}

/** The levels of one side of a book, which is sorted: best price first, then oldest first. */
function dumpSide(orders: Market['bids']): LevelDump[] {
  const levels: [number, OrderDump[]][] = [];
  for (const { accountId, orderId, outcome, price, remaining, side } of orders) {
    const yesPrice = outcome === 'yes' ? price : 10_000 - price;
    const last = levels.at(-1);
    const order: OrderDump = [orderId, accountId, outcome, side, remaining, price];
    if (last?.[0] === yesPrice) last[1].push(order);
    else levels.push([yesPrice, [order]]);
  }
  return levels;
}
