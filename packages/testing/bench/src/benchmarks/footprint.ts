import { FleetUsage, snapshotPieces } from '@paper/command-side';
import type { Command } from '@paper/exchange/commands';
import { base, createRandom, keyOf, openAccount, startEpoch, StoredExchange } from '@paper/testkit';
import { bid, listing } from '../fixtures/commands.ts';
import { marketId } from '../fixtures/read-model-rows.ts';
import { figure, memoryInUse, printTable } from '../index.ts';

/** Measures the bytes of a market, account, order and key in the writer's memory, in a snapshot and in the journal. */
const MARKETS = 1_000;
const ACCOUNTS = 100_000;
const ORDERS = 100_000;
const KEYS = 200_000;

const random = createRandom(5_007);
const exchange = new StoredExchange(undefined, () => random.hex(32));
const accounts: { readonly id: string; readonly keyId: string }[] = [];
let journalBytes = 0;
let at = 1_790_000_000_000;

function give(submitted: Command, isIdempotent = false): void {
  at += 1;
  const id = random.uuid(at);
  const idempotency = isIdempotent ? { fingerprint: random.hex(64), key: random.hex(32) } : null;
  const command = { ...submitted, at, causationId: id, correlationId: id, id, idempotency };
  const { bytes, decision } = exchange.take(command);
  if (decision.kind !== 'accepted') throw new Error(`${command.type} was not accepted: ${JSON.stringify(decision)}`);
  journalBytes += bytes;
}

/** Places an order of an account. Each account always uses the same market. */
function order(n: number, timeInForce: 'GTC' | 'IOC'): void {
  const { id: accountId, keyId } = accounts[n % ACCOUNTS] ?? { id: '', keyId: '' };
  const order = bid(base(keyOf(accountId, keyId)), {
    marketId: marketId(n % MARKETS),
    orderId: random.uuid(at),
    outcome: random.pick(['yes', 'no'] as const),
    // Bids below half a dollar never match.
    priceUnits: 100 * random.int(10, 49),
    quantity: random.int(1, 40),
    timeInForce,
  });
  // An IOC order cannot rest, so it leaves nothing but its Idempotency-Key.
  give(order, timeInForce === 'IOC');
}

function addAccount(n: number): void {
  const [accountId, keyId] = [random.uuid(at), random.uuid(at)];
  accounts.push({ id: accountId, keyId });
  const nameDigest = n.toString(16).padStart(64, '0');
  const key = { keyHash: random.hex(64), keyId, last4: 'abcd' };
  give(openAccount(accountId, { ...key, nameDigest, permissions: ['view', 'trade'] }));
}

const sizes = (): readonly number[] => {
  const { buffers, heap } = memoryInUse();
  let stored = 0;
  for (const piece of snapshotPieces({ state: exchange.state, usage: new FleetUsage() })) stored += piece.length;
  return [heap + buffers, stored, journalBytes];
};

give(startEpoch());
const steps: readonly (readonly [what: string, count: number, make: (n: number) => void])[] = [
  ['market, listed, with an empty book', MARKETS, (n) => give(listing(n, at + 1_000_000_000_000))],
  ['account with one API key', ACCOUNTS, addAccount],
  ['first order of an account in a market, resting', ORDERS, (n) => order(n, 'GTC')],
  ['further order there, resting', ORDERS, (n) => order(n, 'GTC')],
  ['Idempotency-Key of an order that has ended', KEYS, (n) => order(n, 'IOC')],
];
const row = printTable(['what'], ['how many', 'memory', 'snapshot', 'journal text']);
for (const [what, count, make] of steps) {
  const before = sizes();
  for (let n = 0; n < count; n += 1) make(n);
  const bytes = sizes().map((size, index) => figure((size - (before[index] ?? 0)) / count));
  row(what, figure(count), ...bytes);
}
