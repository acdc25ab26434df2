import type { LedgerEntryBody } from '@paper/contracts/journal';
import type { MomentsBody, OrderBookBody } from '@paper/contracts/markets';
import type { PortfolioBody } from '@paper/contracts/portfolio';
import { useEffect, useRef, useState } from 'preact/hooks';
import { toCallError } from '../../base/call-error.ts';
import type { CallError } from '../../base/call-error.ts';
import { apiGet } from '../../data/api/calls.ts';
import type { Book } from './ladder-rows.ts';
import { PastReads } from './past-reads.ts';

export type Moment = MomentsBody['moments'][number];

/** What an account held: shares, and dollars with those that open orders reserved. */
export type Holding = Readonly<Record<'yesShares' | 'noShares' | 'cash', number>>;

/** A market just after one of its events. */
type Past = Readonly<{ book: Book; holding: Holding | null }>;

export interface MarketAsOfState {
  /** The former state stays while the next is read. */
  readonly past: Past | null;
  readonly isLoading: boolean;
  readonly error: CallError | null;
}

const NOTHING: MarketAsOfState = { past: null, isLoading: false, error: null };

/** The book and the person's holding at a past sequence; null for the present, and if nobody is signed in. */
export function useMarketAsOf(marketId: string, seq: number | null): MarketAsOfState {
  const [state, setState] = useState(NOTHING);
  const reads = useRef<PastReads<Past> | null>(null);
  useEffect(() => {
    let openedSeq: Promise<number> | null = null;
    const made = new PastReads<Past>({
      read: (at, signal) => {
        openedSeq ??= readOpenedSeq().catch((error: unknown) => {
          // The next selection reads it again.
          openedSeq = null;
          throw error;
        });
        return readPast(marketId, at, openedSeq, signal);
      },
      onShow: (_, past) => setState({ past, isLoading: false, error: null }),
      onFail: (_, error) => setState({ past: null, isLoading: false, error: toCallError(error) }),
    });
    reads.current = made;
    return () => made.stop();
  }, [marketId]);
  useEffect(() => {
    if (seq === null) {
      reads.current?.stop();
      setState(NOTHING);
      return;
    }
    setState(({ past }) => ({ past, isLoading: true, error: null }));
    void reads.current?.show(seq);
  }, [marketId, seq]);
  return state;
}

async function readPast(marketId: string, seq: number, openedSeq: Promise<number>, signal: AbortSignal): Promise<Past> {
  const query = `asOfSeq=${seq}`;
  const [book, holding] = await Promise.all([
    apiGet<OrderBookBody>(`/portal/as/me/orderbook/${encodeURIComponent(marketId)}?${query}`, { signal }),
    openedSeq.then((opened) => (seq < opened ? null : readHolding(marketId, query, signal))),
  ]);
  return { book: book.body.yes, holding };
}

/** The sequence of the account's opening: that of the first entry in its ledger. */
async function readOpenedSeq(): Promise<number> {
  const { body } = await apiGet<readonly LedgerEntryBody[]>('/portal/as/me/ledger?limit=1');
  return body[0]?.seq ?? 0;
}

async function readHolding(marketId: string, query: string, signal: AbortSignal): Promise<Holding> {
  const { body } = await apiGet<PortfolioBody>(`/portal/as/me/portfolio?${query}`, { signal });
  const held = body.positions.find((position) => position.marketId === marketId);
  return { cash: body.summary.cash, yesShares: held?.yesShares ?? 0, noShares: held?.noShares ?? 0 };
}
