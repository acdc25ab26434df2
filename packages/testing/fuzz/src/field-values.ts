import type { Random } from '@paper/testkit';
import type { Json, Operation } from './api.ts';
import type { OwnedId, Pool, Ring } from './pool.ts';

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

type FieldMaker = (random: Random, pool: Pool, operationId: string) => Json | undefined;

const price: FieldMaker = (random) => random.int(1, 99) / 100;
const pageSize: FieldMaker = (random) => random.pick([1, 2, 3, 7, 50, 500, 501, 100_000]);
/** The journal takes a sequence, all other operations a time. */
const limitOfRange: FieldMaker = (random, _pool, operationId) =>
  operationId === 'readJournal' ? random.int(1, 400) : random.pick(MOMENTS);

const FIELDS: Readonly<Record<string, FieldMaker>> = {
  marketId: (random, pool) => pool.markets.pick(random),
  marketIds(random, pool, operationId) {
    const ids = Array.from({ length: random.int(1, 4) }, () => pool.markets.pick(random) ?? 'market-1');
    return operationId === 'setMandate' ? ids : ids.join(',');
  },
  id(random, pool, operationId) {
    // A listing mostly uses a new id, and sometimes an existing one by mistake.
    if (/(?:create|list)-?market$/i.test(operationId) && random.chance(0.8)) return `fz-${random.hex(10)}`;
    return /market/i.test(operationId) ? pool.markets.pick(random) : pool.accounts.pick(random);
  },
  accountId: (random, pool, operationId) => (isOfOrder(operationId) ? pool.subAccounts.pick(random)?.id : undefined),
  clientOrderId: (random) => `c-${random.int(1, 200)}`,
  expiresAt: () => EXPIRY,
  seconds: (random) => random.pick([0, 3_600]),
  cursor: (random, pool, operationId) => cursorIn(pool.pages(operationId).pick(random)?.path),
  limit: pageSize,
  points: pageSize,
  from: limitOfRange,
  to: limitOfRange,
  period: (random) => random.pick([1, 5, 15, 60, 1440]),
  asOfSeq: (random) => random.int(1, 400),
  companySlug: (random) => (random.chance(0.5) ? 'fuzz' : undefined),
  q: (random) => random.pick(['', 'will', 'FUZZ', 'happen?', '%', '_', 'ß']),
  price,
  maxPrice: price,
  prior: price,
  quantity: (random) => random.int(1, 12),
  notional: (random) => random.int(1, 40),
  fleet: () => 'true',
  side: (random) => (random.chance(0.75) ? 'buy' : undefined),
  externalId: (random) => (random.chance(0.2) ? `e-${random.int(1, 20)}` : `e-${random.hex(8)}`),
  publishedAt: () => '2026-01-01T00:00:00Z',
  closesAt: () => '2099-01-01T00:00:00.000Z',
};

/** A value that exists for this field, such as a known market id; undefined for fields without such values. */
export function fieldValue(random: Random, pool: Pool, { operationId, name }: FieldPlace): Json | undefined {
  return FIELDS[name]?.(random, pool, operationId);
}

const isOfOrder = (operationId: string): boolean => operationId === 'placeOrders' || operationId === 'previewOrder';

/** Optional fields of an order that are drawn seldom. With these fields few orders are accepted, without them most. */
const RARE = new Set(['accountId', 'expiresAt', 'postOnly']);

export function isRare({ name, operationId }: FieldPlace): boolean {
  return isOfOrder(operationId) && RARE.has(name);
}

/** Whether the field arms a timer. No timer may fire while the fuzzer runs, since all answers must follow from the seed. */
export function isTimer({ name }: FieldPlace): boolean {
  return name === 'expiresAt' || name === 'seconds';
}

function cursorIn(path: string | undefined): string | undefined {
  return new URLSearchParams(path?.split('?')[1]).get('cursor') ?? undefined;
}

/** A value for a path parameter, such as an order for `/api/orders/{id}`, with the only key that may use it. */
export function namedByPath(
  random: Random,
  pool: Pool,
  { id, template }: Operation,
  name: string,
): OwnedId | string | null {
  const before = template.slice(0, template.indexOf(`/{${name}}`));
  const word = before.slice(before.lastIndexOf('/') + 1);
  // No backtest is deleted, since later requests need the existing one.
  if (id === 'deleteBacktest') return null;
  const { accounts, backtests, clientOrderIds, keyIds, markets, orders, subAccounts } = pool;
  const rings: Readonly<Record<string, Ring<OwnedId | string>>> = {
    accounts,
    backtests,
    client: clientOrderIds,
    keys: keyIds,
    markets,
    orderbook: markets,
    orders,
    sub: subAccounts,
    traders: accounts,
  };
  const ring = rings[word];
  if (ring === undefined) throw new Error(`the fuzzer has no ids for ${template}`);
  return ring.pick(random) ?? null;
}
