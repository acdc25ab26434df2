import { z } from 'zod';
import { count } from './numbers.ts';
import { timestamp } from './text.ts';
import { iso } from './units.ts';

const FeedItem = z
  .strictObject({
    id: z.string().meta({ description: 'The id of the event in the journal.' }),
    seq: count.meta({ description: 'The journal sequence of the event.' }),
    kind: z
      .enum(['trade', 'signal', 'listing', 'resolution'])
      .meta({ description: 'The kind of the item. A void market is a resolution too.' }),
    marketId: z.string().nullable().meta({ description: 'The market; null for a signal about the whole platform.' }),
    title: z.string().nullable().meta({ description: 'The title of the market.' }),
    headline: z.string().meta({
      description:
        'The headline of a signal or resolution, else a description such as "10 YES at 0.55", "Listed at 0.38", "Resolved YES" or "Voided at 0.5".',
    }),
    createdAt: timestamp.meta({ description: 'The time of the event.' }),
  })
  .meta({ id: 'ActivityItem' });

export const Activity = z
  .strictObject({
    pulse: z
      .strictObject({
        activeMarkets: count,
        volume24h: count.meta({ description: 'The number of shares traded.' }),
        trades24h: count.meta({ description: 'The number of fills.' }),
        traders24h: count.meta({ description: 'The number of accounts that took part in a fill.' }),
      })
      .meta({ description: 'Figures of the last 24 h, up to a whole minute.' }),
    feed: z.array(FeedItem).meta({ description: 'The newest 50 items, newest first.' }),
  })
  .meta({ id: 'Activity' });

export type ActivityBody = z.output<typeof Activity>;

/** Items of the feed. */
export const ACTIVITY_FEED = 50;

export interface ActivityItemView {
  readonly id: string;
  readonly seq: number;
  readonly kind: 'trade' | 'signal' | 'listing' | 'resolution';
  /** The market of the signal. `marketId` and `title` are null for a signal about the whole platform. */
  readonly marketId: string | null;
  readonly title: string | null;
  readonly headline: string;
  readonly createdAt: number;
}

export interface ActivityView {
  readonly activeMarkets: number;
  /** Shares. */
  readonly volume24h: number;
  readonly trades24h: number;
  readonly traders24h: number;
  /** Newest first; at most ACTIVITY_FEED. */
  readonly feed: readonly ActivityItemView[];
}

export function activityBody(view: ActivityView): ActivityBody {
  return {
    pulse: {
      activeMarkets: view.activeMarkets,
      volume24h: view.volume24h,
      trades24h: view.trades24h,
      traders24h: view.traders24h,
    },
    feed: view.feed.map((item) => ({
      id: item.id,
      seq: item.seq,
      kind: item.kind,
      marketId: item.marketId,
      title: item.title,
      headline: item.headline,
      createdAt: iso(item.createdAt),
    })),
  };
}
