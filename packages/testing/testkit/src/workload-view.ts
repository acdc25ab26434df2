import type { DueTimer } from '@paper/exchange';
import type { CommandBase } from '@paper/exchange/commands';
import type { ExchangeEvent } from '@paper/exchange/events';
import { inOwnTerms, OUTCOMES } from '@paper/exchange/vocabulary';
import type { Outcome, Permission, Side } from '@paper/exchange/vocabulary';

/** A decision as the workload reads it, of the exchange or of the auditor. */
export interface ObservedDecision {
  readonly kind: string;
  readonly events?: readonly ExchangeEvent[];
  readonly code?: string;
}

export interface KnownAccount {
  readonly id: string;
  readonly primary: string | null;
  approved: boolean;
  closed: boolean;
  /** Whether the closing of the account is not completed, so that ContinueClosing is due. */
  closing: boolean;
  forgotten: boolean;
}

export interface KnownKey {
  readonly accountId: string;
  readonly keyId: string;
  readonly permissions: readonly Permission[];
  live: boolean;
}

export interface KnownMarket {
  readonly id: string;
  readonly tick: number;
  readonly prior: number;
  readonly bodyHash: string;
  phase: string;
  closesAt: number;
  hasClosingTime: boolean;
  /** Whether the market's run is not completed, so that ContinueRun is due. */
  running: boolean;
  /** Whether a timer closes the market at closesAt. */
  armed: boolean;
}

export interface KnownOrder {
  readonly id: string;
  readonly marketId: string;
  readonly accountId: string;
  readonly side: Side;
  readonly outcome: Outcome;
  readonly clientOrderId: string | null;
  priceUnits: number;
  /** The total quantity, filled shares included. */
  quantity: number;
  remaining: number;
}

export interface KnownClientOrderId {
  readonly accountId: string;
  readonly clientOrderId: string;
}

type AccountEventType =
  | 'AccountOpened'
  | 'SubAccountOpened'
  | 'AccountApproved'
  | 'AccountClosed'
  | 'DisplayNameForgotten'
  | 'ApiKeyIssued'
  | 'ApiKeyRevoked';
type OrderEventType = 'OrderPlaced' | 'OrderAmended' | 'OrderReplaced' | 'OrderFilled' | 'OrderCancelled';
type PositionEventType = 'SharesMerged' | 'PositionSettled';
type OtherEventType = 'SignalRecorded' | 'WriterEpochStarted' | 'DeadManSwitchSet' | 'MandateSet' | 'AccountRenamed';
type MarketEventType = Exclude<
  ExchangeEvent['type'],
  AccountEventType | OrderEventType | PositionEventType | OtherEventType
>;

type EventOf<T extends ExchangeEvent['type']> = Extract<ExchangeEvent, { readonly type: T }>;

/** The most clientOrderIds that the workload keeps for later use. */
const CLIENT_ORDER_IDS_MAX = 40;

/** What clients can derive from events alone, to address commands. An error in it only makes more commands fail. */
export class WorkloadView {
  readonly accounts: KnownAccount[] = [];
  readonly keys: KnownKey[] = [];
  readonly markets: KnownMarket[] = [];
  readonly orders = new Map<string, KnownOrder>();
  readonly endedOrders: string[] = [];
  readonly clientOrderIds: KnownClientOrderId[] = [];
  /** The expiry times of resting orders, by order id. */
  readonly #expiries = new Map<string, number>();
  /** The times of armed dead-man switches, by account id. The switch that was armed last is at the end. */
  readonly #switches = new Map<string, number>();
  #lastAt = 0;
  /** The shares held, by `market account outcome`. */
  readonly shares = new Map<string, number>();

  market(id: string): KnownMarket | undefined {
    return this.markets.find((market) => market.id === id);
  }

  held(marketId: string, accountId: string, outcome: Outcome): number {
    return this.shares.get(`${marketId} ${accountId} ${outcome}`) ?? 0;
  }

  best(marketId: string): { bid: number | null; ask: number | null } {
    let bid: number | null = null;
    let ask: number | null = null;
    for (const order of this.orders.values()) {
      if (order.marketId !== marketId) continue;
      const price = inOwnTerms(order.outcome, order.priceUnits);
      if ((order.side === 'buy') === (order.outcome === 'yes')) bid = Math.max(bid ?? price, price);
      else ask = Math.min(ask ?? price, price);
    }
    return { bid, ask };
  }

  timers(): readonly number[] {
    const closings = this.markets.flatMap(({ armed, closesAt }) => (armed ? [closesAt] : []));
    return [...closings, ...this.#expiries.values(), ...this.#switches.values()];
  }

  /** As the exchange's dueTimer: the timer that is due first when a command is decided at `clock`. */
  dueTimer(clock: number): DueTimer | null {
    const at = Math.max(clock, this.#lastAt);
    let first: { readonly dueAt: number; readonly timer: DueTimer } | null = null;
    const consider = (dueAt: number, timer: () => DueTimer): void => {
      if (dueAt <= at && (first === null || dueAt < first.dueAt)) first = { dueAt, timer: timer() };
    };
    for (const { armed, closesAt, id } of this.markets) {
      if (armed) consider(closesAt, () => ({ marketId: id, type: 'CloseMarket' }));
    }
    for (const expiresAt of this.#expiries.values()) consider(expiresAt, () => ({ type: 'ExpireOrders' }));
    for (const [accountId, cancelsAt] of this.#switches) {
      consider(cancelsAt, () => ({ accountId, type: 'FireDeadManSwitch' }));
    }
    return (first as { readonly timer: DueTimer } | null)?.timer ?? null;
  }

  /** Disarms a timer that had no effect when it was due, or that was not sent. Otherwise it would stay due for ever. */
  disarm(timer: DueTimer, clock: number): void {
    switch (timer.type) {
      case 'CloseMarket':
        this.#change(timer.marketId, (market) => (market.armed = false));
        break;
      case 'ExpireOrders':
        for (const [orderId, expiresAt] of this.#expiries) {
          if (expiresAt <= Math.max(clock, this.#lastAt)) this.#expiries.delete(orderId);
        }
        break;
      case 'FireDeadManSwitch':
        this.#switches.delete(timer.accountId);
        break;
    }
  }

  apply(command: CommandBase & { readonly type: string }, decision: ObservedDecision): void {
    // A replay has the events of the first decision, which were applied then.
    if (decision.kind === 'accepted') for (const event of decision.events ?? []) this.#applyEvent(event);
    if (command.type === 'ContinueRun' && decision.kind !== 'accepted') {
      const marketId = (command as unknown as { marketId: string }).marketId;
      const market = this.market(marketId);
      if (market) market.running = false;
    }
    if (command.type === 'ContinueClosing' && decision.kind !== 'accepted') {
      const { accountId } = command as unknown as { accountId: string };
      this.#changeAccount(accountId, (account) => (account.closing = false));
    }
  }

  #applyEvent(event: ExchangeEvent): void {
    this.#lastAt = event.at;
    switch (event.type) {
      case 'AccountOpened':
      case 'SubAccountOpened':
      case 'AccountApproved':
      case 'AccountClosed':
      case 'DisplayNameForgotten':
      case 'ApiKeyIssued':
      case 'ApiKeyRevoked':
        this.#applyToAccounts(event);
        break;
      case 'OrderPlaced':
      case 'OrderAmended':
      case 'OrderReplaced':
      case 'OrderFilled':
      case 'OrderCancelled':
        this.#applyToOrders(event);
        break;
      case 'SharesMerged':
        for (const outcome of OUTCOMES) {
          this.#move(event.marketId, event.accountId, outcome, 'sell', event.quantity);
        }
        break;
      case 'PositionSettled':
        this.shares.delete(`${event.marketId} ${event.accountId} ${event.outcome}`);
        break;
      case 'DeadManSwitchSet':
        this.#switches.delete(event.accountId);
        if (event.cancelsAt !== null) this.#switches.set(event.accountId, event.cancelsAt);
        break;
      case 'AccountRenamed':
      case 'MandateSet':
      case 'SignalRecorded':
      case 'WriterEpochStarted':
        break;
      default:
        this.#applyToMarkets(event);
    }
  }

  #applyToAccounts(event: EventOf<AccountEventType>): void {
    switch (event.type) {
      case 'AccountOpened':
        this.#open(event.accountId, null);
        break;
      case 'SubAccountOpened':
        this.#open(event.accountId, event.primaryAccountId);
        break;
      case 'AccountApproved':
        this.#changeAccount(event.accountId, (account) => (account.approved = true));
        break;
      case 'AccountClosed':
        this.#changeAccount(event.accountId, (account) => {
          account.closed = true;
          account.closing = !this.#isClosed(account.primary);
        });
        break;
      case 'DisplayNameForgotten':
        this.#changeAccount(event.accountId, (account) => (account.forgotten = true));
        break;
      case 'ApiKeyIssued':
        this.keys.push({
          accountId: event.accountId,
          keyId: event.keyId,
          permissions: event.permissions,
          live: true,
        });
        break;
      case 'ApiKeyRevoked':
        for (const key of this.keys) if (key.keyId === event.keyId) key.live = false;
        break;
    }
  }

  #open(id: string, primary: string | null): void {
    this.accounts.push({ id, primary, approved: false, closed: false, closing: false, forgotten: false });
  }

  #isClosed(id: string | null): boolean {
    return this.accounts.some((account) => account.id === id && account.closed);
  }

  #changeAccount(id: string, change: (account: KnownAccount) => void): void {
    for (const account of this.accounts) if (account.id === id) change(account);
  }

  #applyToMarkets(event: EventOf<MarketEventType>): void {
    switch (event.type) {
      case 'MarketListed':
        this.markets.push({
          id: event.marketId,
          tick: event.tickUnits,
          prior: event.priorUnits,
          bodyHash: event.bodyHash,
          phase: event.phase,
          closesAt: event.closesAt,
          hasClosingTime: event.phase === 'closed' || event.closesAt > event.at,
          running: false,
          armed: event.phase === 'active' && event.closesAt > event.at,
        });
        break;
      case 'MarketAmended':
        this.#change(event.marketId, (market) => {
          if (market.closesAt === event.closesAt) return;
          market.hasClosingTime = true;
          market.closesAt = event.closesAt;
          market.armed = market.phase === 'active' && market.closesAt > event.at;
        });
        break;
      case 'MarketActivated':
        this.#change(event.marketId, (market) => {
          market.phase = 'active';
          market.armed = market.closesAt > event.at;
        });
        break;
      case 'MarketPaused':
        this.#change(event.marketId, (market) => {
          market.phase = 'paused';
          market.armed = false;
        });
        break;
      case 'MarketClosed':
      case 'MarketResolved':
      case 'MarketVoided':
        this.#change(event.marketId, (market) => {
          market.phase = event.type === 'MarketClosed' ? 'closed' : 'settling';
          market.running = true;
          market.armed = false;
        });
        break;
      case 'MarketSettled':
        this.#change(event.marketId, (market) => {
          market.phase = 'settled';
          market.running = false;
        });
        break;
    }
  }

  #applyToOrders(event: EventOf<OrderEventType>): void {
    switch (event.type) {
      case 'OrderPlaced':
        this.#placed(event);
        break;
      case 'OrderAmended': {
        const order = this.orders.get(event.orderId);
        if (order) {
          order.quantity = event.quantity;
          order.remaining = event.remaining;
        }
        break;
      }
      case 'OrderReplaced': {
        const order = this.orders.get(event.orderId);
        if (order) {
          order.priceUnits = event.priceUnits;
          order.quantity = event.quantity;
          order.remaining = event.restQuantity;
        }
        if (event.restQuantity === 0) this.#end(event.orderId);
        break;
      }
      case 'OrderFilled': {
        const maker = this.orders.get(event.makerOrderId);
        if (maker) maker.remaining = event.makerRemaining;
        if (event.makerRemaining === 0) this.#end(event.makerOrderId);
        this.#move(event.marketId, event.makerAccountId, event.makerOutcome, event.makerSide, event.quantity);
        this.#move(event.marketId, event.takerAccountId, event.takerOutcome, event.takerSide, event.quantity);
        break;
      }
      case 'OrderCancelled':
        if (event.resting) this.#end(event.orderId);
        break;
    }
  }

  #placed(event: EventOf<'OrderPlaced'>): void {
    const { accountId, clientOrderId, expiresAt, orderId } = event;
    if (clientOrderId !== null) {
      this.clientOrderIds.push({ accountId, clientOrderId });
      if (this.clientOrderIds.length > CLIENT_ORDER_IDS_MAX) this.clientOrderIds.shift();
    }
    if (event.restQuantity === 0) {
      this.endedOrders.push(orderId);
      return;
    }
    if (expiresAt !== null) this.#expiries.set(orderId, expiresAt);
    this.orders.set(orderId, {
      id: orderId,
      marketId: event.marketId,
      accountId,
      side: event.side,
      outcome: event.outcome,
      clientOrderId,
      priceUnits: event.priceUnits,
      quantity: event.quantity,
      remaining: event.restQuantity,
    });
  }

  #change(marketId: string, change: (market: KnownMarket) => void): void {
    const market = this.market(marketId);
    if (market) change(market);
  }

  #end(orderId: string): void {
    this.orders.delete(orderId);
    this.#expiries.delete(orderId);
    this.endedOrders.push(orderId);
  }

  #move(marketId: string, accountId: string, outcome: Outcome, side: Side, quantity: number): void {
    const key = `${marketId} ${accountId} ${outcome}`;
    this.shares.set(key, (this.shares.get(key) ?? 0) + (side === 'buy' ? quantity : -quantity));
  }
}
