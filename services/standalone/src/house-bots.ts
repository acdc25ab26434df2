import { createHouse } from '@paper/house';
import type { HouseMarket } from '@paper/house';
import type { ReadModels } from '@paper/read-models';
import { createRetryLog } from '@paper/runtime';
import type { Logger, Teardown } from '@paper/runtime';
import type { Persist } from './persistence.ts';
import type { StoredAccounts } from './stored-accounts.ts';

export interface HouseBotsOptions {
  readonly baseUrl: string;
  readonly accounts: StoredAccounts;
  /** The usual starting balance in dollars. Accounts that begin with another one, as the bots' do, are not ranked. */
  readonly startingBalance: number;
  readonly markets: () => readonly HouseMarket[];
  readonly hasTaker: boolean;
  readonly logger: Logger;
  readonly teardown: Teardown;
}

const BALANCE = 1_000_000;

/** A starting balance in dollars that differs from the usual one, for accounts that are not ranked. */
export function unusualBalance(usual: number): number {
  return usual === BALANCE ? 2 * BALANCE : BALANCE;
}

/** The time between two turns in all markets. A turn reads much, and these quotes move only with new signals. */
const QUOTES_EVERY_MS = 5_000;

/**
 * Opens the accounts of the house's bots at the first start, and starts the bots. In named markets they are a maker and
 * a taker; in all markets only a maker with another account, since the demo's makers may trade there.
 */
export async function startHouseBots(options: HouseBotsOptions): Promise<void> {
  const { accounts, baseUrl, hasTaker, logger, markets, teardown } = options;
  const startingBalance = unusualBalance(options.startingBalance);
  // Two primary accounts, since each trade between accounts of one owner would be a self-trade.
  const [maker, taker] = hasTaker
    ? [
        await accounts.obtain({ role: 'house-maker', displayName: 'House maker', startingBalance }),
        await accounts.obtain({ role: 'house-taker', displayName: 'House taker', startingBalance }),
      ]
    : [await accounts.obtain({ role: 'house-quotes', displayName: 'House quotes', startingBalance }), null];
  const settings = hasTaker ? {} : { makerIntervalMs: QUOTES_EVERY_MS };
  const takerKey = taker?.apiKey ?? null;
  const house = createHouse({ baseUrl, makerKey: maker.apiKey, takerKey, markets, logger, settings });
  await teardown.add('house', () => house.stop());
  house.start();
}

const REFRESH_EVERY_MS = 2_000;
const CANNOT_READ = 'the markets of the house could not be read';

interface MarketSource {
  readonly readModels: ReadModels;
  readonly persist: Persist;
  readonly logger: Logger;
}

/** The most markets that `allMarkets` returns: an account may have 1,000 open orders, two for each market. */
const MOST_MARKETS = 450;

/** The markets that HOUSE_MARKETS names, with the priors of their listings, which no trader can move. */
export function namedMarkets(ids: readonly string[], source: MarketSource): Promise<() => readonly HouseMarket[]> {
  const found = new Map<string, HouseMarket>();
  return refreshed(source, async ({ readModels }) => {
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length > 0) {
      const rows = await readModels.read(({ db }) =>
        db.selectFrom('markets').select(['id', 'prior_units']).where('id', 'in', missing).execute(),
      );
      for (const row of rows) found.set(row.id, houseMarket(row));
    }
    return [...found.values()];
  });
}

/** All active markets for which `isQuoted` is true, the newest first, at most 450. */
export function allMarkets(
  isQuoted: (marketId: string) => boolean,
  source: MarketSource,
): Promise<() => readonly HouseMarket[]> {
  return refreshed(source, async ({ readModels }) => {
    const rows = await readModels.read(({ db }) =>
      db
        .selectFrom('markets')
        .select(['id', 'prior_units'])
        .where('phase', '=', 'active')
        .orderBy('created_seq', 'desc')
        .execute(),
    );
    return rows
      .filter(({ id }) => isQuoted(id))
      .slice(0, MOST_MARKETS)
      .map(houseMarket);
  });
}

function houseMarket({ id, prior_units }: { readonly id: string; readonly prior_units: number }): HouseMarket {
  return { id, prior: prior_units / 10_000 };
}

/** Reads at once, so that quotes of an earlier run are known, and again every two seconds. */
async function refreshed(
  source: MarketSource,
  read: (source: MarketSource) => Promise<readonly HouseMarket[]>,
): Promise<() => readonly HouseMarket[]> {
  const retries = createRetryLog(source.logger);
  let markets = await source.persist(() => read(source));
  let refreshedAt = performance.now();
  const refresh = async (): Promise<void> => {
    markets = await read(source);
  };
  return () => {
    const now = performance.now();
    if (now - refreshedAt >= REFRESH_EVERY_MS) {
      refreshedAt = now;
      refresh().then(
        () => retries.works(CANNOT_READ),
        (error: unknown) => retries.failed(CANNOT_READ, error),
      );
    }
    return markets;
  };
}
