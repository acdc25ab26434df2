import type { RecentTradeBody } from '@paper/contracts';
import { useEffect, useState } from 'preact/hooks';
import { LiveBook } from './live-book.ts';
import type { LiveBookView } from './live-book.ts';
import { CONNECTING, isSameState } from './live-state.ts';
import type { LiveState } from './live-state.ts';
import { watchLive } from './watch-live.ts';

/** Trades of a market that are held at most. */
const TRADES_MAX = 100;
const CROWDED: LiveState = {
  kind: 'reconnecting',
  message: 'Too many tabs of this site are open: this one is updated once others are closed.',
};

export interface LiveMarketBook {
  readonly state: LiveState;
  /** Null before the first snapshot. */
  readonly book: LiveBookView | null;
  /** Trades since the page was opened, newest first, at most 100. */
  readonly trades: readonly RecentTradeBody[];
}

const NO_BOOK: LiveMarketBook = { state: CONNECTING, book: null, trades: [] };

/** Follows the book and the trades of a market; null: of none. */
export function useBook(marketId: string | null): LiveMarketBook {
  const [live, setLive] = useState(NO_BOOK);
  useEffect(() => {
    setLive(NO_BOOK);
    if (marketId === null) return undefined;
    const book = new LiveBook();
    return watchLive({
      wants: { marketIds: [], bookIds: [marketId], accountId: null },
      onStates: ({ books, isCrowded }) => {
        const state = books[marketId] ?? (isCrowded ? CROWDED : CONNECTING);
        setLive((before) => (isSameState(before.state, state) ? before : { ...before, state }));
      },
      onBook: (_marketId, events) => {
        for (const event of events) book.apply(event);
        const newest = events.flatMap((event) => (event.type === 'trade' ? [event.data] : [])).reverse();
        setLive(({ state, trades }) => ({
          state,
          book: book.view,
          trades: newest.length === 0 ? trades : [...newest, ...trades].slice(0, TRADES_MAX),
        }));
      },
    });
  }, [marketId]);
  return live;
}
