import type { OrderBookView } from '@paper/contracts';
import { loadMarkets } from '../projection/load-markets.ts';
import type { MarketFold } from '../projection/market-fold.ts';
import { marketOf } from '../queries/markets.ts';
import { LiveBooks } from './live-books.ts';
import type { BookName } from './live-books.ts';
import type { ReadModels } from './read-models.ts';

/** A market of the read models. */
export interface FoundBook {
  /** The market's empty book where it has ended; null where it has not. */
  readonly ended: OrderBookView | null;
  /** The sequence that the read models showed. */
  readonly seq: number;
}

/** The source of the books for their streams. */
export interface BookSource {
  /** Reads the books of all markets that have not ended, as of the projection's checkpoint. */
  load(): Promise<LiveBooks>;
  /** Finds a market that the books do not have; null for an unknown one. */
  find(marketId: string): Promise<FoundBook | null>;
}

export function createBookSource(readModels: ReadModels): BookSource {
  return {
    load: () =>
      readModels.read(async ({ atMs, db, seq }) => {
        const markets = await loadMarkets(db, atMs);
        const names = await db
          .selectFrom('markets')
          .select(['id', 'title', 'ticker', 'company_slug'])
          .where('phase', 'not in', ['resolved', 'void'])
          .execute();
        const books: (readonly [MarketFold, BookName])[] = [];
        for (const { id, title, ticker, company_slug: companySlug } of names) {
          const market = markets.get(id);
          if (market !== undefined) books.push([market, { companySlug, ticker, title }]);
        }
        return new LiveBooks(seq, books);
      }),
    async find(marketId) {
      const { value: market, seq } = await readModels.queryOne(marketOf, marketId);
      if (market === null) return null;
      const hasEnded = market.phase === 'resolved' || market.phase === 'void';
      const { lastTradeUnits } = market;
      return { ended: hasEnded ? { asks: [], bids: [], lastTradeUnits, marketId, seq: market.seq } : null, seq };
    },
  };
}
