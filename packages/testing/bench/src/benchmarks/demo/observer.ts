import { readPages } from 'paper-trading-client';
import type { Api, PaperTradingClient } from 'paper-trading-client';
import { median } from '../../index.ts';

const FIGURES = [
  'snapshotDelta',
  'volumeDelta',
  'neighborSignal',
  'clusterRiskScore',
  'oracleScore',
  'spread',
] as const;

interface Prices {
  readonly seen: Set<number>;
  last: number;
  changes: number;
}

/** Reads the public prices repeatedly, and at the end everything that the demo promises. */
export class DemoObserver {
  readonly #prices = new Map<string, Prices>();

  constructor(private readonly client: PaperTradingClient) {}

  async read(): Promise<void> {
    const { client } = this;
    const markets = await readPages((cursor) =>
      client.request('listMarkets', { query: { status: 'active', limit: 500, cursor } }),
    );
    for (const { id, probability } of markets) {
      const prices = this.#prices.get(id);
      if (prices === undefined) {
        this.#prices.set(id, { seen: new Set([probability]), last: probability, changes: 0 });
      } else if (probability !== prices.last) {
        prices.seen.add(probability);
        prices.last = probability;
        prices.changes += 1;
      }
    }
  }

  async judge() {
    const { client } = this;
    const signals = (await client.request('listMarketSignals', {})).body;
    const [recent, resolved, leaders, trades] = await Promise.all([
      client.request('listRecentSignals', { query: { limit: 500 } }),
      readPages((cursor) => client.request('listMarkets', { query: { status: 'resolved', limit: 500, cursor } })),
      client.request('getLeaderboard', {}),
      readPages((cursor) => client.request('listRecentTrades', { query: { limit: 500, cursor } })),
    ]);
    const prices = signals.map(({ marketId }) => this.#prices.get(marketId)?.seen.size ?? 0);
    const changes = signals.map(({ marketId }) => this.#prices.get(marketId)?.changes ?? 0);
    const clusters = new Map(signals.map(({ clusterIds, clusterRiskScore }) => [clusterIds[0], clusterRiskScore]));
    const valuesOf = (figure: (typeof FIGURES)[number]): number[] =>
      signals.flatMap((signal: Api.MarketSignal) => signal[figure] ?? []);
    const range = (name: string, values: readonly number[]) => ({
      name,
      least: Math.min(...values),
      middle: median(values),
      most: Math.max(...values),
    });
    return {
      active: signals.length,
      ranges: [
        range('different prices', prices),
        range('changes of price', changes),
        ...FIGURES.map((figure) => range(figure, valuesOf(figure))),
      ],
      fewestPrices: Math.min(...prices),
      /** The number of different values of a figure. */
      different: (figure: (typeof FIGURES)[number]) => new Set(valuesOf(figure)).size,
      clusterScores: new Set(clusters.values()).size,
      withEvents: signals.filter(({ recentEvents }) => recentEvents.length > 0).length,
      withOracle: signals.filter(({ oracleScore }) => oracleScore > 0).length,
      signals: recent.body.count,
      resolved: resolved.length,
      winners: leaders.body.filter(({ pnl }) => pnl > 0).length,
      losers: leaders.body.filter(({ pnl }) => pnl < 0).length,
      ranked: leaders.body.map(
        ({ displayName, pnl }) => `${displayName} ${pnl < 0 ? '−' : '+'}$${Math.abs(pnl).toFixed(2)}`,
      ),
      trades: trades.length,
    };
  }
}
