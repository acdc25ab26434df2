import { z } from 'zod';
import { listCost } from '../cost.ts';
import { defineEndpoint, withIds } from '../endpoint.ts';
import { cursorText, limitText, NEXT_PAGE, text } from '../text.ts';
import { MarketSignal } from './market-signal.ts';
import { RecentSignals } from './signal.ts';
import { MarketEvents, TIMELINE_LIMIT } from './timeline.ts';

export const signalEndpoints = withIds({
  listRecentSignals: defineEndpoint({
    path: '/api/signals/recent',
    tag: 'Signals',
    summary: 'List recent signals of all markets',
    description: `Cited signals, newest first, including signals about the whole platform. ${NEXT_PAGE}`,
    auth: 'key',
    cost: listCost(1, 50, 50),
    query: z.object({ limit: limitText(50), cursor: cursorText }),
    answer: RecentSignals.schema,
  }),
});

export const marketSignalEndpoints = withIds({
  listMarketSignals: defineEndpoint({
    path: '/api/markets/signals',
    tag: 'Signals',
    summary: 'List active markets with computed signals',
    description:
      "One item for each active market, newest listing first. The whole answer shows one moment, at most 2 s ago, so it can miss the caller's latest command. Time windows end at a whole minute. Volume is in shares. Derived figures have up to six decimals.",
    auth: 'key',
    permission: 'view',
    cost: { base: 2 },
    conditional: true,
    answer: z.array(MarketSignal.schema),
  }),
  getMarketEvents: defineEndpoint({
    path: '/api/markets/{id}/events',
    tag: 'Markets',
    summary: "Get a market's timeline",
    description: `Signals, trades and the resolution, with their citations. The answer has the newest entries, oldest first. A signal about the whole platform is in \`GET /api/signals/recent\` only. ${NEXT_PAGE} A further page is older.`,
    auth: 'public',
    cost: listCost(1, 25, TIMELINE_LIMIT),
    conditional: true,
    params: z.object({ id: text(1).describe('The id of the market.') }),
    query: z.object({ limit: limitText(TIMELINE_LIMIT), cursor: cursorText }),
    answer: MarketEvents.schema,
    errors: ['market_not_found'],
  }),
});
