import { createHouse } from '@paper/house';
import type { HouseMarket } from '@paper/house';
import type { ReadModels } from '@paper/read-models';
import { createRetryLog } from '@paper/service-kit';
import type { Logger, Teardown } from '@paper/service-kit';
import type { StoredAccounts } from './stored-accounts.ts';

export interface HouseBotsOptions {
  readonly baseUrl: string;
  readonly accounts: StoredAccounts;
  /** The usual starting balance in dollars. The house gets a different one, so that it is not ranked. */
  readonly startingBalance: number;
  readonly markets: () => readonly HouseMarket[];
  readonly logger: Logger;
  readonly teardown: Teardown;
}

const BALANCE = 1_000_000;

/**
 * Opens the house's accounts at the first start, and starts its bots, which trade through the public API like every
 * client.
 */
export async function startHouseBots(options: HouseBotsOptions): Promise<void> {
  const { accounts, baseUrl, logger, markets, teardown } = options;
  const startingBalance = options.startingBalance === BALANCE ? 2 * BALANCE : BALANCE;
  // Two primary accounts: with one owner, each trade between them would be a self-trade.
  const maker = await accounts.obtain({ role: 'house-maker', displayName: 'House maker', startingBalance });
  const taker = await accounts.obtain({ role: 'house-taker', displayName: 'House taker', startingBalance });
  const house = createHouse({ baseUrl, makerKey: maker.apiKey, takerKey: taker.apiKey, markets, logger });
  await teardown.add('house', () => house.stop());
  house.start();
}

const REFRESH_EVERY_MS = 2_000;
const CANNOT_READ = 'the markets of the house could not be read';

/**
 * The markets that HOUSE_MARKETS names, with the priors of their listings. The priors come from the read models, since
 * the public API shows only traded prices, which a trader can move. Unlisted ids are looked up again later.
 */
export function namedMarkets(ids: readonly string[], readModels: ReadModels, logger: Logger): () => HouseMarket[] {
  const found = new Map<string, HouseMarket>();
  const retries = createRetryLog(logger);
  let refreshedAt = -Infinity;
  const refresh = async (): Promise<void> => {
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length === 0) return;
    const rows = await readModels.read(({ db }) =>
      db.selectFrom('markets').select(['id', 'prior_units']).where('id', 'in', missing).execute(),
    );
    for (const { id, prior_units } of rows) found.set(id, { id, prior: prior_units / 10_000 });
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
    return [...found.values()];
  };
}
