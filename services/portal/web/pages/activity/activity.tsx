import type { ActivityBody } from '@paper/contracts/markets';
import { Link } from 'wouter-preact';
import { ACTIVITY_READ } from '../../../src/pages/paths.ts';
import { useRead } from '../../data/api/use-read.ts';
import { Time } from '../../ui/figures.tsx';
import { countText, NO_FIGURE } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';

type FeedItem = ActivityBody['feed'][number];

const EVERY_MS = 5_000;
const KINDS: Readonly<Record<FeedItem['kind'], string>> = {
  trade: 'Trade',
  signal: 'Signal',
  listing: 'Listing',
  resolution: 'Resolution',
};

/** The latest activity on the whole platform. */
export default function Activity() {
  const { data, error } = useRead<ActivityBody>(ACTIVITY_READ, { everyMs: EVERY_MS });
  const figures = data?.pulse;
  return (
    <>
      <h1>Activity</h1>
      {error !== null && <Notice kind="error">{error.message}</Notice>}
      <section aria-labelledby="figures-heading">
        <h2 id="figures-heading">The last 24 hours</h2>
        <dl class="tiles">
          <Tile name="Active markets" value={figures?.activeMarkets} />
          <Tile name="Shares traded" value={figures?.volume24h} />
          <Tile name="Trades" value={figures?.trades24h} />
          <Tile name="Traders" value={figures?.traders24h} />
        </dl>
      </section>
      <section aria-labelledby="feed-heading">
        <h2 id="feed-heading">Newest events</h2>
        {data === null && error === null && <p class="quiet">Loading …</p>}
        {data?.feed.length === 0 && <p>Nothing has happened yet.</p>}
        {data !== null && data.feed.length > 0 && (
          <ol class="feed card">
            {data.feed.map((item) => (
              <Entry key={item.id} item={item} />
            ))}
          </ol>
        )}
      </section>
    </>
  );
}

function Tile({ name, value }: { readonly name: string; readonly value: number | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="number">{value === undefined ? NO_FIGURE : countText(value)}</dd>
    </div>
  );
}

function Entry({ item: { kind, marketId, title, headline, createdAt } }: { readonly item: FeedItem }) {
  return (
    <li>
      <span class={`kind is-${kind}`}>{KINDS[kind]}</span>
      <span class="what">
        {marketId !== null && <Link href={`/markets/${encodeURIComponent(marketId)}`}>{title ?? marketId}</Link>}
        <span>{headline}</span>
      </span>
      <Time at={createdAt} />
    </li>
  );
}
