import type { MarketBody } from '@paper/contracts/markets';
import { marketTitle, PAGES } from './paths.ts';
import type { findPage, PageName } from './paths.ts';
import type { ReadAnswer } from './read-answer.ts';

/** What a page's HTML says of it to those who list or link it. */
export interface PageDescription {
  readonly title: string;
  readonly description: string;
  /** The one path under which it is to be known; null: there is no such page, or no such market. */
  readonly path: string | null;
}

const SERVICE = 'Trade yes/no markets with $10,000 of simulated money, by hand or with a bot.';

const DESCRIPTIONS: Readonly<Partial<Record<PageName, string>>> = {
  leaderboard: 'Who has gained most by trading yes/no markets with simulated money.',
  activity: 'The newest trades, news and settlements of all markets, live.',
  help: 'How a yes/no market works, what No costs, who decides an outcome, and what a bot needs.',
  proof: 'Check with your own browser that the public journal holds your orders as they were acknowledged.',
  'sign-up': `Sign up: ${SERVICE}`,
};

/** Search engines and previews of links show about so much. */
const LENGTH_MAX = 200;

/** @param market the answer for the market of a market's page; undefined: it did not come in time */
export function describePage(found: ReturnType<typeof findPage>, market: ReadAnswer | undefined): PageDescription {
  if (found === null) return { title: 'No such page', description: SERVICE, path: null };
  if (market?.missing !== undefined) return { title: 'No such market', description: SERVICE, path: null };
  const { name, params } = found;
  const path = PAGES[name].path.replaceAll(/:(\w+)/g, (_, param: string) => encodeURIComponent(params[param] ?? ''));
  if (market === undefined) return { title: PAGES[name].title, description: DESCRIPTIONS[name] ?? SERVICE, path };
  const body = market.body as MarketBody;
  const about = `${body.description ?? ''} ${SERVICE}`.trim();
  return {
    title: marketTitle(body),
    description: about.length > LENGTH_MAX ? `${about.slice(0, LENGTH_MAX - 1)}…` : about,
    path,
  };
}
