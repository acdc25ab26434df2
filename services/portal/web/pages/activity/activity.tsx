import type { ActivityBody, MarketBody, RecentTradeBody } from '@paper/contracts/markets';
import { Link, useLocation, useSearch } from 'wouter-preact';
import { ACTIVITY_READ, marketReads } from '../../../src/pages/paths.ts';
import { useRead } from '../../data/api/use-read.ts';
import { Choice } from '../../ui/field.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Time } from '../../ui/figures.tsx';
import { countText, DEALS } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Segments } from '../../ui/segments.tsx';
import { FEED_KINDS, feedItems, feedReads } from './feed.ts';
import type { EventsAnswer, FeedFilter, FeedItem } from './feed.ts';

const EVERY_MS = 5_000;
const KINDS = { trade: 'Trade', signal: 'News', listing: 'Listing', resolution: 'Settled' } as const;

/** The latest activity on the whole platform, or in one market. The filters are in the address. */
export default function Activity() {
  const [, navigate] = useLocation();
  const given = new URLSearchParams(useSearch());
  const filter: FeedFilter = {
    kind: FEED_KINDS.find(({ value }) => value === given.get('kind'))?.value ?? 'all',
    market: given.get('market') ?? '',
  };
  const { data, error } = useRead<ActivityBody>(ACTIVITY_READ, { everyMs: EVERY_MS });
  const reads = feedReads(filter);
  const trades = useRead<readonly RecentTradeBody[]>(reads.trades, { everyMs: EVERY_MS });
  const others = useRead<EventsAnswer>(reads.events === ACTIVITY_READ ? null : reads.events, { everyMs: EVERY_MS });
  const events = reads.events === ACTIVITY_READ ? data : others.data;
  const items =
    data === null || events === null || (trades.data === null && reads.trades !== null)
      ? null
      : feedItems(filter, events, trades.data ?? [], data.feed);
  const failure = error ?? trades.error ?? others.error;
  const onFilter = (part: Partial<FeedFilter>): void => {
    const { kind, market } = { ...filter, ...part };
    const query = new URLSearchParams({ ...(kind !== 'all' && { kind }), ...(market !== '' && { market }) });
    navigate(query.size === 0 ? '/activity' : `/activity?${query.toString()}`, { replace: true });
  };
  const pulse = data?.pulse;
  return (
    <>
      <h1>Activity</h1>
      {failure !== null && <Notice kind="error">{failure.message}</Notice>}
      <section aria-labelledby="figures-heading">
        <h2 id="figures-heading">The last 24 hours</h2>
        <Facts
          as="tiles"
          of={{
            'Active markets': countText(pulse?.activeMarkets ?? null),
            'Shares traded': countText(pulse?.volume24h ?? null),
            Trades: countText(pulse?.trades24h ?? null),
            Traders: countText(pulse?.traders24h ?? null),
          }}
        />
      </section>
      <section aria-labelledby="feed-heading">
        <h2 id="feed-heading">Newest events</h2>
        <div class="feed-filters">
          <Segments
            showLabel
            label="Kind"
            value={filter.kind}
            options={FEED_KINDS}
            onValue={(kind) => onFilter({ kind })}
          />
          <MarketChoice filter={filter} feed={data?.feed ?? []} onMarket={(market) => onFilter({ market })} />
        </div>
        {items === null && failure === null && <p class="quiet">Loading …</p>}
        {items?.length === 0 && (
          <p class="quiet">
            {filter.market === ''
              ? 'There is none among the newest events. Choose a market to see its own.'
              : 'There is none in this market.'}
          </p>
        )}
        {items !== null && items.length > 0 && (
          <ol class="feed card">
            {items.map((item) => (
              <Entry key={item.id} item={item} />
            ))}
          </ol>
        )}
      </section>
    </>
  );
}

interface MarketChoiceProps {
  readonly filter: FeedFilter;
  readonly feed: ActivityBody['feed'];
  readonly onMarket: (marketId: string) => void;
}

function MarketChoice({ filter: { market }, feed, onMarket }: MarketChoiceProps) {
  const chosen = useRead<MarketBody>(market === '' ? null : marketReads(market).market);
  const titles = new Map(feed.map(({ marketId, title }) => [marketId ?? '', title ?? '']));
  if (market !== '') titles.set(market, chosen.data?.title ?? titles.get(market) ?? market);
  titles.delete('');
  const options = [...titles].map(([value, text]) => ({ value, text })).sort((a, b) => (a.text < b.text ? -1 : 1));
  return (
    <Choice
      label="Market"
      value={market}
      options={[{ value: '', text: 'All markets' }, ...options]}
      onValue={onMarket}
    />
  );
}

function Entry({ item: { createdAt, headline, kind, marketId, side, title } }: { readonly item: FeedItem }) {
  return (
    <li>
      <span class="kind">{KINDS[kind]}</span>
      <span class="what">
        {marketId !== null && title !== null && <Link href={`/markets/${encodeURIComponent(marketId)}`}>{title}</Link>}
        <span>
          {side !== null && <strong class={side === 'buy' ? 'gain' : 'loss'}>{DEALS[side]}</strong>} {headline}
        </span>
      </span>
      <Time at={createdAt} />
    </li>
  );
}
