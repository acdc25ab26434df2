import { snapshotPieces } from '@paper/command-side';
import { DEFAULT_SETTINGS, RULES_VERSION } from '@paper/exchange';
import type { Actor, Command, CommandBase } from '@paper/exchange';
import { createRandom, StoredExchange } from '@paper/testkit';
import { figure, memoryInUse, printTable } from '../index.ts';
import { marketId } from './boards/fill.ts';

/**
 * Measures the average bytes that each stored thing (market, account, order, key) takes: in the writer's memory, in a
 * snapshot, and in the journal.
 */
const MARKETS = 1_000;
const ACCOUNTS = 100_000;
const ORDERS = 100_000;
const KEYS = 200_000;

type Untold<C> = C extends Command ? Omit<C, keyof CommandBase> : never;

const random = createRandom(5_007);
const exchange = new StoredExchange(undefined, () => random.hex(32));
const accounts: { readonly id: string; readonly keyId: string }[] = [];
const OPERATOR = { kind: 'operator', name: 'bench' } as const;
let journalBytes = 0;
let at = 1_790_000_000_000;

function give(by: Actor, told: Untold<Command>, isIdempotent = false): void {
  at += 1;
  const id = random.uuid(at);
  const idempotency = isIdempotent ? { fingerprint: random.hex(64), key: random.hex(32) } : null;
  const command = { ...told, at, by, causationId: id, correlationId: id, id, idempotency } as Command;
  const { bytes, decision } = exchange.take(command);
  if (decision.kind !== 'accepted') throw new Error(`${told.type} was not accepted: ${JSON.stringify(decision)}`);
  journalBytes += bytes;
}

/** Places an order of an account. Each account always uses the same market. */
function order(n: number, timeInForce: 'GTC' | 'IOC'): void {
  const { id: accountId, keyId } = accounts[n % ACCOUNTS] ?? { id: '', keyId: '' };
  const order = {
    type: 'PlaceOrder',
    marketId: marketId(n % MARKETS),
    maxPriceUnits: null,
    notionalUnits: null,
    offTick: false,
    orderId: random.uuid(at),
    orderType: 'limit',
    outcome: random.pick(['yes', 'no'] as const),
    // Bids below half a dollar never match.
    priceUnits: 100 * random.int(10, 49),
    quantity: random.int(1, 40),
    side: 'buy',
    slippageUnits: null,
    timeInForce,
  } as const;
  // An IOC order cannot rest, so it leaves nothing but its Idempotency-Key.
  give({ accountId, keyId, kind: 'key' }, order, timeInForce === 'IOC');
}

function list(n: number): void {
  give(OPERATOR, {
    type: 'ListMarket',
    bodyHash: String(n).padStart(64, '0'),
    category: 'bench',
    citationUrl: null,
    closesAt: at + 1_000_000_000_000,
    companyImpact: 0.5,
    companySlug: `company-${n % 400}`,
    description: `What question number ${n} asks about is settled by what the statistical office publishes.`,
    drivers: [`driver-${n % 100}`],
    marketId: marketId(n),
    phase: 'active',
    priorUnits: 5_000,
    sector: `sector-${n % 10}`,
    settlementSource: 'The statistical office that publishes it',
    tickUnits: 100,
    ticker: `Q${n}`,
    title: `Will what question number ${n} asks about come true before the end of the year?`,
  });
}

function openAccount(n: number): void {
  const [accountId, keyId] = [random.uuid(at), random.uuid(at)];
  accounts.push({ id: accountId, keyId });
  give(OPERATOR, {
    type: 'OpenAccount',
    accountId,
    nameDigest: n.toString(16).padStart(64, '0'),
    keyHash: random.hex(64),
    keyId,
    last4: 'abcd',
    permissions: ['view', 'trade'],
    startingBalanceUnits: null,
  });
}

const sizes = (): readonly number[] => {
  const { buffers, heap } = memoryInUse();
  let stored = 0;
  for (const piece of snapshotPieces(exchange.state)) stored += piece.length;
  return [heap + buffers, stored, journalBytes];
};

give(
  { kind: 'system' },
  { type: 'StartWriterEpoch', build: 'bench', rulesVersion: RULES_VERSION, settings: DEFAULT_SETTINGS, writerId: 'b' },
);
const steps: readonly (readonly [what: string, count: number, make: (n: number) => void])[] = [
  ['market, listed, with an empty book', MARKETS, list],
  ['account with one API key', ACCOUNTS, openAccount],
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
