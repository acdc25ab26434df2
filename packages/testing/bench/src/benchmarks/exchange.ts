import { figure, inTurns, median, percent, printBar, printTable, times } from '../index.ts';
import { CONTESTANTS } from './exchange/contestants.ts';
import type { Contestant } from './exchange/contestants.ts';
import { WorkloadMaker } from './exchange/workload.ts';
import type { BenchWorkload, Spread } from './exchange/workload.ts';

/**
 * Compares the exchange with an order book from npm and a bare hand-written one, in turns, on seeded workloads: 60 %
 * limit, 30 % cancel, 10 % market or IOC, on a few levels and over thousands. All must make the same fills before
 * anything is timed. Option: rounds (default 7).
 */
const SEED = 20_261;
const COMMANDS = 50_000;
/** The number of untimed steps at the beginning, after which the garbage of filling the book is collected. */
const WARM_UP = 50_000;
const ROUNDS = Number(process.argv[2] ?? 7);
const FEW: Spread = { levels: 10, tickUnits: 100 };
const MANY: Spread = { levels: 4_000, tickUnits: 1 };
/** Without `peerBar` few orders share a price: the peer's lists are short, and the exchange need not reach its rate. */
const WORKLOADS = [4_000, 27_000].flatMap((resting) => [
  { what: "on 20 levels, a cent's tick", spread: FEW, resting, peerBar: 10 },
  { what: 'spread over 8,000 levels, the smallest tick', spread: MANY, resting, peerBar: null },
]);
const BARE_BAR = 0.6;

type Name = keyof typeof CONTESTANTS;
const NAMES: readonly Name[] = ['exchange', 'bare', 'peer'];
const TITLES: Readonly<Record<Name, string>> = {
  exchange: 'exchange (decide + evolve: balances, reserves, rights, events)',
  bare: 'bare book (matching and event objects only)',
  peer: 'nodejs-order-book',
};

/** Throws if a contestant's fills differ from the workload's. */
function verify(workload: BenchWorkload): void {
  for (const name of NAMES) {
    const contestant = CONTESTANTS[name](workload);
    for (const [index, step] of workload.timed.entries()) {
      const fills = contestant.fills(step);
      if (fills !== step.fills) throw new Error(`${name} fills "${fills}" at step ${index}, expected "${step.fills}"`);
    }
  }
}

/** Keeps the newest results reachable, as a journal's batch would; otherwise the compiler might remove them. */
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

async function bench({ what, spread, resting, peerBar }: (typeof WORKLOADS)[number]): Promise<void> {
  const workload = new WorkloadMaker(SEED, resting, spread).make(WARM_UP, COMMANDS);
  verify(workload);
  const rates = await inTurns(NAMES, { rounds: ROUNDS }, (name) => time(CONTESTANTS[name](workload), workload));
  console.log(`\n${figure(resting)} orders resting ${what}: commands a second, median of ${ROUNDS} rounds\n`);
  const row = printTable([''], ['median', 'lowest', 'highest']);
  for (const [index, name] of NAMES.entries()) {
    const measured = rates[index] ?? [];
    row(TITLES[name], ...[median(measured), Math.min(...measured), Math.max(...measured)].map((rate) => figure(rate)));
  }
  const [own = NaN, bare = NaN, peer = NaN] = rates.map(median);
  console.log('');
  if (peerBar === null) console.log(`exchange / peer: ${times(own / peer)} (no bar)`);
  else printBar('exchange / peer', own / peer, { atLeast: peerBar }, times);
  printBar('exchange / bare book', own / bare, { atLeast: BARE_BAR }, percent);
}

console.log(
  `exchange: ${figure(COMMANDS)} commands (60 % limit, 30 % cancel, 10 % market or IOC), ` +
    `seed ${SEED}, node ${process.version}; all contestants make the same fills, ${ROUNDS} rounds each`,
);
for (const workload of WORKLOADS) await bench(workload);
