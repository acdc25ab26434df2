import type { MarketBody } from '@paper/contracts/markets';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation, useSearch } from 'wouter-preact';
import { marketListAddress, marketListRead, parseMarketListQuery } from '../../../src/pages/market-list-query.ts';
import type { MarketListQuery } from '../../../src/pages/market-list-query.ts';
import { useLiveEntries } from '../../live/live-entries.ts';
import { Button } from '../../ui/button.tsx';
import { countedText } from '../../ui/format.ts';
import { LiveBadge } from '../../live/live-badge.tsx';
import { Notice } from '../../ui/notice.tsx';
import { FIRST_LIVE, liveRows } from '../../ui/row-window.ts';
import type { RowRange } from '../../ui/row-window.ts';
import { VirtualRows } from '../../ui/virtual-rows.tsx';
import { Choices, LISTS, Search } from './filters.tsx';
import { useMarketList } from './market-list.ts';
import { MarketRow } from './market-row.tsx';
import { Welcome } from './welcome.tsx';

const SCROLLED_MS = 250;
/** The next page is read when this number of rows is left below the window. */
const AHEAD_ROWS = 40;

const COLUMNS = ['Market', '24 h', 'Chance', 'Yes', 'No', 'Volume', 'Closes'] as const;

/** All markets with their prices. Rows stay where they are until the person sorts or searches. */
export default function Markets() {
  const query = parseMarketListQuery(useSearch());
  const [, navigate] = useLocation();
  const list = useMarketList(marketListRead(query), query.sort !== 'closing' && query.status === 'active');
  const markets = list.markets ?? [];
  const sectors = useSectors(markets, query.sector);
  const { follow, live } = useLiveRows(markets);
  const text = query.q.toUpperCase();
  // If no market contains the text, the service lists markets with a similar spelling.
  const isAlike =
    markets.length > 0 &&
    !markets.some((market) =>
      [market.title, market.ticker, market.companySlug].join('\n').toUpperCase().includes(text),
    );

  const { hasMore, isLoading, error, loadMore } = list;
  const onRange = (shown: RowRange): void => {
    follow(shown);
    if (hasMore && !isLoading && error === null && shown.to + AHEAD_ROWS >= markets.length) loadMore();
  };
  return (
    <div class="list">
      <Welcome />
      <div class="list-top">
        <h1>Markets</h1>
        <Search query={query} onQuery={(next) => navigate(marketListAddress(next), { replace: true })} />
        <LiveBadge state={live.state} />
      </div>
      <div class="list-tabs">
        <Choices query={query} label="Lists of markets" form="lists" options={LISTS} />
        <p role="status" class="quiet">
          {list.markets === null
            ? 'Loading …'
            : `${hasMore ? 'The first ' : ''}${countedText(markets.length, isAlike ? 'similar market' : 'market')}`}
        </p>
        <Button kind="quiet" isBusy={isLoading} onClick={list.reload} label="Refresh order">
          <span class="wide">Refresh order</span> <span aria-hidden="true">↻</span>
        </Button>
      </div>
      <Choices query={query} label="Sectors" form="chips" options={sectors} />
      {error !== null && (
        <Notice kind="error">
          {error.message} <Button onClick={loadMore}>Try again</Button>
        </Notice>
      )}
      {list.markets === null && <div class="list-place" />}
      {list.markets?.length === 0 && <p class="card">{nothingText(query)}</p>}
      {markets.length > 0 && (
        <div
          role="table"
          aria-label="Markets"
          aria-busy={isLoading}
          aria-rowcount={hasMore ? -1 : markets.length + 1}
          class="market-table"
        >
          <div role="rowgroup" class="market-row-head-group">
            <div role="row" aria-rowindex={1} class="market-row market-row-head">
              {COLUMNS.map((name) => (
                <span key={name} role="columnheader">
                  {name === 'Closes' && query.status === 'resolved' ? 'Settled' : name}
                </span>
              ))}
            </div>
          </div>
          <VirtualRows
            rows={markets}
            onRange={onRange}
            row={(market, index) => <MarketRow key={market.id} market={market} entries={live.entries} index={index} />}
          />
        </div>
      )}
      <p class="quiet">
        Yes and No are what a share costs now; it pays $1 or $0. Volume counts $1 for each share that was traded.{' '}
        <Link href="/help">How a market works</Link>
      </p>
    </div>
  );
}

/** Follows the prices of the shown rows, once scrolling has stopped. */
function useLiveRows(markets: readonly MarketBody[]) {
  const [range, setRange] = useState(FIRST_LIVE);
  const timer = useRef(0);
  const count = markets.length;
  const follow = useCallback(
    (shown: RowRange): void => {
      clearTimeout(timer.current);
      timer.current = window.setTimeout(() => setRange((before) => liveRows(before, shown, count)), SCROLLED_MS);
    },
    [count],
  );
  useEffect(() => () => clearTimeout(timer.current), []);
  const live = useLiveEntries(markets.slice(range.from, range.to).map(({ id }) => id));
  return { follow, live };
}

/** The sectors seen since the page was opened, by name, after the entry for all. */
function useSectors(markets: readonly MarketBody[], chosen: string) {
  const seen = useRef(new Set<string>());
  for (const { sector } of markets) seen.current.add(sector);
  const sectors = [...new Set([...seen.current, ...(chosen === '' ? [] : [chosen])])].sort();
  return [{ text: 'All', sector: '' }, ...sectors.map((sector) => ({ text: sector, sector }))];
}

function nothingText({ q, sector, sort, status }: MarketListQuery): string {
  if (q !== '' || sector !== '') return 'No market matches. Use fewer words, or choose another sector.';
  if (status !== 'active') return 'There is no such market now.';
  return sort === 'activity'
    ? 'No market is listed yet. An operator lists markets on the page Operators, or by npm run import-markets.'
    : 'No market is open now.';
}
