import type { SerializedBytes, PreSerialized } from '@paper/contracts';
import { MarketSignal } from '@paper/contracts/signals';
import { queries } from '@paper/read-models';
import { Board } from '../board.ts';
import type { BoardSettings, BoardContent } from '../board.ts';
import { listBytes } from '../json-bytes.ts';
import type { GraphMetrics } from './graph-metrics.ts';
import { GraphThread } from './graph-thread.ts';
import { marketSignals } from './market-signals.ts';

/** The computed signals of every active market, as bytes that are made in advance. */
export class SignalsBoard extends Board<SerializedBytes> {
  constructor(settings: Omit<BoardSettings<SerializedBytes>, 'name' | 'make'>) {
    const graphOf = cacheGraph();
    super({
      ...settings,
      name: 'market signals',
      make: async (minute, signal): Promise<BoardContent<SerializedBytes>> => {
        const { inputs, seq } = await settings.readModels.read(async (view) => ({
          inputs: await queries.signalInputs(view.db, minute),
          seq: view.seq,
        }));
        const newestFirst = [...inputs].sort((a, b) => b.createdAt - a.createdAt || (a.marketId < b.marketId ? -1 : 1));
        const items = marketSignals(newestFirst, await graphOf(inputs, signal), minute);
        return { seq, value: await listBytes(items, MarketSignal.body) };
      },
    });
  }

  /** @throws Unavailable before the first computation. */
  async answer(): Promise<PreSerialized> {
    const { value, seq } = await this.current();
    return { preSerialized: value, seq };
  }
}

/** Measures the graph again only when the active markets or their connections have changed. */
function cacheGraph(): (inputs: readonly queries.SignalInput[], signal: AbortSignal) => Promise<GraphMetrics> {
  const thread = new GraphThread();
  let cached: { readonly of: string; readonly graph: GraphMetrics } | null = null;
  return async (inputs, signal) => {
    const listings = inputs.map(({ marketId, companySlug, sector, drivers }) => ({
      marketId,
      companySlug,
      sector,
      drivers,
    }));
    const of = JSON.stringify(listings);
    if (cached?.of !== of) cached = { of, graph: await thread.measure(listings, signal) };
    return cached.graph;
  };
}
