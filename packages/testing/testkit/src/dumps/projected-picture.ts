import { decode } from '@paper/journal';
import type { StoredEvent } from '@paper/journal';
import { createFold, DecisionCutter } from '@paper/read-models';
import type { MarketFold } from '@paper/read-models';
import type { LevelDump, StateDump } from './dump.ts';

type BookLevel = ReturnType<MarketFold['bids']['level']>;

/** The projection's fold of the journal, summed in memory instead of in tables. */
export class ProjectedPicture {
  readonly #fold = createFold({ positionsMax: Infinity, writes: () => false });
  /** All markets, the ended ones included. */
  readonly #markets = new Map<string, MarketFold>();

  add(events: readonly StoredEvent[], batchSize: number): void {
    const cutter = new DecisionCutter(batchSize);
    for (const event of events.map(decode)) {
      if (cutter.mustCutBefore(event)) {
        this.#endBatch();
        cutter.cut();
      }
      cutter.take(event);
      this.#fold.apply(event);
    }
    this.#endBatch();
  }

  #endBatch(): void {
    for (const market of this.#fold.rows.markets.changed) this.#markets.set(market.id, market);
    this.#fold.planBatch('');
  }

  /** Describes the first difference from the exchange's state; null if there is none. */
  difference(picture: StateDump): string | null {
    const { accounts, positions } = this.#fold.rows;
    for (const [id, { cash }] of picture.accounts) {
      const own = accounts.cashUnits(id);
      if (own !== cash) return `account ${id} has ${own} in the projection, ${cash} in the exchange`;
    }
    for (const [id, market] of picture.markets) {
      const own = this.#markets.get(id);
      const expected = JSON.stringify([
        market.phase,
        market.volume,
        market.lastTrade,
        market.probabilityHalf,
        market.bids.map(levelOf),
        market.asks.map(levelOf),
      ]);
      const found =
        own === undefined
          ? 'no market'
          : JSON.stringify([
              own.phase,
              own.volumeShares,
              own.lastTradeUnits,
              own.probabilityHalfUnits(),
              market.bids.map(([price]) => shown(own.bids.level(price))),
              market.asks.map(([price]) => shown(own.asks.level(price))),
            ]);
      if (found !== expected) return `market ${id} is ${found} in the projection, ${expected} in the exchange`;
      if (
        own?.bids.bestUnits !== (market.bids[0]?.[0] ?? null) ||
        own.asks.bestUnits !== (market.asks[0]?.[0] ?? null)
      ) {
        return `market ${id} has another best price in the projection`;
      }
      const held = new Map(market.positions);
      for (const [account, own] of positions.holdings?.positions(id) ?? []) {
        const { yes = 0, no = 0, yesCost = 0, noCost = 0 } = held.get(account) ?? {};
        if (
          own.yes_shares !== yes ||
          own.no_shares !== no ||
          own.yes_cost_units !== yesCost ||
          own.no_cost_units !== noCost
        ) {
          return `${account} holds ${JSON.stringify(own)} of ${id} in the projection, ${yes} and ${no} in the exchange`;
        }
        held.delete(account);
      }
      if (held.size > 0) return `${[...held.keys()].join(', ')} hold nothing of ${id} in the projection`;
    }
    return null;
  }
}

const shown = ({ priceUnits, quantity, orders }: BookLevel): string => `${quantity} of ${orders} at ${priceUnits}`;

function levelOf([priceUnits, orders]: LevelDump): string {
  let quantity = 0;
  for (const [, , , , remaining] of orders) quantity += remaining;
  return shown({ priceUnits, orders: orders.length, quantity });
}
