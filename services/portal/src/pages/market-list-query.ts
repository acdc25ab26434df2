/** The filters of the list of markets, as in the page's address; an empty sector stands for all. */
export type MarketListQuery = Readonly<ReturnType<typeof parseMarketListQuery>>;

const SORTS = ['activity', 'closing', 'movement', 'newest'] as const;
const STATUSES = ['active', 'pending', 'resolved'] as const;

const MARKET_PAGE = 100;
/** The history state with which the list is opened for a search. */
export const SEARCH = 'search';
export const SEARCH_MAX = 100;

/** Parses the query of an address; missing and unknown parameters get their defaults. */
export function parseMarketListQuery(search: string) {
  const given = new URLSearchParams(search);
  return {
    q: (given.get('q') ?? '').slice(0, SEARCH_MAX),
    sector: given.get('sector') ?? '',
    sort: oneOf(SORTS, given.get('sort')),
    status: oneOf(STATUSES, given.get('status')),
  };
}

/** The address of the page with this query, without defaults. */
export function marketListAddress({ q, sector, sort, status }: MarketListQuery): string {
  const query = new URLSearchParams();
  if (q !== '') query.set('q', q);
  if (sector !== '') query.set('sector', sector);
  if (sort !== SORTS[0]) query.set('sort', sort);
  if (status !== STATUSES[0]) query.set('status', status);
  return query.size === 0 ? '/' : `/?${query.toString()}`;
}

/** The API's path for the first page of the list. */
export function marketListRead({ q, sector, sort, status }: MarketListQuery): string {
  const query = new URLSearchParams({ status, sort, limit: String(MARKET_PAGE) });
  // Markets that have ended do not move, so they have no trend.
  if (status !== 'resolved') query.set('fields', 'trend');
  if (q !== '') query.set('q', q);
  if (sector !== '') query.set('sector', sector);
  return `/api/markets?${query.toString()}`;
}

function oneOf<const V extends string>(values: readonly [V, ...V[]], given: string | null): V {
  return values.find((value) => value === given) ?? values[0];
}
