import type { ActivityBody, MarketBody, RecentTradeBody } from '@paper/contracts/markets';
import type { MarketEventsBody } from '@paper/contracts/signals';
import { ACTIVITY_READ, ACTIVITY_TRADES_READ, marketReads } from '../../../src/pages/paths.ts';
import { countText, moneyText, OUTCOME_NAMES, percentText, priceText } from '../../ui/format.ts';

export const FEED_KINDS = [
  { value: 'all', text: 'All' },
  { value: 'trade', text: 'Trades' },
  { value: 'signal', text: 'News' },
  { value: 'listing', text: 'Listings' },
  { value: 'resolution', text: 'Settled' },
] as const;
export type FeedKind = (typeof FEED_KINDS)[number]['value'];

export type FeedItem = Pick<
  ActivityBody['feed'][number],
  'id' | 'kind' | 'marketId' | 'title' | 'headline' | 'createdAt'
> & { readonly side: 'buy' | 'sell' | null };

/** The chosen kind and market of the feed; an empty `market` stands for all. */
export type FeedFilter = Readonly<{ kind: FeedKind; market: string }>;

/** The API's paths for the chosen feed; `trades` is null if it shows no trades. */
export function feedReads({ kind, market }: FeedFilter): { readonly events: string; readonly trades: string | null } {
  const events =
    market !== '' && kind !== 'trade'
      ? `${marketReads(market).market}/events?limit=100`
      : kind === 'listing'
        ? '/api/markets?sort=newest&limit=50'
        : kind === 'resolution'
          ? '/api/markets?status=resolved&limit=50'
          : ACTIVITY_READ;
  // The limit equals that of the market's events.
  const trades =
    market === '' ? ACTIVITY_TRADES_READ : `/api/trades/recent?limit=100&marketId=${encodeURIComponent(market)}`;
  return { events, trades: kind === 'all' || kind === 'trade' ? trades : null };
}

/** The answer to `events`: the activity, a market's events, or a list of markets. */
export type EventsAnswer = Pick<ActivityBody, 'feed'> | MarketEventsBody | readonly MarketBody[];

/**
 * The items that pass the filter, newest first. Only `trades` have a side; `feed` has void markets, which lists lack.
 */
export function feedItems(
  { kind, market }: FeedFilter,
  events: EventsAnswer,
  trades: readonly RecentTradeBody[],
  feed: ActivityBody['feed'],
): readonly FeedItem[] {
  const known = trades.map(tradeItem);
  if (kind === 'trade') return known;
  const newest = eventItems({ feed }, kind, market).filter((item) => item.kind === kind);
  const items = eventItems(events, kind, market);
  if (kind === 'all') {
    // Older trades are left out, since other events of their time may be missing here.
    const oldestMs = Math.min(...items.map(timeOf));
    const others = items.filter((item) => item.kind !== 'trade');
    return [...others, ...known.filter((trade) => timeOf(trade) >= oldestMs)].sort(newestFirst);
  }
  const isList = !('feed' in events) && !('timeline' in events);
  return (isList ? [...newest, ...items.filter(({ id }) => !newest.some((item) => item.marketId === id))] : items)
    .filter((item) => item.kind === kind)
    .sort(newestFirst);
}

const timeOf = ({ createdAt }: FeedItem): number => Date.parse(createdAt);
const newestFirst = (a: FeedItem, b: FeedItem): number => timeOf(b) - timeOf(a);

function tradeItem({ createdAt, id, market, marketId, side, ...trade }: RecentTradeBody): FeedItem {
  const { notional, outcome, price, quantity } = trade;
  const words = `${countText(quantity)} ${OUTCOME_NAMES[outcome]} at ${priceText(price)} for ${moneyText(notional)}`;
  return { id, kind: 'trade', marketId, title: market.title, headline: words, createdAt, side };
}

function eventItems(events: EventsAnswer, kind: FeedKind, marketId: string): readonly FeedItem[] {
  if ('feed' in events) return events.feed.map((item) => ({ ...item, headline: inWords(item.headline), side: null }));
  if ('timeline' in events) {
    return events.timeline.map((entry) => ({
      id: entry.externalId ?? `${entry.date} ${entry.headline}`,
      kind: entry.kind,
      marketId,
      title: null,
      headline: inWords(entry.headline),
      createdAt: entry.date,
      side: null,
    }));
  }
  return events.map(({ createdAt, id, probability, resolvedAt, resolvedOutcome, title }) => {
    const isListing = kind === 'listing';
    const outcome = `Resolved ${OUTCOME_NAMES[resolvedOutcome ?? 'no']}`;
    return {
      id,
      kind: isListing ? 'listing' : 'resolution',
      marketId: id,
      title,
      headline: isListing ? `Now at ${percentText(probability)}` : outcome,
      createdAt: isListing ? createdAt : (resolvedAt ?? createdAt),
      side: null,
    };
  });
}

/** Writes outcomes as pages do; the exchange's headlines have YES and NO. */
function inWords(headline: string): string {
  return headline.replace(/^Resolved (YES|NO)$|^(\d+) (YES|NO) at /, (found) =>
    found.replace('YES', OUTCOME_NAMES.yes).replace('NO', OUTCOME_NAMES.no),
  );
}
