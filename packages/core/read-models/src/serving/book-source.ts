import { createBookFold } from '../models/index.ts';
import { marketOf } from '../models/markets/queries.ts';
import { LiveBooks } from './live-books.ts';
import type { ProgressSource } from './progress.ts';
import type { ReadModels } from './read-models.ts';

/** Reads the order books for the streams of books. */
export type BookSource = ReturnType<typeof createBookSource>;

export function createBookSource(readModels: ReadModels, progress: Pick<ProgressSource, 'newest'>) {
  return {
    /** The newest sequence that the read models have reached, as far as this process knows. */
    newest: () => progress.newest(),
    /** Reads the books of all markets that have not ended, as of the projection's checkpoint. */
    load: () => readModels.read(async ({ atMs, db, seq }) => new LiveBooks(seq, await createBookFold().load(db, atMs))),
    /** Finds a market that the books lack; null for an unknown one. An ended market has an empty book. */
    async find(marketId: string) {
      const { value: market, seq } = await readModels.queryOne(marketOf, marketId);
      if (market === null) return null;
      const hasEnded = market.phase === 'resolved' || market.phase === 'void';
      const { lastTradeUnits } = market;
      return { ended: hasEnded ? { asks: [], bids: [], lastTradeUnits, marketId, seq: market.seq } : null, seq };
    },
  };
}
