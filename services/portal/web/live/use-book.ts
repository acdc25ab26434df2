import type { RecentTradeBody } from '@paper/contracts/markets';
import { useEffect, useState } from 'preact/hooks';
import type { LiveBookView } from './live-book.ts';
import { CONNECTING, withState } from './live-state.ts';
import type { LiveState } from './live-state.ts';
import { watchLive } from './watch-live.ts';

/** The most trades of a market that are kept. */
const TRADES_MAX = 100;

export interface LiveMarketBook {
  readonly state: LiveState;
  /** The book; null before the first snapshot. */
  readonly book: LiveBookView | null;
  /** Trades since the page was opened, newest first, at most 100. */
  readonly trades: readonly RecentTradeBody[];
}

const NO_BOOK: LiveMarketBook = { state: CONNECTING, book: null, trades: [] };

/** Follows the book and the trades of a market; null follows none. */
export function useBook(marketId: string | null): LiveMarketBook {
  const [live, setLive] = useState(NO_BOOK);
  useEffect(() => {
    setLive(NO_BOOK);
    if (marketId === null) return undefined;
    return watchLive({
      follows: { bookIds: [marketId] },
      onState: (state) => setLive((before) => withState(before, state)),
      onBook: (book, events) => {
        const newest = events.flatMap((event) => (event.type === 'trade' ? [event.data] : [])).reverse();
        setLive(({ state, trades }) => ({
          state,
          book,
          trades: newest.length === 0 ? trades : [...newest, ...trades].slice(0, TRADES_MAX),
        }));
      },
    });
  }, [marketId]);
  return live;
}
