import type { AccountEventBody, PulseEntryBody, RecentTradeBody } from '@paper/contracts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useSession } from '../data/session/session.tsx';
import { LiveBook } from './live-book.ts';
import type { LiveBookView } from './live-book.ts';
import { CONNECTING } from './live-state.ts';
import type { LiveState } from './live-state.ts';
import type { LiveStates } from './messages.ts';
import { watchLive } from './watch-live.ts';

/** Trades of a market that are held at most. */
const TRADES_MAX = 100;
/** A page that reads again after account events does so at most this often. */
const VERSION_MS = 250;
const CROWDED: LiveState = {
  kind: 'reconnecting',
  message: 'Too many tabs of this site are open: this one is updated once others are closed.',
};

export interface Live {
  readonly state: LiveState;
  /** The newest figures by market, of those that were wanted; a new map at each pulse. */
  readonly markets: ReadonlyMap<string, PulseEntryBody>;
}

/** Follows the prices of these markets, at most 100, every 2 s. */
export function useLive(marketIds: readonly string[]): Live {
  const key = marketIds.join(',');
  const [live, setLive] = useState<Live>({ state: CONNECTING, markets: new Map() });
  useEffect(() => {
    if (key === '') return undefined;
    const ids = key.split(',');
    const wanted = new Set(ids);
    const onStates = ({ pulse }: LiveStates): void =>
      setLive((before) => (isSameState(before.state, pulse) ? before : { ...before, state: pulse }));
    return watchLive({
      wants: { marketIds: ids, bookIds: [], accountId: null },
      onStates,
      onPulse: (entries) => {
        const mine = entries.filter(({ id }) => wanted.has(id));
        if (mine.length === 0) return;
        setLive(({ state, markets }) => {
          const old = [...markets].filter(([id]) => wanted.has(id));
          return { state, markets: new Map([...old, ...mine.map((entry) => [entry.id, entry] as const)]) };
        });
      },
    });
  }, [key]);
  return live;
}

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

export interface LiveAccount {
  readonly state: LiveState;
  /**
   * Changes after events of the account, at most four times a second, and where events may be missing. Given to `useRead`
   * as `version`, it makes the page read again.
   */
  readonly version: number;
}

/**
 * Follows the account of the person who is signed in.
 *
 * @param listener gets each event; `isGap`: earlier ones may be missing, so everything is to be read again
 */
export function useAccount(listener?: (events: readonly AccountEventBody[], isGap: boolean) => void): LiveAccount {
  const accountId = useSession().person?.accountId ?? null;
  const [account, setAccount] = useState<LiveAccount>({ state: CONNECTING, version: 0 });
  const newest = useRef(listener);
  newest.current = listener;
  useEffect(() => {
    if (accountId === null) return undefined;
    let timer = 0;
    const stop = watchLive({
      wants: { marketIds: [], bookIds: [], accountId },
      onStates: ({ account: state }) =>
        setAccount((before) => (isSameState(before.state, state) ? before : { ...before, state })),
      onAccount: (events, isGap) => {
        newest.current?.(events, isGap);
        if (timer !== 0) return;
        timer = window.setTimeout(() => {
          timer = 0;
          setAccount(({ state, version }) => ({ state, version: version + 1 }));
        }, VERSION_MS);
      },
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [accountId]);
  return account;
}

function isSameState(a: LiveState, b: LiveState): boolean {
  return a.kind === b.kind && a.message === b.message;
}
