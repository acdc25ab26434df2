import type { OrderFilled } from '@paper/exchange/events';
import { AddedRows } from '../../engine/added-rows.ts';
import type { FoldSettings, ModelRows } from '../../engine/model.ts';
import type { Plan } from '../../engine/plan.ts';
import type { ReadDb } from '../tables.ts';
import type { Markets } from '../markets/fold.ts';
import type { MarketFold } from '../markets/market-fold.ts';
import { wholeMinute } from '../minute.ts';
import { model } from '../model.ts';
import { CandleFold } from './candle-fold.ts';
import { MARKET_MINUTES, MINUTES } from './table.ts';
import type { MarketMinuteRow, MinuteRow } from './table.ts';

interface MarketMinutes {
  readonly candles: CandleFold;
  trades: number;
  /** The minute of the market's last event in the batch, whose row does not exist yet; null if there is none. */
  minuteMs: number | null;
  /** The newest minute that has a row; null before the first. */
  storedMs: number | null;
}

type Totals = Omit<MinuteRow, 'minute_ms'>;

export class Minutes implements ModelRows {
  #totals: Totals = { volume_shares: 0, trades: 0 };
  readonly #markets = new Map<MarketFold, MarketMinutes>();
  /** Rows of minutes that had none before this batch. A minute in which an earlier batch ended has a row already. */
  readonly #added: AddedRows<MarketMinuteRow>;
  #continued: MarketMinuteRow[] = [];
  /** The totals of all markets at the end of each minute. */
  readonly #minutes = new Map<number, Totals>();

  constructor(
    private readonly markets: Markets,
    settings: FoldSettings,
  ) {
    this.#added = new AddedRows(MARKET_MINUTES, settings);
  }

  enter(market: MarketFold, minuteMs: number): void {
    const own = this.#minutesOf(market);
    if (own.minuteMs === minuteMs) return;
    this.#end(market, own);
    own.minuteMs = minuteMs;
    own.candles.enter(minuteMs);
  }

  trade(market: MarketFold, { at, quantity, yesPriceUnits }: OrderFilled): void {
    const own = this.#minutesOf(market);
    own.trades += 1;
    own.candles.trade(yesPriceUnits);
    const { trades, volume_shares } = this.#totals;
    this.#totals = { volume_shares: volume_shares + quantity, trades: trades + 1 };
    this.#minutes.set(wholeMinute(at), this.#totals);
  }

  /** Continues after the stored totals and the stored last rows of markets. */
  continue(totals: Totals | undefined, last: readonly MarketMinuteRow[]): void {
    if (totals !== undefined) this.#totals = totals;
    for (const row of last) {
      const market = this.markets.live.get(row.market_id);
      if (market === undefined) continue;
      const own = this.#minutesOf(market);
      own.storedMs = row.minute_ms;
      own.trades = row.trades;
      own.candles.load(row);
    }
  }

  endBatch(): void {
    for (const market of this.markets.changed) {
      this.#end(market, this.#minutesOf(market));
      if (market.ended) this.#markets.delete(market);
    }
  }

  planAdded(plan: Plan): void {
    this.#added.planAdded(plan);
  }

  planChanged(plan: Plan): void {
    plan.change(MARKET_MINUTES, this.#continued);
    this.#continued = [];
    plan.put(
      MINUTES,
      [...this.#minutes].map(([minute_ms, totals]) => ({ minute_ms, ...totals })),
    );
    this.#minutes.clear();
  }

  /** Builds the row of the market's current minute. No later event of this batch may be in that minute. */
  #end(market: MarketFold, own: MarketMinutes): void {
    const { minuteMs, storedMs } = own;
    if (minuteMs === null) return;
    own.minuteMs = null;
    own.storedMs = minuteMs;
    if (!this.#added.isWritten) return;
    const row = {
      market_id: market.id,
      minute_ms: minuteMs,
      volume_shares: market.volumeShares,
      trades: own.trades,
      probability_half_units: market.probabilityHalfUnits(),
      last_trade_units: market.lastTradeUnits,
      best_bid_units: market.bids.bestUnits,
      best_ask_units: market.asks.bestUnits,
      ...own.candles.columns,
    };
    if (storedMs === minuteMs) this.#continued.push(row);
    else this.#added.add(row);
  }

  #minutesOf(market: MarketFold): MarketMinutes {
    let own = this.#markets.get(market);
    if (own === undefined) {
      own = { candles: new CandleFold(), trades: 0, minuteMs: null, storedMs: null };
      this.#markets.set(market, own);
    }
    return own;
  }
}

export const minutes = model<Minutes, { readonly markets: Markets; readonly minutes: Minutes }>({
  tables: [MARKET_MINUTES, MINUTES],
  create: ({ markets }, settings) => new Minutes(markets, settings),
  async load(own, db) {
    const totals = db.selectFrom('minutes').select(['volume_shares', 'trades']).orderBy('minute_ms', 'desc').limit(1);
    own.continue(await totals.executeTakeFirst(), await lastMinutes(db));
  },
  beforeEach({ at }, _position, { markets, minutes }) {
    if (markets.current !== null) minutes.enter(markets.current, wholeMinute(at));
  },
  on: {
    OrderFilled: (event, _at, { markets, minutes }) => minutes.trade(markets.market, event),
  },
});

/** The newest minute of each open market. */
function lastMinutes(db: ReadDb): Promise<MarketMinuteRow[]> {
  return db
    .selectFrom('markets')
    .crossJoinLateral((eb) =>
      eb
        .selectFrom('market_minutes')
        .selectAll()
        .whereRef('market_id', '=', 'markets.id')
        .orderBy('minute_ms', 'desc')
        .limit(1)
        .as('last'),
    )
    .selectAll('last')
    .where('markets.phase', 'not in', ['resolved', 'void'])
    .execute();
}
