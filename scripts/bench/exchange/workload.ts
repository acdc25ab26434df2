import {
  createState,
  decide,
  DEFAULT_SETTINGS,
  evolve,
  type Command,
  type CommandBase,
  type ExchangeEvent,
  type PlaceOrder,
  type State,
} from '@paper/exchange';
import { createRandom, type Random } from '@paper/testkit/random';

/** One step of the workload, ready for every contestant: the exchange's command, and what a plain book needs of it. */
export interface Step {
  readonly command: Command;
  readonly kind: 'limit' | 'ioc' | 'market' | 'cancel';
  /** Of the order placed or cancelled. */
  readonly orderId: string;
  /** In YES terms. */
  readonly isBid: boolean;
  readonly yesPriceUnits: number;
  readonly quantity: number;
  /** What it must fill: maker's id and quantity of each fill in turn, joined. */
  readonly fills: string;
}

export interface BenchWorkload {
  /** Accounts, keys, the market, and shares to sell. */
  readonly setup: readonly Command[];
  /** Orders until `resting` of them rest. */
  readonly fill: readonly Step[];
  /** What is timed: 60 % limit, 30 % cancel, 10 % market or IOC. */
  readonly timed: readonly Step[];
}

const MARKET_ID = 'bench';
const TICK_UNITS = 10;
const OWNERS = 200;
/** Each owner begins with this many shares of one outcome, so that asks can be sales as well as buys of NO. */
const SHARES = 200_000;
const START_AT = 1_760_000_000_000;

/** The fills of a decision as one text, to compare contestants by. */
export function fillsOf(events: readonly ExchangeEvent[]): string {
  let text = '';
  for (const event of events) {
    if (event.type === 'OrderFilled') text += `${event.makerOrderId}:${event.quantity};`;
  }
  return text;
}

/** Gives a command to the exchange, and its events to the state; the events, or null when it was refused. */
export function run(state: State, command: Command): readonly ExchangeEvent[] | null {
  const decision = decide(state, command);
  if (decision.kind !== 'accepted') return null;
  let first: Command | null = command;
  for (const event of decision.events) {
    evolve(state, event, first);
    first = null;
  }
  return decision.events;
}

/** A seeded workload that holds about `resting` orders in the book while its `count` timed steps run. */
export function createBenchWorkload(seed: number, resting: number, count: number): BenchWorkload {
  return new Maker(seed, resting).make(count);
}

class Maker {
  readonly #random: Random;
  readonly #state = createState();
  readonly #setup: Command[] = [];
  readonly #live: { readonly id: string; readonly owner: number }[] = [];
  #at = START_AT;

  constructor(
    seed: number,
    readonly resting: number,
  ) {
    this.#random = createRandom(seed);
  }

  make(count: number): BenchWorkload {
    this.#open();
    const fill: Step[] = [];
    while (this.#state.orders.size < this.resting) this.#push(fill, () => this.#order('limit'));
    const timed: Step[] = [];
    while (timed.length < count) {
      const draw = this.#random.int(1, 100);
      if (draw <= 60) this.#push(timed, () => this.#order('limit'));
      else if (draw <= 90) this.#push(timed, () => this.#cancel());
      else if (draw <= 95) this.#push(timed, () => this.#order('market'));
      else this.#push(timed, () => this.#order('ioc'));
    }
    return { setup: this.#setup, fill, timed };
  }

  /** Tries until one is accepted whose fills a plain book would make too (no self-trade). */
  #push(steps: Step[], draw: () => Step): void {
    for (;;) {
      const step = draw();
      const decision = decide(this.#state, step.command);
      if (decision.kind !== 'accepted') continue;
      const last = decision.events.at(-1);
      if (last?.type === 'OrderCancelled' && (last.reason === 'self_trade' || last.reason === 'fill_limit')) continue;
      run(this.#state, step.command);
      steps.push({ ...step, fills: fillsOf(decision.events) });
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
    const command: PlaceOrder = {
      ...this.#base(key(random.int(0, OWNERS - 1))),
      type: 'PlaceOrder',
      marketId: MARKET_ID,
      maxPriceUnits: null,
      notionalUnits: null,
      offTick: false,
      orderId: random.uuid(this.#at),
      orderType: kind === 'market' ? 'market' : 'limit',
      // Half of all are native, half complementary: a bid buys YES or sells NO, an ask sells YES or buys NO.
      ...(random.chance(0.5)
        ? ({ outcome: isBid ? 'yes' : 'no', side: 'buy' } as const)
        : ({ outcome: isBid ? 'no' : 'yes', side: 'sell' } as const)),
      priceUnits: null,
      quantity: random.int(1, 60),
      slippageUnits: null,
      timeInForce: kind === 'ioc' ? 'IOC' : 'GTC',
    };
    const yesPriceUnits = kind === 'market' ? (isBid ? 9_900 : 100) : this.#price(isBid, kind);
    const native = command.outcome === 'yes' ? yesPriceUnits : 10_000 - yesPriceUnits;
    const priced = kind === 'market' ? command : { ...command, priceUnits: native };
    this.#live.push({ id: command.orderId, owner: Number(command.by.kind === 'key' ? command.by.keyId.slice(4) : 0) });
    return {
      command: priced,
      kind,
      orderId: command.orderId,
      isBid,
      yesPriceUnits,
      quantity: command.quantity ?? 0,
      fills: '',
    };
  }

  /** Around the middle, denser towards it; when more rest than should, more of them cross. */
  #price(isBid: boolean, kind: 'limit' | 'ioc'): number {
    const random = this.#random;
    const crosses = kind === 'ioc' || random.chance(this.#state.orders.size > this.resting ? 0.5 : 0.1);
    const away = Math.min(random.int(0, 400), random.int(0, 400), 400);
    const ticks = crosses ? -random.int(0, 5) : away + 1;
    const price = 5_000 + (isBid ? -ticks : ticks) * TICK_UNITS;
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
      return {
        command: { ...this.#base(key(picked.owner)), type: 'CancelOrder', orderId: picked.id },
        kind: 'cancel',
        orderId: picked.id,
        isBid: false,
        yesPriceUnits: 0,
        quantity: 0,
        fills: '',
      };
    }
  }

  #open(): void {
    const operator = { kind: 'operator', name: 'bench' } as const;
    this.#set({
      ...this.#base({ kind: 'system' }),
      type: 'StartWriterEpoch',
      build: 'bench',
      rulesVersion: 1,
      settings: { ...DEFAULT_SETTINGS, startingBalanceUnits: 100_000_000_000 },
      writerId: 'bench',
    });
    for (let owner = 0; owner < OWNERS; owner++) {
      this.#set({
        ...this.#base(operator),
        type: 'OpenAccount',
        accountId: `account-${owner}`,
        displayName: `account ${owner}`,
        keyHash: this.#random.hex(64),
        keyId: `key-${owner}`,
        last4: 'abcd',
        permissions: ['trade'],
        startingBalanceUnits: null,
      });
    }
    this.#set({
      ...this.#base(operator),
      type: 'ListMarket',
      bodyHash: 'bench',
      category: 'bench',
      citationUrl: null,
      closesAt: START_AT * 2,
      companyImpact: 0,
      companySlug: 'bench',
      description: null,
      drivers: [],
      marketId: MARKET_ID,
      phase: 'active',
      priorUnits: 5_000,
      sector: 'bench',
      settlementSource: 'bench',
      tickUnits: TICK_UNITS,
      ticker: 'BENCH',
      title: 'bench',
    });
    for (let owner = 0; owner < OWNERS; owner++) this.#giveShares(owner);
  }

  /** Even owners get YES, odd ones NO, by minting pairs of each two. */
  #giveShares(owner: number): void {
    for (let shares = 0; shares < SHARES / 500 / 100; shares++) {
      this.#set({
        ...this.#base(key(owner)),
        type: 'PlaceOrder',
        marketId: MARKET_ID,
        maxPriceUnits: null,
        notionalUnits: 50_000_000,
        offTick: false,
        orderId: this.#random.uuid(this.#at),
        orderType: 'limit',
        outcome: owner % 2 === 0 ? 'yes' : 'no',
        priceUnits: 5_000,
        quantity: null,
        side: 'buy',
        slippageUnits: null,
        timeInForce: 'GTC',
      });
    }
  }

  #set(command: Command): void {
    if (run(this.#state, command) === null) throw new Error(`the set-up's ${command.type} was refused`);
    this.#setup.push(command);
  }
}

function key(owner: number): CommandBase['by'] {
  return { kind: 'key', accountId: `account-${owner}`, keyId: `key-${owner}` };
}
