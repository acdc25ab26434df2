import type { Random } from '@paper/testkit';
import type { Json, Operation } from './api.ts';
import type { Owned, Pool } from './pool.ts';

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
    case 'id':
      // A listing uses a new id, or by mistake an existing one.
      if (/(?:create|list)-?market$/i.test(operationId) && random.chance(0.8)) return `fz-${random.hex(10)}`;
      return /market/i.test(operationId) ? pool.markets.pick(random) : pool.accounts.pick(random);
    case 'cursor':
      return cursorIn(pool.pages(operationId).pick(random)?.path);
    case 'limit':
      return random.pick([1, 2, 3, 7, 50, 500, 501, 100_000]);
    case 'from':
    case 'asOfSeq':
      return random.int(1, 400);
    case 'price':
    case 'maxPrice':
    case 'prior':
      return random.int(1, 99) / 100;
    case 'quantity':
      return random.int(1, 12);
    case 'notional':
      return random.int(1, 40);
    case 'side':
      return random.chance(0.75) ? 'buy' : undefined;
    case 'externalId':
      return random.chance(0.2) ? `e-${random.int(1, 20)}` : `e-${random.hex(8)}`;
    case 'closesAt':
      return '2099-01-01T00:00:00.000Z';
    default:
      return undefined;
  }
}

function cursorIn(path: string | undefined): string | undefined {
  return new URLSearchParams(path?.split('?')[1]).get('cursor') ?? undefined;
}

/**
 * The value of a path parameter, by the word before it: `/api/orders/{id}` needs an order. With the key that may use
 * it, where only one may.
 */
export function namedByPath(random: Random, pool: Pool, { template }: Operation, name: string): Owned | string | null {
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
    case 'sub':
      return pool.subAccounts.pick(random) ?? null;
    case 'keys':
      return pool.keyIds.pick(random) ?? null;
    case 'accounts':
      return pool.accounts.pick(random) ?? null;
    default:
      throw new Error(`what ${template} is about has to be told to the fuzzer`);
  }
}
