import type { Random } from '@paper/testkit';
import type { Json, Operation } from './api.ts';
import type { OwnedId, Pool } from './pool.ts';

/** Times before, among and after all events. */
const MOMENTS = ['2020-02-29T00:00:00Z', '2026-11-23T12:00:00.5Z', '2099-01-01T00:00:00Z'];

/** A time a month ahead, at midnight: the same in all runs of a day. */
const EXPIRY = `${new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)}T00:00:00Z`;

/** A field of a body, or a parameter of a query. */
export interface FieldPlace {
  /** The operation's id, or the `op` of a command in a batch. */
  readonly operationId: string;
  readonly name: string;
}

/** A value that exists for this field, such as a known market id; undefined for fields without such values. */
export function fieldValue(random: Random, pool: Pool, { operationId, name }: FieldPlace): Json | undefined {
  switch (name) {
    case 'marketId':
      return pool.markets.pick(random);
    case 'marketIds': {
      const ids = Array.from({ length: random.int(1, 4) }, () => pool.markets.pick(random) ?? 'market-1');
      return operationId === 'setMandate' ? ids : ids.join(',');
    }
    case 'id':
      // A listing mostly uses a new id, and sometimes an existing one by mistake.
      if (/(?:create|list)-?market$/i.test(operationId) && random.chance(0.8)) return `fz-${random.hex(10)}`;
      return /market/i.test(operationId) ? pool.markets.pick(random) : pool.accounts.pick(random);
    case 'accountId':
      return isOfOrder(operationId) ? pool.subAccounts.pick(random)?.id : undefined;
    case 'clientOrderId':
      return `c-${random.int(1, 200)}`;
    case 'expiresAt':
      return EXPIRY;
    case 'seconds':
      return random.pick([0, 3_600]);
    case 'cursor':
      return cursorIn(pool.pages(operationId).pick(random)?.path);
    case 'limit':
    case 'points':
      return random.pick([1, 2, 3, 7, 50, 500, 501, 100_000]);
    case 'from':
    case 'to':
      // The journal takes a sequence, all other operations a time.
      return operationId === 'readJournal' ? random.int(1, 400) : random.pick(MOMENTS);
    case 'period':
      return random.pick([1, 5, 15, 60, 1440]);
    case 'asOfSeq':
      return random.int(1, 400);
    case 'companySlug':
      return random.chance(0.5) ? 'fuzz' : undefined;
    case 'q':
      return random.pick(['', 'will', 'FUZZ', 'happen?', '%', '_', 'ß']);
    case 'price':
    case 'maxPrice':
    case 'prior':
      return random.int(1, 99) / 100;
    case 'quantity':
      return random.int(1, 12);
    case 'notional':
      return random.int(1, 40);
    case 'fleet':
      return 'true';
    case 'side':
      return random.chance(0.75) ? 'buy' : undefined;
    case 'externalId':
      return random.chance(0.2) ? `e-${random.int(1, 20)}` : `e-${random.hex(8)}`;
    case 'publishedAt':
      return '2026-01-01T00:00:00Z';
    case 'closesAt':
      return '2099-01-01T00:00:00.000Z';
    default:
      return undefined;
  }
}

const isOfOrder = (operationId: string): boolean => operationId === 'placeOrders' || operationId === 'previewOrder';

/** Optional fields of an order that are drawn seldom. With these fields few orders are accepted, without them most. */
const RARE = new Set(['accountId', 'expiresAt', 'postOnly']);

export function isRare({ name, operationId }: FieldPlace): boolean {
  return isOfOrder(operationId) && RARE.has(name);
}

/** Whether the field arms a timer. No timer may fire during a run, whose answers follow from the seed alone. */
export function isTimer({ name }: FieldPlace): boolean {
  return name === 'expiresAt' || name === 'seconds';
}

function cursorIn(path: string | undefined): string | undefined {
  return new URLSearchParams(path?.split('?')[1]).get('cursor') ?? undefined;
}

/** The value of a path parameter, such as an order for `/api/orders/{id}`; with the only key that may use it. */
export function namedByPath(
  random: Random,
  pool: Pool,
  { id, template }: Operation,
  name: string,
): OwnedId | string | null {
  const word = template
    .slice(0, template.indexOf(`/{${name}}`))
    .split('/')
    .at(-1);
  switch (word) {
    case 'markets':
    case 'orderbook':
      return pool.markets.pick(random) ?? null;
    case 'orders':
      return pool.orders.pick(random) ?? null;
    case 'client':
      return pool.clientOrderIds.pick(random) ?? null;
    case 'sub':
      return pool.subAccounts.pick(random) ?? null;
    case 'keys':
      return pool.keyIds.pick(random) ?? null;
    case 'accounts':
    case 'traders':
      return pool.accounts.pick(random) ?? null;
    case 'backtests':
      // No backtest is deleted, since later requests need the existing one.
      return id === 'deleteBacktest' ? null : (pool.backtests.pick(random) ?? null);
    default:
      throw new Error(`the fuzzer has no ids for ${template}`);
  }
}
