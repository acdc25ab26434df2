import { createRandom } from '@paper/testkit';
import type { Random } from '@paper/testkit';
import type { Operation } from './api.ts';
import { HOSTILE_MAKERS } from './hostile.ts';
import { ONE_FAULT_MAKERS } from './one-fault.ts';
import { ORDINARY_MAKERS } from './ordinary.ts';
import type { Maker } from './ordinary.ts';
import { draftOf, requestOf } from './request.ts';
import type { FuzzRequest, FuzzContext } from './request.ts';

const KINDS: readonly (readonly [weight: number, make: Maker])[] = [
  ...ORDINARY_MAKERS,
  ...ONE_FAULT_MAKERS,
  ...HOSTILE_MAKERS,
];

/** The weights of operations. Requests that create data for other requests are more frequent. */
const OFTEN: Readonly<Record<string, number>> = {
  placeOrder: 8,
  createMarket: 3,
  placeOrders: 3,
  previewOrder: 3,
  amendOrder: 3,
  cancelOrder: 2,
  createSubAccount: 2,
  setMandate: 2,
  openAccount: 2,
  activateMarket: 2,
};

/** The request with this index. Its kind follows from seed and index, its ids and keys from the answers so far. */
export function makeRequest(seed: number, index: number, isCommand: boolean, context: FuzzContext): FuzzRequest {
  const random = createRandom(seed ^ Math.imul(index + 1, 0x9e3779b1));
  const operation = pickOperation(random, isCommand, context);
  const make = random.weighted(KINDS);
  return make(random, operation, context) ?? requestOf(draftOf(random, operation, context), 'valid');
}

function pickOperation(random: Random, isCommand: boolean, { api }: FuzzContext): Operation {
  const choices = api.operations
    .filter((operation) => operation.isCommand === isCommand)
    .map((operation) => [OFTEN[operation.id] ?? 1, operation] as const);
  return random.weighted(choices);
}
