import type { Logger } from '@paper/service-kit';
import pg from 'pg';
import { createApiClient } from './api-client.ts';
import type { StandaloneConfig } from './config.ts';
import { openKeptAccounts, type KeptAccount } from './kept-accounts.ts';
import { seedMarkets } from './seed-markets.ts';
import type { Teardown } from './teardown.ts';

export interface Inhabiting {
  readonly baseUrl: string;
  readonly config: StandaloneConfig;
  readonly connectionString: string;
  readonly logger: Logger;
  readonly operatorToken: string;
  readonly teardown: Teardown;
}

export interface Inhabited {
  readonly demo: KeptAccount | null;
  /** A market where an order fills against the house; null where there is none. */
  readonly exampleMarketId: string | null;
}

/** Who lives in the service from the start: the demo's markets and account, and the house that trades there. */
export async function inhabit(options: Inhabiting): Promise<Inhabited> {
  const { config, logger, operatorToken } = options;
  const api = createApiClient(options.baseUrl);
  const pool = new pg.Pool({ connectionString: options.connectionString, max: 1 });
  pool.on('error', (error) => logger.warn({ err: error }, 'a database connection was lost'));
  try {
    const accounts = await openKeptAccounts(config.DATA_DIR, pool, api, operatorToken);
    const demoMarkets = config.DEMO ? await seedMarkets(api, operatorToken, logger) : [];
    const demo = config.DEMO ? await accounts.obtain({ role: 'demo', displayName: 'Demo' }) : null;
    return { demo, exampleMarketId: demoMarkets[0] ?? null };
  } finally {
    await pool.end();
  }
}
