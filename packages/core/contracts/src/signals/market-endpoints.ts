import { z } from 'zod';
import { listCost } from '../cost.ts';
import { defineEndpoint } from '../endpoint.ts';
import { cursorText, limitText, NEXT_PAGE, text } from '../text.ts';
import { MarketSignal } from './market-signal.ts';
import { MarketEvents, TIMELINE_LIMIT } from './timeline.ts';

/** Endpoints of the figures that follow from a market's signals and trades. */
export const marketSignalEndpoints = {
  listMarketSignals: defineEndpoint({
    id: 'listMarketSignals',
    method: 'get',
    path: '/api/markets/signals',
    tag: 'Signals',
    summary: 'List active markets with computed signals',
    description:
      "One item for each active market, newest listing first. The whole answer shows one moment, at most 2 s ago, so it can miss the caller's latest command. Time windows end at a whole minute. Volume is in shares. Derived figures have up to six decimals.",
    auth: 'key',
    permission: 'view',
    kind: 'read',
    cost: { base: 2 },
    conditional: true,
    answer: z.array(MarketSignal.schema),
    errors: ['forbidden'],
  }),
  getMarketEvents: defineEndpoint({
    id: 'getMarketEvents',
    method: 'get',
    path: '/api/markets/{id}/events',
    tag: 'Markets',
    summary: "Get a market's timeline",
    description: `Signals, trades and the resolution, with their citations. The answer has the newest entries, oldest first. A signal about the whole platform is in \`GET /api/signals/recent\` only. ${NEXT_PAGE} A further page is older.`,
    auth: 'public',
    kind: 'read',
    cost: listCost(1, 25, TIMELINE_LIMIT),
    conditional: true,
    params: z.object({ id: text(1).meta({ description: 'The id of the market.' }) }),
    query: z.object({ limit: limitText(TIMELINE_LIMIT), cursor: cursorText }),
    answer: MarketEvents.schema,
    errors: ['validation_failed', 'market_not_found'],
  }),
};
