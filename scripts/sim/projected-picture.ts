import type { LevelDump, StateDump } from '@paper/exchange';
import { decode, type StoredEvent } from '@paper/journal';
import { Batch } from '@paper/read-models/projection/batch';
import type { BookLevel } from '@paper/read-models/projection/book-side';
import { DecisionCutter } from '@paper/read-models/projection/decisions';
import { Fold } from '@paper/read-models/projection/fold';
import type { MarketFold } from '@paper/read-models/projection/market-fold';

interface Holdings {
  yes: number;
  no: number;
  yesCost: number;
  noCost: number;
}

/** The projection's own fold of the journal, added up in memory as its tables would be. */
export class ProjectedPicture {
  readonly #cash = new Map<string, number>();
  readonly #holdings = new Map<string, Holdings>();
  readonly #markets = new Map<string, MarketFold>();
  readonly #live = new Map<string, MarketFold>();
  readonly #fold = new Fold(this.#live, { trades: 0, volume: 0 });

  /** @throws where an event cannot be applied. */
  add(events: readonly StoredEvent[], batchSize: number): void {
    const cutter = new DecisionCutter(batchSize);
    let batch = new Batch();
    for (const event of events.map(decode)) {
      if (cutter.mustCutBefore(event)) {
        this.#addUp(batch);
        cutter.cut();
        batch = new Batch();
      }
      cutter.take(event);
      this.#fold.apply(event, batch);
    }
    this.#addUp(batch);
  }

  #addUp(batch: Batch): void {
    this.#fold.finish(batch);
    for (const market of batch.markets) this.#markets.set(market.id, market);
    for (const { id, cash } of batch.added.accounts) this.#cash.set(id, cash);
    for (const { id, cash } of batch.accountChanges.values()) this.#cash.set(id, (this.#cash.get(id) ?? 0) + cash);
    for (const change of batch.positionChanges()) {
      const key = `${change.market_id} ${change.account_id}`;
      const held = this.#holdings.get(key) ?? { no: 0, noCost: 0, yes: 0, yesCost: 0 };
      held.yes += change.yes_shares;
      held.no += change.no_shares;
      held.yesCost += change.yes_cost;
      held.noCost += change.no_cost;
      this.#holdings.set(key, held);
    }
  }

  /** Where it is not what the exchange's picture says; null where it is. */
  difference(picture: StateDump): string | null {
    for (const [id, { cash }] of picture.accounts) {
      const own = this.#cash.get(id);
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
              own.volume,
              own.lastTrade,
              own.probabilityHalf(),
              market.bids.map(([price]) => shown(price, own.bids.level(price))),
              market.asks.map(([price]) => shown(price, own.asks.level(price))),
            ]);
      if (found !== expected) return `market ${id} is ${found} in the projection, ${expected} in the exchange`;
      if (own?.bids.best !== (market.bids[0]?.[0] ?? null) || own.asks.best !== (market.asks[0]?.[0] ?? null)) {
        return `market ${id} has another best price in the projection`;
      }
      const held = new Map(market.positions);
      for (const [key, own] of this.#holdings) {
        if (!key.startsWith(`${id} `)) continue;
        const { yes = 0, no = 0, yesCost = 0, noCost = 0 } = held.get(key.slice(id.length + 1)) ?? {};
        if (own.yes !== yes || own.no !== no || own.yesCost !== yesCost || own.noCost !== noCost) {
          return `${key} holds ${JSON.stringify(own)} in the projection, ${yes} and ${no} in the exchange`;
        }
        held.delete(key.slice(id.length + 1));
      }
      if (held.size > 0) return `${[...held.keys()].join(', ')} hold nothing of ${id} in the projection`;
    }
    return null;
  }
}

const shown = (price: number, { quantity, orders }: BookLevel): string => `${quantity} of ${orders} at ${price}`;

function levelOf([price, orders]: LevelDump): string {
  let quantity = 0;
  for (const [, , , , remaining] of orders) quantity += remaining;
  return shown(price, { orders: orders.length, quantity });
}
