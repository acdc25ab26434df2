import { CONTESTANTS, type Contestant } from './exchange/contestants.ts';
import { createBenchWorkload, type BenchWorkload } from './exchange/workload.ts';

/**
 * The exchange beside a book from npm and a bare hand-written one, on one seeded workload: 60 % limit, 30 % cancel,
 * 10 % market or IOC. All must make the same fills before anything is timed; then they take turns, and each figure is
 * the median of its rounds.
 */
const SEED = 20_261;
const COMMANDS = 50_000;
/** As many again are executed before, so that what filling the book left behind is cleared away untimed. */
const WARM_UP = 50_000;
const ROUNDS = 12;
/** The peer takes part in every fourth round: it needs many times as long as the others. */
const PEER_EVERY = 4;
const RESTING = [4_000, 27_000];
const PEER_BAR = 8;
const BARE_BAR = 0.5;

type Name = keyof typeof CONTESTANTS;
const NAMES: readonly Name[] = ['exchange', 'bare', 'peer'];
const TITLES: Readonly<Record<Name, string>> = {
  exchange: 'exchange (decide + evolve: balances, reserves, rights, events)',
  bare: 'bare book (matching and event objects only)',
  peer: 'nodejs-order-book',
};

/** Throws where a contestant's fills differ from those the workload was made with. */
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

/** What was produced last is kept reachable, as a journal's batch would keep it: else it might never be made. */
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

function bench(resting: number): boolean {
  const workload = createBenchWorkload(SEED, resting, WARM_UP, COMMANDS);
  verify(workload);
  const rates: Record<Name, number[]> = { exchange: [], bare: [], peer: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of NAMES) {
      if (name === 'peer' && round % PEER_EVERY !== 0) continue;
      rates[name].push(time(CONTESTANTS[name](workload), workload));
    }
  }
  const own = median(rates.exchange);
  const toPeer = own / median(rates.peer);
  const toBare = own / median(rates.bare);
  console.log(`\n${resting.toLocaleString('en-US')} orders resting: commands a second, median of ${ROUNDS} rounds`);
  for (const name of NAMES) {
    const [lowest, highest] = [Math.min(...rates[name]), Math.max(...rates[name])];
    console.log(`${rate(median(rates[name]))}  (${rate(lowest)} to ${rate(highest)})  ${TITLES[name]}`);
  }
  const isMet = toPeer >= PEER_BAR && toBare >= BARE_BAR;
  console.log(
    `${isMet ? 'met' : 'NOT MET'}: ${toPeer.toFixed(1)} × the peer (bar ${PEER_BAR}), ` +
      `${(100 * toBare).toFixed(0)} % of the bare book (bar ${100 * BARE_BAR} %)`,
  );
  return isMet;
}

console.log(
  `exchange: ${COMMANDS.toLocaleString('en-US')} commands (60 % limit, 30 % cancel, 10 % market or IOC), ` +
    `seed ${SEED}, a cent's tick, quotes within 10 cents of the middle, node ${process.version}; ` +
    'all contestants make the same fills',
);
const isMet = RESTING.map(bench).every(Boolean);
process.exitCode = isMet ? 0 : 1;
