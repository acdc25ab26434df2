import { createDemo, TRADERS } from '@paper/house';
import type { DemoMarket } from './demo-markets.ts';
import { unusualBalance } from './house-bots.ts';
import type { HouseBotsOptions } from './house-bots.ts';
import type { ClientActivity } from './client-activity.ts';

interface StartDemoOptions extends Omit<HouseBotsOptions, 'hasTaker' | 'markets'> {
  readonly citedUrl: string;
  readonly operatorToken: string;
  readonly markets: readonly DemoMarket[];
  readonly activity: ClientActivity;
}

/** Opens the accounts of the demo's makers and traders at the first start, and starts the demo. */
export async function startDemo(options: StartDemoOptions): Promise<void> {
  const { accounts, baseUrl, citedUrl, logger, operatorToken, teardown, activity } = options;
  const keyOf = async (role: string, displayName: string, startingBalance?: number): Promise<string> => {
    const balance = startingBalance === undefined ? {} : { startingBalance };
    const { apiKey } = await accounts.obtain({ role, displayName, ...balance });
    return apiKey;
  };
  const makerBalance = unusualBalance(options.startingBalance);
  const makerKeys = [
    await keyOf('house-maker', 'House maker', makerBalance),
    await keyOf('house-maker-2', 'House maker 2', makerBalance),
  ] as const;
  const traderKeys: string[] = [];
  for (const { displayName, role } of TRADERS) traderKeys.push(await keyOf(role, displayName));
  const markets = options.markets.map(({ drivers = [], id, prior, ticker }) => ({ drivers, id, prior, ticker }));
  const isWatched = (): boolean => activity.isRecent;
  const demo = createDemo({ baseUrl, citedUrl, isWatched, logger, makerKeys, markets, operatorToken, traderKeys });
  await teardown.add('demo', () => demo.stop());
  demo.start();
}
