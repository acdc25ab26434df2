import type { MarketNameView } from '@paper/contracts/markets';
import type { FillView, OrderView } from '@paper/contracts/orders';
import { amendAnswer, createState, decide, evolve, orderAnswer } from '@paper/exchange';
import type { Decision, OrderAnswer } from '@paper/exchange';
import { PLAIN_ORDER } from '@paper/exchange/commands';
import type { Command } from '@paper/exchange/commands';
import type { ExchangeEvent } from '@paper/exchange/events';
import { createRandom } from '@paper/testkit';
import type { Random } from '@paper/testkit';
import type { Holding, Quote } from '../src/quotes.ts';

const OPERATOR: Command['by'] = { kind: 'operator', name: 'test' };
const SYSTEM: Command['by'] = { kind: 'system' };

type Ids = 'at' | 'by' | 'causationId' | 'correlationId' | 'id' | 'idempotency';
type Asked = Command extends infer C ? (C extends Command ? Omit<C, Ids> : never) : never;

export interface Placed extends Quote {
  readonly marketId: string;
  readonly orderType?: 'limit' | 'market';
  readonly postOnly?: boolean;
}

/** An order as it now is. */
interface KeptOrder extends OrderView {
  filledQty: number;
  status: OrderView['status'];
}

/** One account's side of a trade; the market's name is looked up where it is shown. */
export type WorldFill = Omit<FillView, keyof MarketNameView>;

/** The real exchange, in memory and with a simulated clock, called as an account would call the API. */
export class World {
  readonly state = createState();
  readonly random: Random;
  nowMs = Date.UTC(2026, 10, 21);
  /** Called with each accepted command and its events. */
  onDecision: (command: Command, events: readonly ExchangeEvent[]) => void = () => undefined;
  readonly #orders = new Map<string, KeptOrder>();
  readonly #ordersOf = new Map<string, OrderView[]>();
  readonly #open = new Map<string, OrderView>();
  readonly #fills = new Map<string, WorldFill[]>();

  constructor(seed: number) {
    this.random = createRandom(seed);
  }

  list(marketId: string, priorUnits: number, tickUnits = 100, closesAt = Date.UTC(2099, 0, 1)): void {
    this.#operate({
      type: 'ListMarket',
      bodyHash: marketId,
      category: 'test',
      citationUrl: null,
      closesAt,
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

  /** Closes the markets whose time has come, as the service does. */
  closeDue(): void {
    for (const [marketId, { closesAt, phase }] of this.state.markets) {
      if (phase !== 'active' || closesAt > this.nowMs) continue;
      this.#run({ type: 'CloseMarket', marketId }, SYSTEM);
      this.#finishRun(marketId);
    }
  }

  resolve(marketId: string, outcome: 'yes' | 'no'): Decision {
    const command = {
      type: 'ResolveMarket',
      citationUrl: null,
      headline: null,
      marketId,
      outcome,
      source: null,
    } as const;
    const decision = this.#run(command, OPERATOR);
    if (decision.kind === 'accepted') this.#finishRun(marketId);
    return decision;
  }

  recordSignal(signal: Omit<Extract<Asked, { type: 'RecordSignal' }>, 'type'>): Decision {
    return this.#run({ type: 'RecordSignal', ...signal }, OPERATOR);
  }

  #finishRun(marketId: string): void {
    while (this.state.runs.has(marketId)) this.#run({ type: 'ContinueRun', marketId }, SYSTEM);
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
  place(accountId: string, order: Placed): OrderAnswer | null {
    const decision = this.#ask(accountId, {
      ...PLAIN_ORDER,
      type: 'PlaceOrder',
      accountId: null,
      marketId: order.marketId,
      maxPriceUnits: null,
      notionalUnits: null,
      offTick: false,
      orderId: this.random.uuid(this.nowMs),
      orderType: order.orderType ?? 'limit',
      outcome: order.outcome,
      postOnly: order.postOnly ?? false,
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

  /** The order as answered; null when the amendment was refused. `quantity` is the new total. */
  amend(
    accountId: string,
    orderId: string,
    { priceUnits = null, quantity = null }: { readonly priceUnits?: number | null; readonly quantity?: number | null },
  ): OrderView | null {
    const decision = this.#ask(accountId, { type: 'AmendOrder', offTick: false, orderId, priceUnits, quantity });
    if (decision.kind === 'unchanged') return this.#open.get(orderId) ?? null;
    return decision.kind === 'accepted' ? amendAnswer(decision.events) : null;
  }

  /** Cancels the account's open orders, in one market or (null) in all; gives their ids. */
  cancelMany(accountId: string, marketId: string | null): readonly string[] {
    const ids: string[] = [];
    for (;;) {
      const decision = this.#ask(accountId, { type: 'CancelOrders', accountId, marketId, outcome: null, side: null });
      if (decision.kind !== 'accepted') return ids;
      ids.push(...decision.events.flatMap((event) => (event.type === 'OrderCancelled' ? [event.orderId] : [])));
    }
  }

  /** Every order of the account, as it now is. */
  orders(accountId: string): OrderView[] {
    return [...(this.#ordersOf.get(accountId) ?? [])];
  }

  resting(accountId: string): OrderView[] {
    return [...this.#open.values()].filter((order) => order.accountId === accountId);
  }

  /** The newest orders, resting or not. */
  newestOrders(accountId: string, count: number): readonly OrderView[] {
    return (this.#ordersOf.get(accountId) ?? []).slice(-count).reverse();
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

  #change(event: Extract<ExchangeEvent, { type: 'OrderAmended' | 'OrderReplaced' }>): void {
    const order = this.#orders.get(event.orderId);
    if (order === undefined) throw new Error(`the changed order ${event.orderId} was never placed`);
    Object.assign(order, amendAnswer([event]));
    if (order.status === 'filled') this.#open.delete(event.orderId);
  }

  #operate(command: Asked): void {
    const decision = this.#run(command, OPERATOR);
    if (decision.kind !== 'accepted') throw new Error(JSON.stringify(decision));
  }

  #ask(accountId: string, command: Asked): Decision {
    return this.#run(command, { kind: 'key', accountId, keyId: `key-${accountId}` });
  }

  #run(asked: Asked, by: Command['by']): Decision {
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
    this.onDecision(command, decision.events);
    for (const [index, event] of decision.events.entries()) {
      evolve(this.state, event, index === 0 ? command : null);
      if (event.type === 'OrderFilled') {
        this.#recordFill(event);
        const maker = this.#orders.get(event.makerOrderId);
        if (maker !== undefined) {
          maker.filledQty += event.quantity;
          maker.status = event.makerRemaining === 0 ? 'filled' : 'partial';
          if (event.makerRemaining === 0) this.#open.delete(event.makerOrderId);
        }
      } else if (event.type === 'OrderAmended' || event.type === 'OrderReplaced') {
        this.#change(event);
      } else if (event.type === 'OrderCancelled') {
        const order = this.#orders.get(event.orderId);
        if (order !== undefined) order.status = 'cancelled';
        this.#open.delete(event.orderId);
      }
    }
    if (decision.events[0]?.type === 'OrderPlaced') {
      const order = { ...orderAnswer(decision.events) };
      this.#orders.set(order.orderId, order);
      this.#ordersOf.set(order.accountId, this.#ordersOf.get(order.accountId) ?? []);
      this.#ordersOf.get(order.accountId)?.push(order);
      if (order.status === 'open' || order.status === 'partial') this.#open.set(order.orderId, order);
    }
    return decision;
  }
}
