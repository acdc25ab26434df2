import type { Pool } from './pool.ts';
import type { FuzzRequest } from './request.ts';
import type { Reply } from './send.ts';

interface Key {
  readonly id: string;
  readonly rawKey?: string;
  readonly permissions: readonly string[];
}

/** Collects ids, keys, cursors and tags from an answer. `appended`: the request was a command that did something. */
export function collectIds(request: FuzzRequest, reply: Reply, body: unknown, appended: boolean, pool: Pool): void {
  const { key, method, operation, path } = request;
  const { headers, status } = reply;
  if (status !== 200 || operation === null || method === 'HEAD') return;
  const next = linkedPath(headers);
  if (next !== null) pool.pages(operation.id).add({ path: next, key });
  const etag = headers.get('etag');
  if (etag !== null) pool.tagged.add({ operationId: operation.id, path, key, etag });
  if (key === null) return;
  const idempotencyKey = request.headers.find(([name]) => name === 'idempotency-key')?.[1];
  // A repeat must get the same answer. It would not if the key may be revoked, if the answer has the key's present
  // spending (a rename), or if the command had no events and is decided again.
  const isSameAgain = operation.id !== 'renameAccount' && !pool.revocable.has(key);
  if (idempotencyKey !== undefined && appended && isSameAgain) {
    const sent = request.body?.toString() ?? null;
    const done = { operationId: operation.id, path: path.split('?')[0] ?? path, key, idempotencyKey };
    pool.done.add({ ...done, body: sent, answer: reply.text });
  }
  learnIds(operation.id, body, key, pool);
  if (operation.id === 'placeOrders') learnClientOrderIds(request, body as Batch, key, pool);
}

interface Batch {
  readonly results: readonly { readonly order?: { readonly id: string } }[];
}

/** Collects the clientOrderIds from the request, since the answer does not repeat them. */
function learnClientOrderIds({ body }: FuzzRequest, { results }: Batch, key: string, pool: Pool): void {
  const { orders } = JSON.parse(String(body)) as { readonly orders: readonly unknown[] };
  for (const [index, { order }] of results.entries()) {
    const { clientOrderId } = (orders[index] ?? {}) as { readonly clientOrderId?: unknown };
    if (order !== undefined && typeof clientOrderId === 'string') pool.clientOrderIds.add({ id: clientOrderId, key });
  }
}

/** The path of the next page, with its query; null on the last page. */
export function linkedPath(headers: Headers): string | null {
  return /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? null;
}

function learnIds(operationId: string, body: unknown, key: string, pool: Pool): void {
  const {
    id,
    account,
    apiKey,
    results = [],
    subAccount,
  } = (body ?? {}) as {
    readonly id?: string;
    readonly account?: { readonly id: string };
    readonly apiKey?: Key;
    readonly results?: Batch['results'];
    readonly subAccount?: { readonly id: string };
  };
  switch (operationId) {
    case 'createMarket':
      if (id !== undefined) pool.markets.add(id);
      break;
    case 'placeOrder':
      if (id !== undefined) pool.orders.add({ id, key });
      break;
    case 'placeOrders':
      for (const { order } of results) if (order !== undefined) pool.orders.add({ id: order.id, key });
      break;
    case 'startBacktest':
      if (id !== undefined) pool.backtests.add({ id, key });
      break;
    case 'openAccount':
      if (account !== undefined) pool.accounts.add(account.id);
      if (apiKey?.rawKey !== undefined) pool.revocable.add(apiKey.rawKey);
      if (apiKey?.rawKey !== undefined && apiKey.permissions.length === 4) pool.primaries.add(apiKey.rawKey);
      break;
    case 'createSubAccount':
    case 'createSubAccountKey':
      if (subAccount !== undefined) pool.subAccounts.add({ id: subAccount.id, key });
      if (apiKey !== undefined) pool.keyIds.add({ id: apiKey.id, key });
      if (apiKey?.rawKey !== undefined) {
        pool.subKeys.add(apiKey.rawKey);
        pool.revocable.add(apiKey.rawKey);
      }
      break;
    default:
  }
}
