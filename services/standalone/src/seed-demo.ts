import { createClient, endpoints } from '@paper/contracts';
import type { ReadModels } from '@paper/read-models';
import type { Logger, Teardown } from '@paper/service-kit';
import pg from 'pg';
import type { StandaloneConfig } from './config.ts';
import { findExampleMarket } from './example-order.ts';
import { namedMarkets, startHouseBots } from './house-bots.ts';
import { openStoredAccounts } from './stored-accounts.ts';
import type { StoredAccount } from './stored-accounts.ts';
import type { Persist } from './persistence.ts';
import { seedMarkets } from './seed-markets.ts';

export interface SeedDemoOptions {
  readonly baseUrl: string;
  readonly config: StandaloneConfig;
  readonly connectionString: string;
  readonly logger: Logger;
  readonly operatorToken: string;
  readonly persist: Persist;
  readonly readModels: ReadModels;
  readonly teardown: Teardown;
}

export interface SeededDemo {
  readonly demo: StoredAccount | null;
  /** A market in which the example order fills against the house; null where there is none. */
  readonly exampleMarketId: string | null;
}

/** Sets up the demo: its markets and account, and the house's accounts that trade there. */
export async function seedDemo(options: SeedDemoOptions): Promise<SeededDemo> {
  const { config, logger, operatorToken, persist, teardown } = options;
  const { baseUrl } = options;
  const operator = createClient(endpoints, { baseUrl, key: operatorToken });
  const pool = new pg.Pool({ connectionString: options.connectionString, max: 1 });
  pool.on('error', (error) => logger.warn({ err: error }, 'a database connection was lost'));
  try {
    const accounts = await openStoredAccounts({ baseUrl, operator, dataDir: config.DATA_DIR, persist, pool });
    const demoMarkets = config.DEMO ? await persist(() => seedMarkets(operator, logger)) : [];
    const demo = config.DEMO ? await accounts.obtain({ role: 'demo', displayName: 'Demo' }) : null;
    const named = config.HOUSE_MARKETS;
    if (!config.HOUSE_BOTS || (named === undefined && demoMarkets.length === 0)) return { demo, exampleMarketId: null };
    const markets = named === undefined ? () => demoMarkets : namedMarkets(named, options.readModels, logger);
    const startingBalance = config.STARTING_BALANCE;
    await startHouseBots({ baseUrl, accounts, startingBalance, markets, logger, teardown });
    const traded = named ?? demoMarkets.map(({ id }) => id);
    const exampleMarketId = demo === null ? null : await findExampleMarket(options, traded, () => teardown.begun());
    return { demo, exampleMarketId };
  } finally {
    await pool.end();
  }
}
