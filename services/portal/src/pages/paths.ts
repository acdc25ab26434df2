import type { MarketBody } from '@paper/contracts/markets';
import { marketListRead, parseMarketListQuery } from './market-list-query.ts';

export interface PageInfo {
  /** The path, as a pattern of wouter: `:name` is one segment. */
  readonly path: string;
  /** The title of the tab, in front of the service's name, until the page sets a better one. */
  readonly title: string;
  /** True if the head of each page links to this page, by its title. */
  readonly isInHead?: true;
  /** The public reads of the API for the first paint; `useRead` of the same paths then has its data at once. */
  readonly firstReads?: (params: Readonly<Record<string, string>>, search: string) => readonly string[];
}

export const LEADERBOARD_READ = '/api/leaderboard?limit=100';

export const traderRead = (id: string): string => `/api/traders/${encodeURIComponent(id)}`;

/** The number of a market's trades that are read at first; its page also shows later ones. */
const TRADES_READ = 15;

export function marketReads(id: string): Readonly<Record<'market' | 'book' | 'trades', string>> {
  const market = encodeURIComponent(id);
  return {
    market: `/api/markets/${market}`,
    book: `/api/orderbook/${market}`,
    trades: `/api/trades/recent?marketId=${market}&limit=${TRADES_READ}`,
  };
}

/** The path of an order's proof. An order may have a million fills, so only the first events are shown. */
export const orderProofRead = (id: string): string => `/api/journal/orders/${encodeURIComponent(id)}?limit=20`;

/** A market's title with the chance of yes, or with its outcome: `Will it rise? · 63% yes`. */
export function marketTitle(market: Pick<MarketBody, 'phase' | 'probability' | 'resolvedOutcome' | 'title'>): string {
  const { phase, probability, resolvedOutcome, title } = market;
  if (resolvedOutcome !== null) return `${title} · Resolved ${resolvedOutcome === 'yes' ? 'Yes' : 'No'}`;
  return `${title} · ${phase === 'void' ? 'Void' : `${Math.round(probability * 100)}% yes`}`;
}

export const ACTIVITY_READ = '/api/activity';

export const ACTIVITY_TRADES_READ = '/api/trades/recent?limit=50';

/** A new page has a row here, its module in web/app/page-modules.ts, and its style sheet in web/more-styles.css. */
const TABLE = {
  markets: {
    path: '/',
    title: 'Markets',
    isInHead: true,
    firstReads: (_params: Readonly<Record<string, string>>, search: string) => [
      marketListRead(parseMarketListQuery(search)),
    ],
  },
  market: { path: '/markets/:id', title: 'Market', firstReads: ({ id = '' }) => Object.values(marketReads(id)) },
  portfolio: { path: '/portfolio', title: 'Portfolio', isInHead: true },
  'portfolio-account': { path: '/portfolio/:accountId', title: 'Portfolio' },
  leaderboard: { path: '/leaderboard', title: 'Leaderboard', isInHead: true, firstReads: () => [LEADERBOARD_READ] },
  trader: { path: '/traders/:id', title: 'Trader', firstReads: ({ id = '' }) => [traderRead(id)] },
  activity: {
    path: '/activity',
    title: 'Activity',
    isInHead: true,
    firstReads: () => [ACTIVITY_READ, ACTIVITY_TRADES_READ],
  },
  proof: { path: '/proof', title: 'Proof', isInHead: true },
  'order-proof': { path: '/proof/:id', title: 'Order', firstReads: ({ id = '' }) => [orderProofRead(id)] },
  backtests: { path: '/backtests', title: 'Backtests' },
  backtest: { path: '/backtests/:id', title: 'Backtest' },
  developers: { path: '/developers', title: 'Developers' },
  security: { path: '/account', title: 'Account' },
  help: { path: '/help', title: 'How it works' },
  'sign-up': { path: '/sign-up', title: 'Sign up' },
  'sign-in': { path: '/sign-in', title: 'Sign in' },
  recover: { path: '/recover', title: 'Recover' },
  confirm: { path: '/confirm', title: 'Confirm' },
  operators: { path: '/operators', title: 'Operators' },
} as const satisfies Readonly<Record<string, PageInfo>>;

/** The addresses that pages had in earlier versions, each with its present address. */
export const FORMER_PATHS: ReadonlyMap<string, string> = new Map([
  ['/automation-key', TABLE.developers.path],
  ['/security', TABLE.security.path],
  ['/sub-accounts', TABLE.developers.path],
]);

export type PageName = keyof typeof TABLE;

export const PAGES: Readonly<Record<PageName, PageInfo>> = TABLE;

/** The style sheet that a page needs besides that of every page and of a market; null for none. */
export function moreStylesOf(name: PageName): 'listStyles' | 'moreStyles' | null {
  if (name === 'market') return null;
  return name === 'markets' ? 'listStyles' : 'moreStyles';
}

export const PAGE_NAMES = Object.keys(PAGES) as readonly PageName[];

export const SERVICE_NAME = 'Paper Trading Service';

/** The decoded parameters of a path that matches this pattern; null if it does not match. */
function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const segment = given[index] ?? '';
    if (!part.startsWith(':')) {
      if (part !== segment) return null;
      continue;
    }
    const value = decoded(segment);
    if (value === null || value === '') return null;
    params[part.slice(1)] = value;
  }
  return params;
}

/** Pages by the first segment of their paths, which is never a parameter. Most requests are not for a page. */
const PAGES_BY_SEGMENT = new Map<string, PageName[]>();
for (const name of PAGE_NAMES) {
  const segment = firstSegment(PAGES[name].path);
  PAGES_BY_SEGMENT.set(segment, [...(PAGES_BY_SEGMENT.get(segment) ?? []), name]);
}

function firstSegment(path: string): string {
  const end = path.indexOf('/', 1);
  return path.slice(0, end === -1 ? path.length : end);
}

type FoundPage = Readonly<{ name: PageName; params: Readonly<Record<string, string>> }>;

/** The page of a path, present or former, with its parameters; null if there is none. */
export function findPage(address: string): FoundPage | null {
  const path = FORMER_PATHS.get(address) ?? address;
  for (const name of PAGES_BY_SEGMENT.get(firstSegment(path)) ?? []) {
    const params = matchPath(PAGES[name].path, path);
    if (params !== null) return { name, params };
  }
  return null;
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
