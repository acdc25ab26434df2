import { MINUTE_MS } from '@paper/contracts/units';
import { normal } from './chance.ts';
import type { Chance } from './chance.ts';

export interface HiddenValue {
  /** The mean to which the value returns over many hours: the listing's prior. */
  readonly mean: number;
  /** The fair value, which only news and noise move, never trades. */
  readonly value: number;
  /** The makers' estimate: it follows the value late, with noise of its own. */
  readonly view: number;
  /** The factor by which the market's noise is multiplied: above 1 it is livelier than others. */
  readonly liveliness: number;
  /** The simulated time since the last news about the market, in ms; Infinity without any news yet. */
  readonly newsAgeMs: number;
}

/** The time in which the value returns most of its way to the mean, so that news is worth something for hours. */
const RETURN_MS = 24 * 60 * MINUTE_MS;
const VALUE_NOISE_PER_MINUTE = 0.0025;
/** The time in which the makers' view moves most of its way to the value. */
const VIEW_LAG_MS = 2.5 * MINUTE_MS;
const VIEW_NOISE_PER_MINUTE = 0.014;
/** The part of a signal's fair value that the makers adopt as soon as it is published. */
const VIEW_TAKES_OVER = 0.3;

const LOWEST = 0.04;
const inRange = (probability: number): number => Math.min(1 - LOWEST, Math.max(LOWEST, probability));

interface NewMarketValue extends Pick<HiddenValue, 'liveliness' | 'mean'> {
  readonly start: number;
}

/** The hidden values of the demo's markets. Simulated time is a fraction or a multiple of the wall clock's. */
export class HiddenValues {
  readonly #markets = new Map<string, HiddenValue>();

  constructor(private readonly chance: Chance) {}

  of(marketId: string): HiddenValue | undefined {
    return this.#markets.get(marketId);
  }

  add(marketId: string, { liveliness, mean, start }: NewMarketValue): void {
    if (this.#markets.has(marketId)) return;
    this.#markets.set(marketId, { liveliness, mean, value: inRange(start), view: inRange(start), newsAgeMs: Infinity });
  }

  advance(ms: number): void {
    const noise = Math.sqrt(ms / MINUTE_MS);
    const returned = 1 - Math.exp(-ms / RETURN_MS);
    const followed = 1 - Math.exp(-ms / VIEW_LAG_MS);
    for (const [id, market] of this.#markets) {
      const { liveliness, mean, newsAgeMs, value, view } = market;
      const valueNoise = normal(this.chance) * VALUE_NOISE_PER_MINUTE * noise * liveliness;
      const viewNoise = normal(this.chance) * VIEW_NOISE_PER_MINUTE * noise * liveliness;
      const next = inRange(value + (mean - value) * returned + valueNoise);
      const seen = inRange(view + (next - view) * followed + viewNoise);
      this.#markets.set(id, { ...market, value: next, view: seen, newsAgeMs: newsAgeMs + ms });
    }
  }

  /**
   * Moves the values of markets by an event (`moves`: market to change). `about`: the market that the news will be
   * about.
   */
  strike(moves: ReadonlyMap<string, number>, about: string): void {
    for (const [id, by] of moves) {
      const market = this.#markets.get(id);
      if (market === undefined) continue;
      const newsAgeMs = id === about ? 0 : market.newsAgeMs;
      this.#markets.set(id, { ...market, value: inRange(market.value + by), newsAgeMs });
    }
  }

  /** Moves the makers' view part of the way to the fair value of a signal, once that is published. */
  report(marketId: string, fairProb: number): void {
    const market = this.#markets.get(marketId);
    if (market === undefined) return;
    const view = inRange(market.view + (fairProb - market.view) * VIEW_TAKES_OVER);
    this.#markets.set(marketId, { ...market, view, newsAgeMs: 0 });
  }

  /** Adopts the fair value of an operator's signal, which is the truth about a demo market. */
  accept(marketId: string, fairProb: number): void {
    const market = this.#markets.get(marketId);
    if (market === undefined) return;
    const value = inRange(fairProb);
    this.#markets.set(marketId, { ...market, value, view: value, newsAgeMs: 0 });
  }

  keep(marketIds: ReadonlySet<string>): void {
    for (const id of this.#markets.keys()) if (!marketIds.has(id)) this.#markets.delete(id);
  }
}
