import { createClient, refusalIn } from 'paper-trading-client';
import { eventually } from '../eventually.ts';
import { marketBody } from '../http/market-body.ts';
import type { RunningExchange } from './running-exchange.ts';

/** Lists markets, opens accounts with more money than they can spend, and returns the accounts' keys. */
export async function prepareTrading(
  { baseUrl, operatorToken }: Pick<RunningExchange, 'baseUrl' | 'operatorToken'>,
  { markets, accounts }: { readonly markets: readonly string[]; readonly accounts: number },
): Promise<readonly string[]> {
  const operator = createClient({ baseUrl, key: operatorToken });
  for (const id of markets) {
    // A front door may not have seen yet that a process behind it is ready.
    const isNotYet = (error: unknown): boolean => refusalIn(error)?.status === 503;
    await eventually(
      `${id} is listed`,
      async () => {
        (await operator.request('createMarket', { body: marketBody(id) })).assertOk();
        return true;
      },
      { isNotYet },
    );
  }
  const keys: string[] = [];
  for (let n = 0; n < accounts; n += 1) {
    const body = { displayName: `client ${n}`, startingBalance: 10_000_000 };
    const { apiKey } = (await operator.request('openAccount', { body })).body;
    keys.push(apiKey.rawKey ?? '');
  }
  return keys;
}
