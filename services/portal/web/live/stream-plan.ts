/** What a tab wants to see live. */
export interface Wants {
  readonly marketIds: readonly string[];
  readonly bookIds: readonly string[];
  /** The account whose events it wants; null: none. */
  readonly accountId: string | null;
}

/** The streams of the one connection that serves all tabs. */
export interface StreamPlan extends Wants {
  /** Some tab wants more than is streamed. */
  readonly isCrowded: boolean;
}

export const NO_WANTS: Wants = { marketIds: [], bookIds: [], accountId: null };

/** The portal takes so many in one connection (services/portal/src/http/live-routes.ts). */
const MARKETS_MAX = 200;
const BOOKS_MAX = 4;
/** The ids stand in an address, and a service takes 16 KiB of headers. */
const ID_CHARACTERS_MAX = 10_000;

/**
 * Plans the connection for what tabs want.
 *
 * @param tabs the tab that changed its wants last comes first: it is served first where not all can be
 */
export function planStreams(tabs: readonly Wants[]): StreamPlan {
  const marketIds = unique(tabs.flatMap((tab) => tab.marketIds));
  const bookIds = unique(tabs.flatMap((tab) => tab.bookIds));
  const streamed = withinCharacters(marketIds.slice(0, MARKETS_MAX));
  return {
    // Sorted, so that tabs that want the same in another order change nothing.
    marketIds: streamed.sort(),
    bookIds: bookIds.slice(0, BOOKS_MAX),
    accountId: tabs.find(({ accountId }) => accountId !== null)?.accountId ?? null,
    isCrowded: marketIds.length > streamed.length || bookIds.length > BOOKS_MAX,
  };
}

/** The first ids that the address has room for. */
function withinCharacters(ids: readonly string[]): string[] {
  let characters = 0;
  return ids.filter((id) => {
    characters += encodeURIComponent(id).length + '%2C'.length;
    return characters <= ID_CHARACTERS_MAX;
  });
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
