import type { PreSerialized, SerializedBytes } from '@paper/contracts';
import { MarketName } from '@paper/contracts/markets';
import { PORTFOLIO_ITEMS, portfolioHeadBody } from '@paper/contracts/portfolio';
import { MINUTE_MS } from '@paper/contracts/units';
import { etagOf } from '@paper/http';
import { LruCache, NOTHING_HELD, queries } from '@paper/read-models';
import type { HeldItems, ProgressSource, ReadModels } from '@paper/read-models';

/** An item of a list as JSON, up to its market: the item never changes, and the names of its market may. */
interface Item {
  readonly text: string;
  readonly marketId: string;
}

/** The lists of a portfolio that only grow, the newest items first, cut to the length that an answer shows. */
interface Lists {
  readonly ended: readonly Item[];
  readonly trades: readonly Item[];
  readonly settled: readonly Item[];
}

interface HeldLists extends Lists, HeldItems {
  readonly schema: string;
  readonly generation: number;
  /** The whole answer; null for a primary with sub-accounts, since their events change it too. */
  readonly whole: HeldAnswer | null;
}

/** An answer, with what must not have changed if it is sent again. */
interface HeldAnswer {
  readonly serialized: SerializedBytes;
  readonly minute: number;
  readonly marketIds: readonly string[];
  readonly valuedMarketIds: readonly string[];
}

const NO_LISTS = { ...NOTHING_HELD, schema: null, generation: 0, ended: [], trades: [], settled: [] };

/** Some 400 accounts that trade much, whose lists and answers have 80 KB each. */
const DEFAULT_LIMITS = { answers: 10_000, bytes: 64 * 1024 * 1024 };
/** The approximate memory of an item, besides its text. */
const ITEM_BYTES = 150;

/**
 * Reads portfolios. For an account that was read before, one statement reads what changes, and the ended orders, trades
 * and settled positions since then; the older ones are held as texts. An answer shows one sequence: rows of those lists
 * never change, so the older items are the same at every later sequence. If the projector is in this process and no
 * event has changed what the answer shows, it is sent again without a query.
 */
export class HeldPortfolios {
  readonly #held: LruCache<HeldLists>;

  constructor(
    private readonly readModels: Pick<ReadModels, 'generation' | 'queryOne'>,
    private readonly progress: Pick<ProgressSource, 'changes' | 'newest'>,
    private readonly now: () => number,
    limits = DEFAULT_LIMITS,
  ) {
    this.#held = new LruCache(limits);
  }

  async read(accountId: string): Promise<PreSerialized> {
    const { generation } = this.readModels;
    const minute = Math.floor(this.now() / MINUTE_MS);
    const known = this.#held.get(accountId);
    const current = known?.generation === generation ? known : null;
    const unchanged = current === null ? null : this.#unchanged(accountId, current, minute);
    if (unchanged !== null) return unchanged;
    const held = current ?? NO_LISTS;
    const { schema, seq, value: found } = await this.readModels.queryOne(queries.portfolioOf, accountId, held);
    if (held.schema !== null && (held.schema !== schema || held.seq > seq)) {
      // Other read models may have been rebuilt because these were wrong.
      this.#held.delete(accountId);
      return this.read(accountId);
    }
    // A key and its account are projected together, so this is a fault of the service.
    if (found === null) throw new Error(`account ${accountId} has a key and no row`);
    const lists = {
      ended: grown(held.ended, found.ended, PORTFOLIO_ITEMS.order.body, queries.ENDED_ORDERS_MAX),
      trades: grown(held.trades, found.trades, PORTFOLIO_ITEMS.trade.body, queries.TRADES_MAX),
      settled: grown(held.settled, found.settled, PORTFOLIO_ITEMS.settled.body, queries.SETTLED_MAX),
    };
    const items = [...lists.ended, ...lists.trades, ...lists.settled];
    const marketIds = [...new Set(items.map(({ marketId }) => marketId))];
    const bytes = Buffer.from(portfolioText(found, lists));
    const serialized = { bytes, etag: etagOf(bytes) };
    const whole = found.fleet === null ? { ...shownMarkets(found), minute, serialized } : null;
    const size = items.reduce((sum, { text }) => sum + text.length + ITEM_BYTES, whole === null ? 0 : bytes.length);
    this.#held.set(accountId, { ...lists, generation, marketIds, schema, seq, whole }, size);
    return { seq, preSerialized: serialized };
  }

  /**
   * The held answer, at the newest projected sequence; null if it may have changed. Names are erased outside of the
   * journal, so no answer is sent again in another minute.
   */
  #unchanged(accountId: string, { schema, seq, whole }: HeldLists, minute: number): PreSerialized | null {
    const newest = this.progress.newest();
    const { changes } = this.progress;
    if (whole?.minute !== minute || changes === undefined || typeof newest !== 'number') return null;
    // The answer may have been read just before its sequence was reported here.
    const shownSeq = Math.max(seq, newest);
    const isSame = changes.isUnchanged(schema, seq, shownSeq, { ...whole, accountId });
    return isSame ? { seq: shownSeq, preSerialized: whole.serialized } : null;
  }
}

function shownMarkets({ markets, positions }: queries.FoundPortfolio) {
  return { marketIds: markets.map(({ id }) => id), valuedMarketIds: positions.map(({ marketId }) => marketId) };
}

/** The list with its new items before it, cut to `max`. */
function grown<View extends { readonly marketId: string }>(
  held: readonly Item[],
  found: readonly View[],
  body: (view: View) => object,
  max: number,
): readonly Item[] {
  return found.length === 0 ? held : [...found.map((view) => itemOf(view, body)), ...held].slice(0, max);
}

function itemOf<View extends { readonly marketId: string }>(view: View, body: (view: View) => object): Item {
  return { text: JSON.stringify(body(view)).slice(0, -1), marketId: view.marketId };
}

/** The JSON of `portfolioBody`. */
function portfolioText(found: queries.FoundPortfolio, { ended, trades, settled }: Lists): string {
  const { live } = found;
  const head = JSON.stringify(portfolioHeadBody(queries.toPortfolioHead({ ...found, openOrders: live.length })));
  const marketOf = queries.marketsById(found.markets);
  const ends = new Map<string, string>();
  const endOf = (marketId: string): string => {
    let end = ends.get(marketId);
    if (end === undefined) {
      end = `,"market":${JSON.stringify(MarketName.body(marketOf(marketId)))}}`;
      ends.set(marketId, end);
    }
    return end;
  };
  const listOf = (items: readonly Item[]): string =>
    `[${items.map(({ text, marketId }) => text + endOf(marketId)).join(',')}]`;
  const orders = [...live.map((order) => itemOf(order, PORTFOLIO_ITEMS.order.body)), ...ended];
  return `${head.slice(0, -1)},"orders":${listOf(orders)},"trades":${listOf(trades)},"settled":${listOf(settled)}}`;
}
