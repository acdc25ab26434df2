import type { MarketBody } from '@paper/contracts/markets';
import { DAY_MS } from '@paper/contracts/units';
import type { ReadAnswer } from '../../../src/pages/read-answer.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { CallError } from '../../base/call-error.ts';
import { toCallError } from '../../base/call-error.ts';
import { isReturning } from '../../base/returning.ts';
import { apiGet, isAbort } from '../../data/api/calls.ts';
import { useRead } from '../../data/api/use-read.ts';

/** The list as the person left it, for the Back button. */
let left: { readonly path: string; readonly answer: ReadAnswer<readonly MarketBody[]> } | null = null;

interface Further {
  readonly first: readonly MarketBody[] | null;
  readonly markets: readonly MarketBody[];
  readonly next: string | null;
  readonly error: CallError | null;
  readonly isLoading: boolean;
}

/** Reads a list of markets page by page. `shortLast` moves markets of at most a day behind the others of their page. */
export function useMarketList(path: string, shortLast: boolean) {
  const start = isReturning() && left?.path === path ? left.answer : undefined;
  const returnedTo = useRef(start?.body);
  const { data: read, error, isLoading, next, reload, seq } = useRead<readonly MarketBody[]>(path, { start });
  const data = useMemo(
    () => (read === null || !shortLast || read === returnedTo.current ? read : withShortLast(read)),
    [read, shortLast],
  );
  const [state, setState] = useState<Further>(() => beginning(data, next));
  // A new first page starts a new list.
  const further = state.first === data ? state : beginning(data, next);
  const shown = useRef<readonly MarketBody[] | null>(null);
  if (data !== null) shown.current = further.markets;
  useEffect(() => {
    if (data !== null) left = { path, answer: { body: further.markets, seq: seq ?? 0, next: further.next } };
  }, [path, data, further, seq]);
  const loading = useRef<AbortController | null>(null);
  useEffect(() => () => loading.current?.abort(), [data]);

  const loadMore = useCallback((): void => {
    if (data === null) reload();
    if (further.next === null || further.isLoading) return;
    const aborting = new AbortController();
    loading.current = aborting;
    setState({ ...further, isLoading: true, error: null });
    apiGet<readonly MarketBody[]>(further.next, { signal: aborting.signal }).then(
      ({ body, next: after }) =>
        setState({
          ...further,
          markets: joined(further.markets, shortLast ? withShortLast(body) : body),
          next: after,
          error: null,
          isLoading: false,
        }),
      (reason: unknown) => {
        if (!isAbort(reason)) setState({ ...further, error: toCallError(reason), isLoading: false });
      },
    );
  }, [data, further, reload, shortLast]);

  return {
    /** In the order of the first read. The former list stays until the first page of the new list arrives. */
    markets: shown.current,
    hasMore: further.next !== null,
    isLoading: isLoading || further.isLoading,
    error: error ?? further.error,
    loadMore,
    reload,
  };
}

function beginning(first: readonly MarketBody[] | null, next: string | null): Further {
  return { first, markets: first ?? [], next, error: null, isLoading: false };
}

export function withShortLast(markets: readonly MarketBody[]): readonly MarketBody[] {
  const isShort = ({ closesAt, createdAt }: MarketBody): boolean =>
    Date.parse(closesAt) - Date.parse(createdAt) <= DAY_MS;
  return [...markets.filter((market) => !isShort(market)), ...markets.filter(isShort)];
}

/** Appends a page. A market that moved to a later page meanwhile keeps its place. */
export function joined(markets: readonly MarketBody[], page: readonly MarketBody[]): readonly MarketBody[] {
  const known = new Set(markets.map(({ id }) => id));
  return [...markets, ...page.filter(({ id }) => !known.has(id))];
}
