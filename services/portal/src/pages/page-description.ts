import type { TraderBody } from '@paper/contracts/accounts';
import type { MarketBody } from '@paper/contracts/markets';
import { marketReads, marketTitle, orderProofRead, PAGES, traderRead } from './paths.ts';
import type { findPage, PageName } from './paths.ts';
import type { ReadAnswer } from './read-answer.ts';

/** What a page's HTML says about the page, for search engines and previews. */
export interface PageDescription {
  readonly title: string;
  readonly description: string;
  /** The canonical path of the page; null: there is no such page, or no such market. */
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

/** About the length of a text that search engines and previews of links show. */
const LENGTH_MAX = 200;

/** The API's path for the subject of a page. Its answer gives the title, and if it is a 404, the page is one too. */
export function subjectRead(found: ReturnType<typeof findPage>): string | null {
  const id = found?.params['id'] ?? '';
  if (found?.name === 'market') return marketReads(id).market;
  if (found?.name === 'order-proof') return orderProofRead(id);
  return found?.name === 'trader' ? traderRead(id) : null;
}

/** The description of a page. `subject`: the answer to `subjectRead`; undefined if there is none in time. */
export function describePage(found: ReturnType<typeof findPage>, subject: ReadAnswer | undefined): PageDescription {
  if (found === null) return { title: 'No such page', description: SERVICE, path: null };
  const { name, params } = found;
  const { title } = PAGES[name];
  const isMissing = subject?.missing !== undefined;
  if (isMissing) return { title: `No such ${title.toLowerCase()}`, description: SERVICE, path: null };
  const path = PAGES[name].path.replaceAll(/:(\w+)/g, (_, param: string) => encodeURIComponent(params[param] ?? ''));
  if (subject === undefined) return { title, description: DESCRIPTIONS[name] ?? SERVICE, path };
  if (name === 'trader') {
    const { displayName, trades } = subject.body as TraderBody;
    const description = `A trader on the public leaderboard: ${trades} trades. ${SERVICE}`;
    return { title: displayName, description, path };
  }
  if (name === 'order-proof') {
    const description = 'What the public journal says about one order, and a check that nothing of it was changed.';
    return { title: 'Proof of an order', description, path };
  }
  const body = subject.body as MarketBody;
  const about = `${body.description ?? ''} ${SERVICE}`.trim();
  return {
    title: marketTitle(body),
    description: about.length > LENGTH_MAX ? `${about.slice(0, LENGTH_MAX - 1)}…` : about,
    path,
  };
}
