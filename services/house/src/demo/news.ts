import type { RecentSignalBody } from '@paper/contracts/signals';
import { between, normal, pickOne } from './chance.ts';
import type { Chance } from './chance.ts';

export const DEMO_SOURCE = 'Demo (invented)';

export interface NewsMarket {
  readonly id: string;
  readonly ticker: string;
  readonly drivers: readonly string[];
}

export interface News {
  readonly market: NewsMarket;
  readonly driver: string;
  readonly moves: ReadonlyMap<string, number>;
}

const SMALLEST_MOVE = 0.035;
const LARGEST_MOVE = 0.07;
/** The share of an event's move that applies to the other markets with the same driver. */
const SHARED_PART = 0.25;

/** The next event, about one of the markets whose last signal is the oldest. Null if there is no market. */
export function nextNews(markets: readonly NewsMarket[], signalledAt: ReadonlyMap<string, number>, chance: Chance) {
  const last = ({ id }: NewsMarket): number => signalledAt.get(id) ?? 0;
  const waiting = [...markets].sort((a, b) => last(a) - last(b));
  const never = waiting.filter((market) => last(market) === 0);
  const market = pickOne(chance, never.length > 0 ? never : waiting.slice(0, Math.ceil(waiting.length / 4)));
  if (market === undefined) return null;
  const driver = pickOne(chance, market.drivers) ?? 'the market';
  const by = between(chance, SMALLEST_MOVE, LARGEST_MOVE) * (chance() < 0.5 ? -1 : 1);
  const shared = markets.filter(({ id, drivers }) => id !== market.id && drivers.includes(driver));
  return {
    market,
    driver,
    moves: new Map([...shared.map(({ id }) => [id, by * SHARED_PART] as const), [market.id, by]]),
  };
}

interface NewSignal {
  readonly externalId: string;
  readonly source: string;
  readonly headline: string;
  readonly citationUrl: string;
  readonly publishedAt: string;
  readonly event: string;
  readonly marketId: string;
  readonly fairProb: number;
  readonly confidence: number;
}

/** The signal for an event: a reading of the hidden value, more accurate the more confident its invented source is. */
export function signalOf(
  { driver, market, moves }: News,
  value: number,
  { baseUrl, chance, nowMs }: { readonly baseUrl: string; readonly chance: Chance; readonly nowMs: number },
): NewSignal {
  const confidence = Math.round(between(chance, 0.5, 0.95) * 100) / 100;
  const reading = value + normal(chance) * 0.02 * (1 - confidence);
  const fairProb = Math.round(Math.min(0.98, Math.max(0.02, reading)) * 1000) / 1000;
  const publishedAt = new Date(nowMs).toISOString();
  const externalId = `${market.id}@${publishedAt.replaceAll(/[-:]|\.\d+/g, '')}`;
  const verb = (moves.get(market.id) ?? 0) > 0 ? 'lifts' : 'lowers';
  const topic = driver.replaceAll('-', ' ');
  return {
    externalId,
    source: DEMO_SOURCE,
    headline: `Invented for the demo: a report on ${topic} ${verb} ${market.ticker} to ${(fairProb * 100).toFixed(1)}%`,
    citationUrl: citationUrl(baseUrl, market.id, externalId),
    publishedAt,
    event: 'DemoNews',
    marketId: market.id,
    fairProb,
    confidence,
  };
}

/** The service's page that explains a demo signal, or with `externalId` null the outcome of a demo market. */
export function citationUrl(baseUrl: string, marketId: string, externalId: string | null): string {
  const query = new URLSearchParams({ market: marketId, ...(externalId === null ? {} : { signal: externalId }) });
  return `${baseUrl}/demo-signal?${query.toString()}`;
}

export interface CitedValue {
  readonly seq: number;
  readonly source: string;
  readonly fairProb: number;
  readonly publishedAtMs: number;
}

export function newestFairValues(signals: readonly RecentSignalBody[]): Map<string, CitedValue> {
  const newest = new Map<string, CitedValue>();
  for (const { marketId, fairProb, publishedAt, seq, source } of signals) {
    if (marketId === null || fairProb === null || seq < (newest.get(marketId)?.seq ?? 0)) continue;
    newest.set(marketId, { seq, source, fairProb, publishedAtMs: Date.parse(publishedAt) });
  }
  return newest;
}
