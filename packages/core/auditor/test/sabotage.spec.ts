import { expect } from 'chai';
import { createState, decide } from '@paper/exchange';
import type { State } from '@paper/exchange';
import type { CommandOf } from '@paper/exchange/commands';
import type { ExchangeEvent } from '@paper/exchange/events';
import { createWorkload } from '@paper/testkit';
import { Invariants, Violation } from '../src/index.ts';
import { FORGERIES } from './forgeries.ts';
import type { Forge } from './forgeries.ts';
import { applyDecision, Disagreement, judgedRun } from './judged-run.ts';
import type { Sabotage } from './judged-run.ts';
import { TOOL_FORGERIES } from './tool-forgeries.ts';

/** Runs honest workloads, applies `forge` wherever it can, and returns the first violation. */
function firstViolation(forge: Forge, seeds: number): Violation | null {
  for (let seed = 1; seed <= seeds; seed++) {
    const workload = createWorkload({ seed });
    const state = createState();
    const invariants = new Invariants();
    try {
      for (let index = 0; index < 600; index++) {
        const command = workload.next();
        const decision = decide(state, command);
        const events = applyDecision(state, command, decision);
        for (const event of forge(events) ?? events) invariants.apply(event);
        invariants.endOfDecision();
        invariants.recount();
        workload.observe(command, decision);
      }
    } catch (error) {
      if (error instanceof Violation) return error;
      throw error;
    }
  }
  return null;
}

const bendOrder = (bend: (order: CommandOf<'PlaceOrder'>) => CommandOf<'PlaceOrder'>): Sabotage => ({
  bend: (command) => (command.type === 'PlaceOrder' ? bend(command) : command),
});

/** The account's position in a market, which its first order there creates. */
function positionOf(state: State, event: { readonly marketId: string }, accountId: string) {
  const position = state.markets.get(event.marketId)?.positions.find((at) => at.account.id === accountId);
  if (!position) throw new Error('no position');
  return position;
}

const onEvent = (tamper: (state: State, event: ExchangeEvent, all: readonly ExchangeEvent[]) => void): Sabotage => ({
  tamper: (state, events) => {
    for (const event of events) tamper(state, event, events);
  },
});

/** Known faults of order books, applied to the exchange. */
const SABOTAGES: readonly (readonly [what: string, sabotage: Sabotage])[] = [
  ['kills in part', bendOrder((order) => (order.timeInForce === 'FOK' ? { ...order, timeInForce: 'IOC' } : order))],
  ['ignores slippage', bendOrder((order) => ({ ...order, slippageUnits: null }))],
  ['ignores maxPrice', bendOrder((order) => ({ ...order, maxPriceUnits: null }))],
  [
    'lets a market order rest',
    bendOrder((order) => (order.priceUnits === null ? order : { ...order, orderType: 'limit' })),
  ],
  [
    'takes a NO price for a YES price',
    bendOrder((order) =>
      order.outcome === 'no' && order.priceUnits !== null ? { ...order, priceUnits: 10_000 - order.priceUnits } : order,
    ),
  ],
  [
    'rounds a notional up',
    bendOrder((order) =>
      order.notionalUnits === null ? order : { ...order, notionalUnits: order.notionalUnits + 9_900 },
    ),
  ],
  [
    'leaves price improvement reserved',
    onEvent((state, event) => {
      if (event.type !== 'OrderFilled' || event.takerSide !== 'buy') return;
      const account = state.accounts.get(event.takerAccountId);
      if (account) account.reservedUnits += 100 * event.quantity;
    }),
  ],
  [
    'debits shares twice',
    onEvent((state, event) => {
      if (event.type !== 'OrderFilled' || event.takerSide !== 'sell') return;
      positionOf(state, event, event.takerAccountId).add(event.takerOutcome, -event.quantity, 0);
    }),
  ],
  [
    'drops an order without releasing its reserve',
    onEvent((state, event) => {
      if (event.type !== 'OrderCancelled' || !event.resting || event.side !== 'buy') return;
      const account = state.accounts.get(event.accountId);
      if (account) account.reservedUnits += event.priceUnits * event.quantity;
    }),
  ],
  [
    'marks NO at the price of YES',
    onEvent((state, event) => {
      if (event.type !== 'OrderFilled' || event.takerSide !== 'buy' || event.takerOutcome !== 'no') return;
      positionOf(state, event, event.takerAccountId).add(
        'no',
        0,
        event.yesPriceUnits * event.quantity - event.takerCostUnits,
      );
    }),
  ],
  [
    'pays a winner a unit more',
    onEvent((state, event) => {
      if (event.type !== 'PositionSettled') return;
      const account = state.accounts.get(event.accountId);
      if (account) account.cashUnits += 1;
    }),
  ],
  [
    'forgets who was first at a price',
    onEvent((state, event) => {
      if (event.type !== 'OrderPlaced' || event.restQuantity === 0) return;
      const level = state.orders.get(event.orderId)?.level;
      if (!level || level.orders !== 2) return;
      // Moves the second order to the front.
      const { head, tail } = level;
      if (head === null || tail === null) return;
      level.head = tail;
      level.tail = head;
      [tail.prev, tail.next, head.prev, head.next] = [null, head, tail, null];
    }),
  ],
  ['forgets who asked what', { tamper: (state) => state.idempotency.evict(Number.MAX_SAFE_INTEGER, 0, 0, true) }],
];

/** Checks the checks: each known fault of an order book is made on purpose, and must be noticed. */
describe('the judges, judged', () => {
  describe('the invariants find out', () => {
    for (const [what, rule, forge] of [...FORGERIES, ...TOOL_FORGERIES]) {
      it(`${what}: ${rule}`, () => {
        const violation = firstViolation(forge, 20);
        expect(violation?.rule, violation?.message).to.equal(rule);
      });
    }

    it('a sequence with a hole: events are contiguous', () => {
      const opened = { type: 'AccountOpened', at: 1, nameDigest: '', startingBalanceUnits: 1 } as const;
      const invariants = new Invariants();
      invariants.apply({ ...opened, accountId: 'a' }, 1);
      expect(() => invariants.apply({ ...opened, accountId: 'b' }, 3)).to.throw(Violation, 'events are contiguous');
    });

    it('nothing where nothing is forged', () => {
      expect(firstViolation(() => null, 3)).to.equal(null);
    });
  });

  describe('twin and picture find out an exchange that', () => {
    for (const [what, sabotage] of SABOTAGES) {
      it(what, () => {
        const run = (): void => {
          for (let seed = 1; seed <= 6; seed++) judgedRun('small', seed, 1, sabotage);
        };
        expect(run).to.throw(Disagreement);
      });
    }
  });
});
