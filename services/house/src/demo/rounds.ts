import { MINUTE_MS } from '@paper/contracts/units';
import type { NewMarket } from '@paper/contracts/operator';
import { between } from './chance.ts';
import type { Chance } from './chance.ts';
import { citationUrl, DEMO_SOURCE } from './news.ts';

/**
 * Short markets (rounds) about an invented city, so that a newcomer sees markets end. A series has one market at a
 * time, named after the minute at which it closes, so listing it again changes nothing.
 */
interface Series {
  readonly id: string;
  readonly ticker: string;
  readonly sector: string;
  readonly drivers: readonly string[];
  readonly question: string;
  readonly yes: string;
  readonly no: string;
}

const SERIES: readonly Series[] = [
  {
    id: 'demo-rain',
    ticker: 'RAIN',
    sector: 'demo city',
    drivers: ['demo-weather', 'air-travel'],
    question: 'Will it rain in the invented Demo City',
    yes: 'it rained in Demo City',
    no: 'it stayed dry in Demo City',
  },
  {
    id: 'demo-launch',
    ticker: 'LNCH',
    sector: 'demo city',
    drivers: ['demo-weather', 'supply-chain'],
    question: 'Will the invented rocket Demo One lift off',
    yes: 'Demo One lifted off',
    no: 'Demo One stayed on the ground',
  },
  {
    id: 'demo-ferry',
    ticker: 'FERRY',
    sector: 'demo city',
    drivers: ['demo-weather', 'consumer-demand'],
    question: 'Will the invented Demo City ferry be full',
    yes: 'the ferry was full',
    no: 'the ferry had free seats',
  },
  {
    id: 'demo-vote',
    ticker: 'VOTE',
    sector: 'demo city',
    drivers: ['demo-weather', 'regulation'],
    question: 'Will the invented council of Demo City pass its budget',
    yes: 'the council passed its budget',
    no: 'the council did not pass its budget',
  },
];

/** The duration of the first markets of a new demo, which end one after the other. */
const FIRST_MS = 2 * MINUTE_MS;
const NEXT_MS = 30 * MINUTE_MS;
const UNWATCHED_MS = 180 * MINUTE_MS;

export interface RoundsPace {
  readonly isNew: boolean;
  readonly isWatched: boolean;
}

export interface Round {
  readonly marketId: string;
  readonly closesAtMs: number;
}

const seriesOf = (marketId: string): Series | undefined =>
  SERIES.find(({ id }) => marketId.startsWith(`${id}-`) && /^\d{8}T\d{4}$/.test(marketId.slice(id.length + 1)));

export function isRound(marketId: string): boolean {
  return seriesOf(marketId) !== undefined;
}

/** The listings of the series that have no open market now. The market closes on a whole minute. */
export function missingRounds(open: readonly Round[], { isNew, isWatched }: RoundsPace, nowMs: number, chance: Chance) {
  return SERIES.flatMap((series, index) => {
    if (open.some(({ marketId }) => seriesOf(marketId) === series)) return [];
    const lifeMs = isNew ? FIRST_MS : isWatched ? NEXT_MS : UNWATCHED_MS;
    const closesAtMs = Math.ceil((nowMs + lifeMs + index * MINUTE_MS) / MINUTE_MS) * MINUTE_MS;
    return [listing(series, closesAtMs, chance)];
  });
}

function listing(series: Series, closesAtMs: number, chance: Chance): NewMarket & { readonly id: string } {
  const closesAt = new Date(closesAtMs).toISOString();
  const minute = closesAt.slice(0, 16).replaceAll(/[-:]/g, '');
  return {
    id: `${series.id}-${minute}`,
    title: `${series.question} by ${closesAt.slice(11, 16)} UTC?`,
    ticker: series.ticker,
    companySlug: series.id,
    sector: series.sector,
    category: 'demo',
    settlementSource: 'The demo itself, by chance',
    prior: Math.round(between(chance, 0.3, 0.7) * 100) / 100,
    closesAt,
    tickSize: 0.01,
    companyImpact: 0.1,
    drivers: [...series.drivers],
    description:
      'A short market of the demo. City, question and outcome are invented: when it closes, the outcome is drawn by chance, YES with the hidden fair value as its probability.',
  };
}

export function resolutionOf(
  marketId: string,
  value: number,
  { baseUrl, chance }: { readonly baseUrl: string; readonly chance: Chance },
) {
  const outcome: 'yes' | 'no' = chance() < value ? 'yes' : 'no';
  const series = seriesOf(marketId);
  return {
    outcome,
    headline: `Invented for the demo: ${series?.[outcome] ?? 'the market ended'}`,
    source: DEMO_SOURCE,
    citationUrl: citationUrl(baseUrl, marketId, null),
  };
}

export function roundMarket(marketId: string) {
  const { drivers = [], ticker = 'DEMO' } = seriesOf(marketId) ?? {};
  return { id: marketId, ticker, drivers };
}
