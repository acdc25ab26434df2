import { decode } from '@paper/journal';
import type { StoredEvent } from '@paper/journal';
import { Batch, DecisionCutter, Fold, Holdings } from '@paper/read-models';
import type { MarketFold } from '@paper/read-models';
import type { LevelDump, StateDump } from './dump.ts';

type BookLevel = ReturnType<MarketFold['bids']['level']>;

/** The projection's own fold of the journal, added up in memory as its tables would be. */
export class ProjectedPicture {
  readonly #holdings = new Holdings();
  readonly #markets = new Map<string, MarketFold>();
  readonly #live = new Map<string, MarketFold>();
  readonly #fold = new Fold(this.#live, { trades: 0, volume_shares: 0 });

  /** @throws where an event cannot be applied. */
  add(events: readonly StoredEvent[], batchSize: number): void {
    const cutter = new DecisionCutter(batchSize);
    let batch = new Batch({ holdings: this.#holdings });
    for (const event of events.map(decode)) {
      if (cutter.mustCutBefore(event)) {
        this.#addUp(batch);
        cutter.cut();
        batch = new Batch({ holdings: this.#holdings });
      }
      cutter.take(event);
      this.#fold.apply(event, batch);
    }
    this.#addUp(batch);
  }

  #addUp(batch: Batch): void {
    this.#fold.finish(batch);
    for (const market of batch.markets.keys()) this.#markets.set(market.id, market);
    this.#holdings.add(batch.accountChanges.values(), batch.positionChanges());
  }

  /** Describes the first difference from the exchange's state; null where there is none. */
  difference(picture: StateDump): string | null {
    for (const [id, { cash }] of picture.accounts) {
      const own = this.#holdings.cashUnits(id);
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
      for (const [account, own] of this.#holdings.positions(id)) {
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
