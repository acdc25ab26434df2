import type { OperatorClient } from '@paper/testkit';

const KEYS = 6;
const SUB_ACCOUNTS = 20;
const ORDERS = 50;

/** A primary account with several keys, twenty sub-accounts, and orders; the sequence after the last of them. */
export async function openFleet(desk: OperatorClient, baseUrl: string) {
  const { key, id } = await desk.open('neighbour', { startingBalance: 10_000_000 });
  const post = async (path: string, body: unknown) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const answer = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
    return { seq: Number(answer.headers.get('x-journal-seq')), body: JSON.parse(text) as Record<string, unknown> };
  };
  const permissions = ['view', 'trade', 'master'];
  const keys = [key];
  while (keys.length < KEYS) {
    const made = await post(`/api/accounts/sub/${id}/keys`, { name: `key ${keys.length}`, permissions });
    keys.push((made.body['apiKey'] as { readonly rawKey: string }).rawKey);
  }
  for (let n = 0; n < SUB_ACCOUNTS; n += 1) await post('/api/accounts/sub', { displayName: `sub ${n}` });
  const order = { marketId: 'neighbourhood', outcome: 'yes', price: 0.01, quantity: 1 };
  const orders: string[] = [];
  let seq = 0;
  while (orders.length < ORDERS) {
    const placed = await post('/api/orders', order);
    orders.push(String(placed.body['id']));
    seq = placed.seq;
  }
  return { key, keys, orders, seq };
}
