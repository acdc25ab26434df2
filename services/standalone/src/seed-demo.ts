import { openPool } from '@paper/pg-bulk';
import { createClient } from 'paper-trading-client';
import { isRound } from '@paper/house';
import type { ReadModels } from '@paper/read-models';
import type { Logger, Teardown } from '@paper/runtime';
import type { StandaloneConfig } from './config.ts';
import { startDemo } from './start-demo.ts';
import { findExampleMarket } from './example-order.ts';
import { allMarkets, namedMarkets, startHouseBots } from './house-bots.ts';
import { openStoredAccounts } from './stored-accounts.ts';
import type { StoredAccount, StoredAccounts } from './stored-accounts.ts';
import type { Persist } from './persistence.ts';
import { seedMarkets } from './seed-markets.ts';
import type { ClientActivity } from './client-activity.ts';

/** The value of HOUSE_MARKETS that stands for every market. */
const ALL = 'all';

interface SeedDemoOptions {
  readonly baseUrl: string;
  readonly citedUrl: string;
  readonly config: StandaloneConfig;
  readonly connectionString: string;
  readonly logger: Logger;
  readonly operatorToken: string;
  readonly persist: Persist;
  readonly readModels: ReadModels;
  readonly teardown: Teardown;
  readonly activity: ClientActivity;
  /** Collects the accounts of the bots and of the demo's traders. */
  readonly houseAccounts: Set<string>;
}

export interface SeededDemo {
  readonly demo: StoredAccount | null;
  /** A market in which the example order fills at once; null if there is none. */
  readonly exampleMarketId: string | null;
  readonly isAlive: boolean;
}

/** Sets up the demo: its markets and account, its simulated traders, and the bots that quote in other markets. */
export async function seedDemo(options: SeedDemoOptions): Promise<SeededDemo> {
  const { config, logger, operatorToken, persist, teardown, activity } = options;
  const { baseUrl } = options;
  const operator = createClient({ baseUrl, key: operatorToken });
  const pool = openPool({ connectionString: options.connectionString, max: 1 }, (error) =>
    logger.warn({ err: error }, 'a database connection was lost'),
  );
  try {
    const accounts = await openStoredAccounts({ baseUrl, operator, dataDir: config.DATA_DIR, persist, pool });
    const demoMarkets = config.DEMO ? await persist(() => seedMarkets(operator, logger, Date.now())) : [];
    const demo = config.DEMO ? await accounts.obtain({ role: 'demo', displayName: 'Demo' }) : null;
    if (!config.HOUSE_BOTS) return { demo, exampleMarketId: null, isAlive: false };
    const named = config.HOUSE_MARKETS;
    const quotesAll = named?.length === 1 && named[0] === ALL;
    const startingBalance = config.STARTING_BALANCE;
    const isAlive = demoMarkets.length > 0 && (named === undefined || quotesAll);
    const parts = {
      baseUrl,
      citedUrl: options.citedUrl,
      accounts: noting(accounts, options.houseAccounts),
      startingBalance,
      activity,
      logger,
      teardown,
    };
    if (isAlive) await startDemo({ ...parts, markets: demoMarkets, operatorToken });
    if (named !== undefined) {
      const isDemo = new Set(demoMarkets.map(({ id }) => id));
      const markets = quotesAll
        ? await allMarkets((id) => !isDemo.has(id) && !isRound(id), options)
        : await namedMarkets(named, options);
      await startHouseBots({ ...parts, markets, hasTaker: !quotesAll });
    }
    const traded = isAlive ? demoMarkets.map(({ id }) => id) : (named ?? []);
    const exampleMarketId = demo === null ? null : await findExampleMarket(options, traded, () => teardown.begun());
    return { demo, exampleMarketId, isAlive };
  } finally {
    await pool.end();
  }
}

function noting(accounts: StoredAccounts, ids: Set<string>): StoredAccounts {
  return {
    obtain: async (options) => {
      const account = await accounts.obtain(options);
      ids.add(account.accountId);
      return account;
    },
  };
}
