import type { RecentTradeBody } from '@paper/contracts/markets';
import { useEffect, useState } from 'preact/hooks';
import type { LiveBookView } from './live-book.ts';
import { CONNECTING, withState } from './live-state.ts';
import type { LiveState } from './live-state.ts';
import { watchLive } from './watch-live.ts';

const TRADES_MAX = 100;

type LiveMarketBook = Readonly<{ state: LiveState; book: LiveBookView | null; trades: readonly RecentTradeBody[] }>;

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
