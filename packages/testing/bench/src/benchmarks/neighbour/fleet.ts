import type { Permission } from '@paper/contracts';
import type { RunningExchange } from '@paper/testkit/exchange';
import { createClient, createOperatorClient } from 'paper-trading-client';
import { MARKET } from './orders.ts';

const KEYS = 6;
const SUB_ACCOUNTS = 20;
const ORDERS = 50;

/** Opens a primary account with keys and sub-accounts, and places orders; returns the sequence after the last order. */
export async function openFleet({ baseUrl, operatorToken }: Pick<RunningExchange, 'baseUrl' | 'operatorToken'>) {
  const operator = createOperatorClient({ baseUrl, key: operatorToken });
  const { account, apiKey } = await operator.openAccount({ displayName: 'neighbour', startingBalance: 10_000_000 });
  const [{ id }, key] = [account, apiKey.rawKey ?? ''];
  const client = createClient({ baseUrl, key });
  const permissions: Permission[] = ['view', 'trade', 'master'];
  const keys = [key];
  while (keys.length < KEYS) {
    const made = await client.request('createSubAccountKey', {
      params: { id },
      body: { name: `key ${keys.length}`, permissions },
    });
    keys.push(made.body.apiKey.rawKey ?? '');
  }
  for (let n = 0; n < SUB_ACCOUNTS; n += 1) {
    (await client.request('createSubAccount', { body: { displayName: `sub ${n}` } })).assertOk();
  }
  const order = { marketId: MARKET, outcome: 'yes', price: 0.01, quantity: 1 } as const;
  const orders: string[] = [];
  let seq = 0;
  while (orders.length < ORDERS) {
    const placed = await client.request('placeOrder', { body: order });
    orders.push(placed.body.id);
    seq = placed.seq;
  }
  return { key, keys, orders, seq };
}
