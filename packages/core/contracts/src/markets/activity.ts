import { z } from 'zod';
import { answer, list, object, same, time } from '../answer.ts';
import type { BodyOf, ViewOf } from '../answer.ts';
import { count } from '../numbers.ts';

const ActivityItem = answer('ActivityItem', {
  id: same(z.string(), 'The id of the event in the journal.'),
  seq: same(count, 'The journal sequence of the event.'),
  kind: same(
    z.enum(['trade', 'signal', 'listing', 'resolution']),
    'The kind of the item. A void market is a resolution too.',
  ),
  marketId: same(z.string().nullable(), 'The market; null for a signal about the whole platform.'),
  title: same(z.string().nullable(), 'The title of the market.'),
  headline: same(
    z.string(),
    'The headline of a signal or resolution, else a description such as "10 YES at 0.55", "Listed at 0.38", "Resolved YES" or "Voided at 0.5".',
  ),
  createdAt: time('createdAt', 'The time of the event.'),
});

const ActivityPulse = answer(null, {
  activeMarkets: same(count),
  volume24h: same(count, 'The number of shares traded.'),
  trades24h: same(count, 'The number of fills.'),
  traders24h: same(count, 'The number of accounts that took part in a fill.'),
});

export const Activity = answer('Activity', {
  pulse: object(ActivityPulse, 'Figures of the last 24 h, up to a whole minute.'),
  feed: list('feed', ActivityItem, 'The newest 50 items, newest first.'),
});

export type ActivityItemView = ViewOf<typeof ActivityItem>;
export type ActivityView = ViewOf<typeof Activity>;
export type ActivityBody = BodyOf<typeof Activity>;

export const ACTIVITY_FEED = 50;
