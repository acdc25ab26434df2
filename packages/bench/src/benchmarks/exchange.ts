import { CONTESTANTS, type Contestant } from './exchange/contestants.ts';
import { createBenchWorkload, type BenchWorkload, type Spread } from './exchange/workload.ts';

/**
 * Compares the exchange with an order book from npm and a bare hand-written one, on seeded workloads: 60 % limit, 30 %
 * cancel, 10 % market or IOC, once on a few levels with a tick of a cent, and once over thousands of levels. All must
 * make the same fills before anything is timed. Then they take turns in every round; each figure is the median of the
 * rounds. Option: rounds (default 7).
 */
const SEED = 20_261;
const COMMANDS = 50_000;
/**
 * The benchmark first executes this many untimed steps, so that the garbage of filling the book is collected before the
 * clock starts.
 */
const WARM_UP = 50_000;
const ROUNDS = Number(process.argv[2] ?? 7);
const FEW: Spread = { levels: 10, tickUnits: 100 };
const MANY: Spread = { levels: 4_000, tickUnits: 1 };
/**
 * Where few orders share a price, the peer's lists are short: there the peer's rate is shown, but the exchange need not
 * reach it.
 */
interface Asked {
  readonly what: string;
  readonly spread: Spread;
  readonly resting: number;
  readonly peerBar: number | null;
}
const WORKLOADS: readonly Asked[] = [4_000, 27_000].flatMap((resting) => [
  { what: "on 20 levels, a cent's tick", spread: FEW, resting, peerBar: 8 },
  { what: 'spread over 8,000 levels, the smallest tick', spread: MANY, resting, peerBar: null },
]);
const BARE_BAR = 0.5;

type Name = keyof typeof CONTESTANTS;
const NAMES: readonly Name[] = ['exchange', 'bare', 'peer'];
const TITLES: Readonly<Record<Name, string>> = {
  exchange: 'exchange (decide + evolve: balances, reserves, rights, events)',
  bare: 'bare book (matching and event objects only)',
  peer: 'nodejs-order-book',
};

/** Throws where a contestant's fills differ from those of the workload. */
function verify(workload: BenchWorkload): void {
  for (const name of NAMES) {
    const contestant = CONTESTANTS[name](workload);
    for (const [index, step] of workload.timed.entries()) {
      const fills = contestant.fills(step);
      if (fills !== step.fills) {
        throw new Error(`${name} fills "${fills}" at step ${index}, expected "${step.fills}"`);
      }
    }
  }
}

/** Keeps the newest results reachable, as a journal's batch would; otherwise they might be optimized away. */
const produced: unknown[] = new Array<unknown>(1_024).fill(null);

function time(contestant: Contestant, workload: BenchWorkload): number {
  let index = 0;
  const begin = process.hrtime.bigint();
  for (const step of workload.timed) {
    produced[index & 1_023] = contestant.execute(step);
    index += 1;
  }
  const seconds = Number(process.hrtime.bigint() - begin) / 1e9;
  return workload.timed.length / seconds;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

const rate = (value: number): string => Math.round(value).toLocaleString('en-US').padStart(10);

function bench({ what, spread, resting, peerBar }: Asked): boolean {
  const workload = createBenchWorkload(SEED, resting, spread, [WARM_UP, COMMANDS]);
  verify(workload);
  const rates: Record<Name, number[]> = { exchange: [], bare: [], peer: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of NAMES) rates[name].push(time(CONTESTANTS[name](workload), workload));
  }
  const own = median(rates.exchange);
  const toPeer = own / median(rates.peer);
  const toBare = own / median(rates.bare);
  console.log(
    `\n${resting.toLocaleString('en-US')} orders resting ${what}: commands a second, median of ${ROUNDS} rounds`,
  );
  for (const name of NAMES) {
    const [lowest, highest] = [Math.min(...rates[name]), Math.max(...rates[name])];
    console.log(`${rate(median(rates[name]))}  (${rate(lowest)} to ${rate(highest)})  ${TITLES[name]}`);
  }
  const isMet = toPeer >= (peerBar ?? 0) && toBare >= BARE_BAR;
  console.log(
    `${isMet ? 'met' : 'NOT MET'}: ${toPeer.toFixed(1)} × the peer (bar ${peerBar ?? 'none'}), ` +
      `${(100 * toBare).toFixed(0)} % of the bare book (bar ${100 * BARE_BAR} %)`,
  );
  return isMet;
}

console.log(
  `exchange: ${COMMANDS.toLocaleString('en-US')} commands (60 % limit, 30 % cancel, 10 % market or IOC), ` +
    `seed ${SEED}, node ${process.version}; all contestants make the same fills, ${ROUNDS} rounds each`,
);
const isMet = WORKLOADS.map(bench).every(Boolean);
process.exitCode = isMet ? 0 : 1;
