import { createState, decide, evolve, orderAnswer } from '@paper/exchange';
import type { Command, ExchangeEvent, OrderView } from '@paper/exchange';
import type { FillView } from '@paper/contracts';
import { createRandom } from '@paper/testkit';
import type { Random } from '@paper/testkit';
import type { Holding, Quote } from '../src/quotes.ts';

type Ids = 'at' | 'by' | 'causationId' | 'correlationId' | 'id' | 'idempotency';
type Asked = Command extends infer C ? (C extends Command ? Omit<C, Ids> : never) : never;

export interface Placed extends Quote {
  readonly marketId: string;
  readonly orderType?: 'limit' | 'market';
}

/** One account's side of a trade; the market's name is looked up where it is shown. */
export type WorldFill = Omit<FillView, 'market'>;

/** The real exchange, in memory and with a simulated clock, called as an account would call the API. */
export class World {
  readonly state = createState();
  readonly random: Random;
  nowMs = Date.UTC(2026, 10, 21);
  readonly #orders = new Map<string, OrderView & { filledQty: number; status: OrderView['status'] }>();

  readonly #fills = new Map<string, WorldFill[]>();

  constructor(seed: number) {
    this.random = createRandom(seed);
  }

  list(marketId: string, priorUnits: number, tickUnits = 100): void {
    this.#operate({
      type: 'ListMarket',
      bodyHash: marketId,
      category: 'test',
      citationUrl: null,
      closesAt: Date.UTC(2099, 0, 1),
      companyImpact: 0,
      companySlug: 'test',
      description: null,
      drivers: [],
      marketId,
      phase: 'active',
      priorUnits,
      sector: 'test',
      settlementSource: 'tests',
      tickUnits,
      ticker: 'TEST',
      title: marketId,
    });
  }

  pause(marketId: string): void {
    this.#operate({ type: 'PauseMarket', marketId });
  }

  open(accountId: string, dollars = 1_000_000): void {
    this.#operate({
      type: 'OpenAccount',
      accountId,
      nameDigest: 'd1'.repeat(32),
      keyHash: `hash-${accountId}`,
      keyId: `key-${accountId}`,
      last4: '0000',
      permissions: ['view', 'trade'],
      startingBalanceUnits: dollars * 10_000,
    });
  }

  /** The order as answered; null when it was refused. */
  place(accountId: string, order: Placed): OrderView | null {
    const decision = this.#ask(accountId, {
      type: 'PlaceOrder',
      marketId: order.marketId,
      maxPriceUnits: null,
      notionalUnits: null,
      offTick: false,
      orderId: this.random.uuid(this.nowMs),
      orderType: order.orderType ?? 'limit',
      outcome: order.outcome,
      priceUnits: order.priceUnits,
      quantity: order.quantity,
      side: order.side,
      slippageUnits: null,
      timeInForce: 'GTC',
    });
    return decision.kind === 'accepted' ? orderAnswer(decision.events) : null;
  }

  cancel(accountId: string, orderId: string): void {
    this.#ask(accountId, { type: 'CancelOrder', orderId });
  }

  /** Every order of the account, as it now is. */
  orders(accountId: string): OrderView[] {
    return [...this.#orders.values()].filter((order) => order.accountId === accountId);
  }

  resting(accountId: string): OrderView[] {
    return this.orders(accountId).filter(({ status }) => status === 'open' || status === 'partial');
  }

  /** The account's sides of its trades, oldest first. */
  fills(accountId: string): readonly WorldFill[] {
    return this.#fills.get(accountId) ?? [];
  }

  held(accountId: string, marketId: string): Holding {
    const position = this.state.markets.get(marketId)?.positions.find(({ account }) => account.id === accountId);
    return { yes: position?.yes ?? 0, no: position?.no ?? 0 };
  }

  cashUnits(accountId: string): number {
    return this.state.accounts.get(accountId)?.cashUnits ?? NaN;
  }

  #recordFill(event: Extract<ExchangeEvent, { type: 'OrderFilled' }>): void {
    const { at, kind, marketId, quantity, yesPriceUnits } = event;
    const { seq } = this.state;
    for (const role of ['maker', 'taker'] as const) {
      const outcome = event[`${role}Outcome`];
      const accountId = event[`${role}AccountId`];
      const fills = this.#fills.get(accountId) ?? [];
      this.#fills.set(accountId, fills);
      fills.push({
        accountId,
        createdAt: at,
        id: String(seq),
        kind,
        marketId,
        orderId: event[`${role}OrderId`],
        outcome,
        priceUnits: outcome === 'yes' ? yesPriceUnits : 10_000 - yesPriceUnits,
        quantity,
        role,
        seq,
        side: event[`${role}Side`],
      });
    }
  }

  #operate(command: Asked): void {
    const decision = this.#run(command, { kind: 'operator', name: 'test' });
    if (decision.kind !== 'accepted') throw new Error(JSON.stringify(decision));
  }

  #ask(accountId: string, command: Asked) {
    return this.#run(command, { kind: 'key', accountId, keyId: `key-${accountId}` });
  }

  #run(asked: Asked, by: Command['by']) {
    const id = this.random.uuid(this.nowMs);
    const command = {
      ...asked,
      at: this.nowMs,
      by,
      causationId: id,
      correlationId: id,
      id,
      idempotency: null,
    } as Command;
    const decision = decide(this.state, command);
    if (decision.kind !== 'accepted') return decision;
    for (const [index, event] of decision.events.entries()) {
      evolve(this.state, event, index === 0 ? command : null);
      if (event.type === 'OrderFilled') {
        this.#recordFill(event);
        const maker = this.#orders.get(event.makerOrderId);
        if (maker !== undefined) {
          maker.filledQty += event.quantity;
          maker.status = event.makerRemaining === 0 ? 'filled' : 'partial';
        }
      } else if (event.type === 'OrderCancelled') {
        const order = this.#orders.get(event.orderId);
        if (order !== undefined) order.status = 'cancelled';
      }
    }
    if (decision.events[0]?.type === 'OrderPlaced') {
      const order = orderAnswer(decision.events);
      this.#orders.set(order.orderId, { ...order });
    }
    return decision;
  }
}
