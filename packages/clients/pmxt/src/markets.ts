import type { z } from 'zod';
import type { MarketBody } from '@paper/contracts/markets';
import { readPages } from 'paper-trading-client';
import type { PaperTradingClient } from 'paper-trading-client';
import type { marketParams } from './arguments.ts';
import { PmxtError } from './errors.ts';
import { parseOutcomeId, toMarket } from './shapes.ts';
import type { Origin, PmxtMarket } from './shapes.ts';

export type Api = PaperTradingClient;

/** The number of markets in an answer, by default and at most. */
const MARKETS_MAX = 1_000;
const PAGE = 500;

/** The API's statuses for each status of pmxt. */
const STATUSES: Readonly<Record<'active' | 'all' | 'closed' | 'inactive', readonly MarketBody['status'][]>> = {
  active: ['active'],
  all: ['active', 'pending', 'resolved'],
  closed: ['resolved'],
  inactive: ['pending', 'resolved'],
};

/** The markets that match pmxt's parameters, in the requested order. */
export async function findMarkets(api: Api, params: z.output<typeof marketParams>, origin: Origin) {
  const { category, eventId, limit = MARKETS_MAX, offset = 0, outcomeId } = params;
  const marketId =
    params.marketId ?? params.slug ?? (outcomeId === undefined ? undefined : parseOutcomeId(outcomeId).marketId);
  const wanted = Math.min(offset + limit, MARKETS_MAX);
  const found = marketId === undefined ? await listed(api, params, wanted) : await findMarket(api, marketId);
  return found
    .filter((market) => category === undefined || market.category === category)
    .filter((market) => eventId === undefined || market.companySlug === eventId)
    .slice(offset, wanted)
    .map((market) => toMarket(market, origin));
}

async function findMarket(api: Api, id: string): Promise<readonly MarketBody[]> {
  const answer = await api.request('getMarket', { params: { id } });
  return answer.status === 404 ? [] : [answer.body];
}

async function listed(api: Api, params: z.output<typeof marketParams>, wanted: number): Promise<readonly MarketBody[]> {
  const { category, eventId, query, sort, status = 'active' } = params;
  const found: MarketBody[] = [];
  for (const one of STATUSES[status]) {
    let count = found.length;
    const filter = {
      status: one,
      limit: PAGE,
      // The API has a single sort order by traded volume, and no separate liquidity figure.
      sort: sort === 'newest' || sort === undefined ? 'newest' : 'activity',
      q: query,
      companySlug: eventId,
    } as const;
    const pages = await readPages(
      (cursor) => api.request('listMarkets', { query: { ...filter, cursor } }),
      (page) => {
        count += page.filter((market) => category === undefined || market.category === category).length;
        return count < wanted;
      },
    );
    found.push(...pages);
    if (count >= wanted) break;
  }
  return found;
}

/** The only market of a list. @throws PmxtError MARKET_NOT_FOUND when the list is empty. */
export function onlyMarket([market]: readonly PmxtMarket[], wanted: string): PmxtMarket {
  if (market === undefined) throw new PmxtError('MARKET_NOT_FOUND', `Market not found: ${wanted}`);
  return market;
}
