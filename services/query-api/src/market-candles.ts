import { endpoints } from '@paper/contracts';
import type { Handler } from '@paper/contracts';
import { CANDLE_LIMIT, candlesJson } from '@paper/contracts/markets';
import type { CandlePeriod } from '@paper/contracts/markets';
import { queries } from '@paper/read-models';
import type { ReadView } from '@paper/read-models';
import { etagOf } from '@paper/http';
import { unknownMarket } from './market-routes.ts';
import { sequencePosition } from './paging/paging.ts';
import type { RouteParts } from './route-parts.ts';

/** The candles of a market. Long pages take turns, except pages of minutes, whose rows are adjacent in the index. */
export function getMarketCandles(parts: RouteParts): Handler<typeof endpoints.getMarketCandles> {
  const { paging, readModels, turns } = parts;
  return (caller, input, client) => {
    const { params, query } = input;
    const period = Number(query.period) as CandlePeriod;
    const [fromMs, toMs] = [query.from, query.to].map((time) => (time === undefined ? undefined : Date.parse(time)));
    const { limit, after, linkTo } = paging.request(endpoints.getMarketCandles, caller, input, sequencePosition);
    const find = async ({ db, seq, atMs }: ReadView) => {
      const page = await queries.findCandles(db, atMs, params.id, { period, fromMs, toMs, limit, after });
      if (page === null) throw unknownMarket(params.id);
      const bytes = candlesJson(params.id, period, page.items);
      return { preSerialized: { bytes, etag: etagOf(bytes) }, seq, ...linkTo(page.next) };
    };
    return period === 1 || limit <= CANDLE_LIMIT ? readModels.read(find) : turns.read(caller, client, find);
  };
}
