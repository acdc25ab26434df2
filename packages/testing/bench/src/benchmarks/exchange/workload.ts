import { createState, decide, evolve } from '@paper/exchange';
import type { State } from '@paper/exchange';
import type { Command, CommandBase, CommandOf } from '@paper/exchange/commands';
import type { ExchangeEvent } from '@paper/exchange/events';
import { inOwnTerms } from '@paper/exchange/vocabulary';
import type { Outcome, Side } from '@paper/exchange/vocabulary';
import { createRandom, listMarket, openAccount, OPERATOR, startEpoch, SYSTEM } from '@paper/testkit';
import type { Random } from '@paper/testkit';

/** A step for each benchmarked book: the exchange's command, and the fields that a plain book needs. */
export interface Step {
  readonly command: Command;
  readonly kind: 'limit' | 'ioc' | 'market' | 'cancel';
  readonly orderId: string;
  /** Whether the order is a bid in YES terms. */
  readonly isBid: boolean;
  readonly yesPriceUnits: number;
  readonly quantity: number;
  /** The expected fills as one text: maker's id and quantity of each. */
  fills: string;
}

export interface BenchWorkload {
  /** Opens accounts and keys, lists the market, and gives shares to sell. */
  readonly setup: readonly Command[];
  /** The untimed steps: orders until `resting` of them rest, then steps of the timed mix. */
  readonly fill: readonly Step[];
  /** The timed steps: 60 % limit, 30 % cancel, 10 % market or IOC. */
  readonly timed: readonly Step[];
}

/** The prices at which orders rest. */
export interface Spread {
  readonly tickUnits: 1 | 100;
  /** The number of prices on each side of the middle, chosen with equal probability. */
  readonly levels: number;
}

const MARKET_ID = 'bench';
const MIDDLE = 5_000;
const OWNERS = 50;
/** Each owner begins with shares of one outcome, so that an ask can sell YES as well as buy NO. */
const SHARES = 200_000;
const START_AT = 1_760_000_000_000;

export function fillsOf(events: readonly ExchangeEvent[]): string {
  let text = '';
  for (const event of events) {
    if (event.type === 'OrderFilled') text += `${event.makerOrderId}:${event.quantity};`;
  }
  return text;
}

/** Decides a command and applies its events; returns the events, or null if it was refused. */
export function run(state: State, command: Command): readonly ExchangeEvent[] | null {
  const decision = decide(state, command);
  if (decision.kind !== 'accepted') return null;
  const { events } = decision;
  for (let index = 0; index < events.length; index += 1) {
    const event = events[index];
    if (event !== undefined) evolve(state, event, index === 0 ? command : null);
  }
  return events;
}

/** Makes a seeded workload that holds about `resting` orders in the book. */
export class WorkloadMaker {
  readonly #random: Random;
  readonly #state = createState();
  readonly #setup: Command[] = [];
  readonly #live: { readonly id: string; readonly owner: number }[] = [];
  #at = START_AT;

  constructor(
    seed: number,
    private readonly resting: number,
    private readonly spread: Spread,
  ) {
    this.#random = createRandom(seed);
  }

  make(warmUp: number, count: number): BenchWorkload {
    this.#open();
    const fill: Step[] = [];
    while (this.#state.orders.size < this.resting) this.#push(fill, () => this.#order('limit'));
    for (let step = 0; step < warmUp; step++) this.#mixed(fill);
    const timed: Step[] = [];
    for (let step = 0; step < count; step++) this.#mixed(timed);
    return { setup: this.#setup, fill, timed };
  }

  #mixed(steps: Step[]): void {
    const draw = this.#random.int(1, 100);
    if (draw <= 60) this.#push(steps, () => this.#order('limit'));
    else if (draw <= 90) this.#push(steps, () => this.#cancel());
    else if (draw <= 95) this.#push(steps, () => this.#order('market'));
    else this.#push(steps, () => this.#order('ioc'));
  }

  /** Draws steps until one is accepted whose fills a plain book would make too (no self-trade). */
  #push(steps: Step[], draw: () => Step): void {
    for (;;) {
      const step = draw();
      const decision = decide(this.#state, step.command);
      if (decision.kind !== 'accepted') continue;
      const last = decision.events.at(-1);
      if (last?.type === 'OrderCancelled' && (last.reason === 'self_trade' || last.reason === 'fill_limit')) continue;
      run(this.#state, step.command);
      step.fills = fillsOf(decision.events);
      steps.push(step);
      return;
    }
  }

  #base(by: CommandBase['by']): CommandBase {
    this.#at += 1;
    const id = this.#random.uuid(this.#at);
    return { at: this.#at, by, causationId: id, correlationId: id, id, idempotency: null };
  }

  #order(kind: 'limit' | 'ioc' | 'market'): Step {
    const random = this.#random;
    const isBid = random.chance(0.5);
    const owner = random.int(0, OWNERS - 1);
    // Half of all orders buy or sell YES, half the complement: a bid buys YES or sells NO, an ask sells YES or buys NO.
    const isBuy = random.chance(0.5);
    const outcome = isBuy === isBid ? 'yes' : 'no';
    const quantity = random.int(1, 60);
    const yesPriceUnits = kind === 'market' ? (isBid ? 9_900 : 100) : this.#price(isBid, kind);
    const priceUnits = kind === 'market' ? null : inOwnTerms(outcome, yesPriceUnits);
    const command = this.#place(owner, kind, outcome, isBuy ? 'buy' : 'sell', priceUnits, quantity, null);
    this.#live.push({ id: command.orderId, owner });
    return { command, kind, orderId: command.orderId, isBid, yesPriceUnits, quantity, fills: '' };
  }

  /** The command is one object literal, as a request handler writes it: an object made by spreads is slower to read. */
  #place(
    owner: number,
    kind: 'limit' | 'ioc' | 'market',
    outcome: Outcome,
    side: Side,
    priceUnits: number | null,
    quantity: number | null,
    notionalUnits: number | null,
  ): CommandOf<'PlaceOrder'> {
    const { at, by, causationId, correlationId, id } = this.#base(key(owner));
    return {
      accountId: null,
      at,
      by,
      causationId,
      clientOrderId: null,
      correlationId,
      expiresAt: null,
      id,
      idempotency: null,
      marketId: MARKET_ID,
      maxPriceUnits: null,
      notionalUnits,
      offTick: false,
      orderId: this.#random.uuid(this.#at),
      orderType: kind === 'market' ? 'market' : 'limit',
      outcome,
      postOnly: false,
      priceUnits,
      quantity,
      side,
      slippageUnits: null,
      timeInForce: kind === 'ioc' ? 'IOC' : 'GTC',
      type: 'PlaceOrder',
    };
  }

  /** Draws a price of its own side, or across the middle: 10 % of limit orders, 50 % while too many orders rest. */
  #price(isBid: boolean, kind: 'limit' | 'ioc'): number {
    const random = this.#random;
    const { levels, tickUnits } = this.spread;
    const crosses = kind === 'ioc' || random.chance(this.#state.orders.size > this.resting ? 0.5 : 0.1);
    const away = random.int(0, levels - 1);
    const ticks = crosses ? -random.int(0, Math.max(2, Math.floor(levels / 5))) : away + 1;
    const price = MIDDLE + (isBid ? -ticks : ticks) * tickUnits;
    return Math.min(9_900, Math.max(100, price));
  }

  #cancel(): Step {
    for (;;) {
      const index = this.#random.int(0, this.#live.length - 1);
      const picked = this.#live[index];
      const last = this.#live.pop();
      if (picked === undefined || last === undefined) throw new Error('nothing rests');
      if (picked !== last) this.#live[index] = last;
      if (!this.#state.orders.has(picked.id)) continue;
      const { at, by, causationId, correlationId, id } = this.#base(key(picked.owner));
      const orderId = picked.id;
      const command: CommandOf<'CancelOrder'> = {
        at,
        by,
        causationId,
        correlationId,
        id,
        idempotency: null,
        orderId,
        type: 'CancelOrder',
      };
      return { command, kind: 'cancel', orderId, isBid: false, yesPriceUnits: 0, quantity: 0, fills: '' };
    }
  }

  #open(): void {
    this.#set({ ...startEpoch({ startingBalanceUnits: 100_000_000_000 }), ...this.#base(SYSTEM) });
    for (const [owner, { accountId, keyId }] of KEYS.entries()) {
      const nameDigest = owner.toString(16).padStart(64, '0');
      const base = this.#base(OPERATOR);
      const keyHash = this.#random.hex(64);
      this.#set(openAccount(accountId, { ...base, keyHash, keyId, nameDigest, permissions: ['trade'] }));
    }
    const { tickUnits } = this.spread;
    this.#set(listMarket(MARKET_ID, { ...this.#base(OPERATOR), closesAt: START_AT * 2, tickUnits }));
    // Even owners get YES and odd ones NO, by minting pairs between two owners.
    for (let owner = 0; owner < OWNERS; owner++) {
      for (let shares = 0; shares < SHARES / 500 / 100; shares++) {
        this.#set(this.#place(owner, 'limit', owner % 2 === 0 ? 'yes' : 'no', 'buy', 5_000, null, 50_000_000));
      }
    }
  }

  #set(command: Command): void {
    if (run(this.#state, command) === null) throw new Error(`the set-up's ${command.type} was refused`);
    this.#setup.push(command);
  }
}

/** The callers. All commands of a caller share one object, as in the service. */
const KEYS = Array.from({ length: OWNERS }, (_, owner) => ({
  kind: 'key' as const,
  accountId: `account-${owner}`,
  keyId: `key-${owner}`,
}));

function key(owner: number): CommandBase['by'] {
  return KEYS[owner] as CommandBase['by'];
}
