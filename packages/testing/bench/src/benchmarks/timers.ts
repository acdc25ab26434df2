import { createState, dueTimer } from '@paper/exchange';
import type { State } from '@paper/exchange';
import type { Command, CommandBase, CommandOf } from '@paper/exchange/commands';
import { base, createRandom, keyOf, listMarket, openAccount, startEpoch, SYSTEM } from '@paper/testkit';
import { bid } from '../fixtures/commands.ts';
import { figure, inTurns, median, printBar, printTable } from '../index.ts';
import { run } from './exchange/workload.ts';

/**
 * Measures the cost of timers with 1,000 to 100,000 of them armed: closings of markets, expiries of orders and dead-man
 * switches. A command side checks before every command whether a timer is due (a look). At the end of each round all
 * due timers are decided. Option: rounds (default 3).
 */
const ROUNDS = Number(process.argv[2] ?? 3);
const SIZES = [1_000, 10_000, 100_000];
const SEED = 20_262;
const LOOKS = 1_000_000;
const CHANGES = 20_000;
const LOOK_BAR_US = 2;
const AT = 1_760_000_000_000;
const DUE_AT = AT + 3_600_000;

/** A state with this many timers: one in a hundred closes a market; the others are half expiries, half switches. */
function armed(size: number) {
  const state = createState();
  const markets = size / 100;
  const accounts = (size - markets) / 2;
  give(state, { ...startEpoch(), at: AT });
  for (let n = 0; n < markets; n += 1) give(state, listMarket(`m${n}`, { at: AT, closesAt: DUE_AT }));
  for (let n = 0; n < accounts; n += 1) {
    give(state, openAccount(`a${n}`));
    give(state, order(n, `o${n}`, `m${n % markets}`, DUE_AT));
    give(state, { ...by(n), seconds: 3_600, type: 'SetDeadManSwitch' });
  }
  const count = state.closing.size + state.expiring.size + state.switches.size;
  if (count !== size) throw new Error(`${count} timers are armed, not ${size}`);
  return { accounts, markets, state };
}

function give(state: State, command: Command): void {
  if (run(state, command) === null) throw new Error(`${command.type} was refused`);
}

function by(account: number): CommandBase {
  return base(keyOf(`a${account}`));
}

function order(account: number, orderId: string, marketId: string, expiresAt: number | null): CommandOf<'PlaceOrder'> {
  const terms = { outcome: 'yes', priceUnits: 1_000, quantity: 1, timeInForce: 'GTC' } as const;
  return bid(by(account), { ...terms, expiresAt, marketId, orderId });
}

/** Measures processor time, so that other load of the machine does not count. */
function processorUs(act: () => void): number {
  const before = process.cpuUsage();
  act();
  const { system, user } = process.cpuUsage(before);
  return system + user;
}

function stepUs(state: State, steps: readonly (readonly Command[])[]): number {
  const us = processorUs(() => {
    for (const step of steps) for (const command of step) give(state, command);
  });
  return us / steps.length;
}

/** Decides everything that is due at DUE_AT; returns the microseconds for each timer. */
function decideAllDue(state: State, size: number): number {
  const us = processorUs(() => {
    for (let due = dueTimer(state, DUE_AT); due !== null; due = dueTimer(state, DUE_AT)) {
      give(state, { ...base(SYSTEM), at: DUE_AT, ...due });
    }
  });
  const left = state.closing.size + state.expiring.size + state.switches.size + state.orders.size;
  if (left > 0) throw new Error(`${left} timers or orders are left`);
  return us / size;
}

/** The costs, in microseconds of processor time. */
function measure(size: number) {
  const random = createRandom(SEED);
  const { accounts, markets, state } = armed(size);
  const look = processorUs(() => {
    for (let n = 0; n < LOOKS; n += 1) {
      if (dueTimer(state, DUE_AT - 1 - (n & 1_023)) !== null) throw new Error('a timer is due too early');
    }
  });
  const placedAndCancelled = (expiresAt: number | null): number =>
    stepUs(
      state,
      Array.from({ length: CHANGES }, (_, n) => {
        const account = random.int(0, accounts - 1);
        const orderId = `n${n}`;
        const placed = order(account, orderId, `m${random.int(0, markets - 1)}`, expiresAt);
        return [placed, { ...by(account), orderId, type: 'CancelOrder' }];
      }),
    );
  placedAndCancelled(null);
  const plain = placedAndCancelled(null);
  const expiring = placedAndCancelled(DUE_AT - 1);
  const heartbeats = Array.from({ length: CHANGES }, (): readonly Command[] => [
    { ...by(random.int(0, accounts - 1)), seconds: 3_600, type: 'SetDeadManSwitch' },
  ]);
  const heartbeat = stepUs(state, heartbeats);
  return { expiring, expiry: decideAllDue(state, size), heartbeat, look: look / LOOKS, plain };
}

console.log(
  `timers: seed ${SEED}, node ${process.version}; µs of processor time, medians of ${ROUNDS} rounds in turns\n`,
);
const results = await inTurns(SIZES, { rounds: ROUNDS, warmUps: 1 }, measure);
const row = printTable(
  ['armed'],
  ['a look', 'a switch armed anew', 'order placed and cancelled', 'the same with expiresAt', 'decided when due, each'],
);
const medianOf = (index: number, name: keyof ReturnType<typeof measure>): number =>
  median((results[index] ?? []).map((costs) => costs[name]));
for (const [index, size] of SIZES.entries()) {
  const costs = (['look', 'heartbeat', 'plain', 'expiring', 'expiry'] as const).map((name) => medianOf(index, name));
  row(figure(size), ...costs.map((cost) => figure(cost, 2)));
}
console.log('');
printBar(
  'a look with 100,000 armed',
  medianOf(SIZES.length - 1, 'look'),
  { atMost: LOOK_BAR_US },
  (cost) => `${figure(cost, 2)} µs`,
);
