/** What a tab wants to see live. */
export interface Wants {
  readonly marketIds: readonly string[];
  readonly bookIds: readonly string[];
  /** The account whose events it wants; null: none. */
  readonly accountId: string | null;
}

/** The connections that serve all tabs. */
export interface StreamPlan {
  /** The markets of each pulse stream. */
  readonly pulses: readonly (readonly string[])[];
  readonly bookIds: readonly string[];
  readonly accountId: string | null;
  /** Some tab wants more than is streamed. */
  readonly isCrowded: boolean;
}

export const NO_WANTS: Wants = { marketIds: [], bookIds: [], accountId: null };

/** The API takes so many markets in one stream. */
const MARKETS_OF_STREAM = 100;
/**
 * Browsers open six connections to a site over HTTP/1.1, over all of its tabs. Five streams at most (two pulses, two
 * books, the account) leave one for everything else.
 */
const PULSES_MAX = 2;
const BOOKS_MAX = 2;

/**
 * Plans the connections for what tabs want.
 *
 * @param tabs the tab that changed its wants last comes first: it is served first where not all can be
 */
export function planStreams(tabs: readonly Wants[]): StreamPlan {
  const marketIds = unique(tabs.flatMap((tab) => tab.marketIds));
  const bookIds = unique(tabs.flatMap((tab) => tab.bookIds));
  const streamed = marketIds.slice(0, PULSES_MAX * MARKETS_OF_STREAM).sort();
  const pulses: (readonly string[])[] = [];
  while (streamed.length > 0) pulses.push(streamed.splice(0, MARKETS_OF_STREAM));
  return {
    pulses,
    bookIds: bookIds.slice(0, BOOKS_MAX),
    accountId: tabs.find(({ accountId }) => accountId !== null)?.accountId ?? null,
    isCrowded: marketIds.length > PULSES_MAX * MARKETS_OF_STREAM || bookIds.length > BOOKS_MAX,
  };
}

/** The wants of several parts of a page together. */
export function joinWants(parts: readonly Wants[]): Wants {
  return {
    marketIds: unique(parts.flatMap(({ marketIds }) => marketIds)),
    bookIds: unique(parts.flatMap(({ bookIds }) => bookIds)),
    accountId: parts.find(({ accountId }) => accountId !== null)?.accountId ?? null,
  };
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}
