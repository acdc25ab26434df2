import type { OrderBookView } from '@paper/contracts/markets';
import { createBookFold } from '../models/index.ts';
import { marketOf } from '../models/markets/queries.ts';
import { LiveBooks } from './live-books.ts';
import type { ProgressSource } from './progress.ts';
import type { ReadModels } from './read-models.ts';

/** A market that was looked up in the read models. */
export interface FoundBook {
  /** The market's empty book if it has ended; null if it has not. */
  readonly ended: OrderBookView | null;
  readonly seq: number;
}

/** The source of the books for their streams. */
export interface BookSource {
  /** Reads the books of all markets that have not ended, as of the projection's checkpoint. */
  load(): Promise<LiveBooks>;
  /** Finds a market that the books lack; null for an unknown one. */
  find(marketId: string): Promise<FoundBook | null>;
  /** The newest sequence that the read models are known to have reached. */
  newest(): number | Promise<number>;
}

export function createBookSource(readModels: ReadModels, progress: Pick<ProgressSource, 'newest'>): BookSource {
  return {
    newest: () => progress.newest(),
    load: () => readModels.read(async ({ atMs, db, seq }) => new LiveBooks(seq, await createBookFold().load(db, atMs))),
    async find(marketId) {
      const { value: market, seq } = await readModels.queryOne(marketOf, marketId);
      if (market === null) return null;
      const hasEnded = market.phase === 'resolved' || market.phase === 'void';
      const { lastTradeUnits } = market;
      return { ended: hasEnded ? { asks: [], bids: [], lastTradeUnits, marketId, seq: market.seq } : null, seq };
    },
  };
}
