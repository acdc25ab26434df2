import { createState, decide, evolve } from '@paper/exchange';
import type { Decision, State } from '@paper/exchange';
import { PLAIN_ORDER } from '@paper/exchange/commands';
import type { Command, CommandOf } from '@paper/exchange/commands';
import { EVENTS } from '@paper/exchange/events';
import type { ExchangeEvent } from '@paper/exchange/events';
import { createWorkload } from '@paper/testkit';
import { dump } from '@paper/testkit/dumps';
import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalJson } from './canonical-json.ts';
import { checkInvariants } from './invariants.ts';

interface Decided {
  readonly command: Command;
  readonly events: readonly ExchangeEvent[];
}

function apply(state: State, { command, events }: Decided): void {
  let first: Command | null = command;
  for (const event of events) {
    evolve(state, event, first);
    first = null;
  }
}

/**
 * Runs a seeded workload over the whole exchange; `each` is called with every accepted decision after it was applied.
 */
function run(
  seed: number,
  count: number,
  each: (state: State, decided: Decided) => void = () => undefined,
  isWanted: (command: Command) => boolean = () => true,
) {
  const workload = createWorkload({ byPrimaries: true, seed, ...rulesOf(seed, count) });
  const state = createState();
  const accepted: Decided[] = [];
  const commands: { readonly command: Command; readonly decision: Decision }[] = [];
  for (let i = 0; i < count; i++) {
    const command = workload.next();
    if (!isWanted(command)) continue;
    const decision = decide(state, command);
    commands.push({ command, decision });
    if (decision.kind === 'accepted') {
      const decided = { command, events: decision.events };
      apply(state, decided);
      accepted.push(decided);
      each(state, decided);
    }
    workload.observe(command, {
      kind: decision.kind,
      ...(decision.kind === 'accepted' ? { events: decision.events } : {}),
      ...(decision.kind === 'rejected' ? { code: decision.code } : {}),
    });
  }
  return { state, accepted, commands };
}

/** The rules of the first epochs, and when those of the newest begin: every third seed goes through an upgrade. */
const rulesOf = (seed: number, count: number) =>
  seed % 3 === 0 ? { rulesVersion: 1, upgradeAfter: Math.floor(count / 2) } : {};

const seeds = fc.integer({ min: 1, max: 1_000_000 });
const hash = (state: State): string => JSON.stringify(dump(state));

describe('what holds always', () => {
  it('money and shares are conserved, nothing is below 0, the book is never crossed, after every event', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const state = createState();
        for (const { command, events } of run(seed, 500).accepted) {
          let first: Command | null = command;
          for (const event of events) {
            evolve(state, event, first);
            first = null;
            checkInvariants(state);
          }
        }
      }),
      { seed: 11, numRuns: 12 },
    );
  }).timeout(20_000);

  it('a fold of the stored events gives the state that wrote them', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { state, accepted } = run(seed, 600);
        const stored = JSON.stringify(accepted);
        const folded = createState();
        for (const decided of JSON.parse(stored) as Decided[]) apply(folded, decided);
        expect(hash(folded)).to.equal(hash(state));
        expect(folded.settings).to.deep.equal(state.settings);
        expect(folded.idempotency.size).to.equal(state.idempotency.size);
      }),
      { seed: 12, numRuns: 12 },
    );
  }).timeout(20_000);

  it('decided again, the journal’s commands give the same events; decide changes nothing, asked however often', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { commands } = run(seed, 400);
        const state = createState();
        for (const { command, decision } of commands) {
          const before = hash(state);
          expect(decide(state, command)).to.deep.equal(decision);
          expect(decide(state, command)).to.deep.equal(decision);
          expect(hash(state)).to.equal(before);
          if (decision.kind === 'accepted') apply(state, { command, events: decision.events });
        }
      }),
      { seed: 13, numRuns: 8 },
    );
  }).timeout(20_000);

  it('the text of every event is its canonical text, and all events of a decision have one time, never an earlier one', () => {
    const types = new Set<string>();
    for (const seed of [1, 2, 3]) {
      let last = 0;
      run(seed, 1_500, (_, { events }) => {
        const at = events[0]?.at ?? 0;
        expect(at).to.be.at.least(last);
        last = at;
        for (const event of events) {
          types.add(event.type);
          expect(event.at).to.equal(at);
          expect(JSON.stringify(event)).to.equal(canonicalJson(event));
        }
      });
    }
    expect([...types].sort()).to.deep.equal(Object.keys(EVENTS).sort());
  }).timeout(20_000);

  it('YES and NO swapped mirrors the run', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { commands } = run(seed, 600, undefined, (command) => !ENDINGS.includes(command.type));
        const mirrored = createState();
        for (const { command, decision } of commands) {
          const asked = mirror(command);
          const events = decision.kind === 'accepted' ? decision.events.map(mirrorEvent) : [];
          expect(decide(mirrored, asked)).to.deep.equal(
            decision.kind === 'accepted' ? { kind: 'accepted', events } : decision,
          );
          apply(mirrored, { command: asked, events });
        }
      }),
      { seed: 14, numRuns: 10 },
    );
  }).timeout(20_000);

  it('a refused command, however it is put together, leaves no trace', () => {
    const { state } = run(5, 800);
    const before = hash(state);
    fc.assert(
      fc.property(anyOrder, (order) => {
        decide(state, order);
        expect(hash(state)).to.equal(before);
      }),
      { seed: 15, numRuns: 200 },
    );
  }).timeout(20_000);
});

const swapped = { yes: 'no', no: 'yes' } as const;

/** A run cancels bids before asks and settles YES before NO. Only this order differs in the mirrored run. */
const ENDINGS: readonly Command['type'][] = ['CloseMarket', 'ResolveMarket', 'VoidMarket'];

/** The same command with YES and NO swapped. */
function mirror(command: Command): Command {
  switch (command.type) {
    case 'PlaceOrder':
      return { ...command, outcome: swapped[command.outcome] };
    case 'CancelOrders':
      return { ...command, outcome: command.outcome === null ? null : swapped[command.outcome] };
    case 'ListMarket':
      return { ...command, priorUnits: 10_000 - command.priorUnits };
    default:
      return command;
  }
}

function mirrorEvent(event: ExchangeEvent): ExchangeEvent {
  switch (event.type) {
    case 'OrderPlaced':
    case 'OrderAmended':
    case 'OrderReplaced':
    case 'OrderCancelled':
      return { ...event, outcome: swapped[event.outcome] };
    case 'OrderFilled':
      return {
        ...event,
        makerOutcome: swapped[event.makerOutcome],
        takerOutcome: swapped[event.takerOutcome],
        yesPriceUnits: 10_000 - event.yesPriceUnits,
      };
    case 'SharesMerged':
      return { ...event, noCostUnits: event.yesCostUnits, yesCostUnits: event.noCostUnits };
    case 'MarketListed':
      return { ...event, priorUnits: 10_000 - event.priorUnits };
    default:
      return event;
  }
}

const odd = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(null, 0, 1, 100, 5_000, 9_900, 10_000, 50_000_000));
const anyOrder: fc.Arbitrary<CommandOf<'PlaceOrder'>> = fc
  .record({
    at: fc.nat(),
    by: fc.constantFrom({ kind: 'operator' as const, name: 'x' }, { kind: 'system' as const }),
    causationId: fc.string(),
    correlationId: fc.string(),
    id: fc.string(),
    idempotency: fc.constant(null),
    accountId: fc.constant(null),
    clientOrderId: fc.constantFrom(null, 'a'),
    expiresAt: odd,
    marketId: fc.string(),
    maxPriceUnits: odd,
    notionalUnits: odd,
    offTick: fc.boolean(),
    orderId: fc.string(),
    orderType: fc.constantFrom('limit' as const, 'market' as const),
    outcome: fc.constantFrom('yes' as const, 'no' as const),
    postOnly: fc.boolean(),
    priceUnits: odd,
    quantity: odd,
    side: fc.constantFrom('buy' as const, 'sell' as const),
    slippageUnits: odd,
    timeInForce: fc.constantFrom('GTC' as const, 'IOC' as const, 'FOK' as const),
    type: fc.constant('PlaceOrder' as const),
  })
  .map((order) => ({ ...PLAIN_ORDER, ...order }));
