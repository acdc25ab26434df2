import type { CommandBase, ExchangeEvent, Outcome, Permission, Side } from '@paper/exchange';

/** The result of a decision as the workload reads it; the exchange's and the auditor's both have this shape. */
export interface ObservedDecision {
  readonly kind: string;
  readonly events?: readonly ExchangeEvent[];
  readonly code?: string;
}

export interface KnownAccount {
  readonly id: string;
  readonly primary: string | null;
  approved: boolean;
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
  /** Whether the market's run is not over: ContinueRun is due. */
  running: boolean;
}

export interface KnownOrder {
  readonly id: string;
  readonly marketId: string;
  readonly accountId: string;
  readonly side: Side;
  readonly outcome: Outcome;
  readonly priceUnits: number;
  remaining: number;
}

/** An outcome's price in YES terms, or back: the formula is the same both ways. */
export const inYesTerms = (outcome: Outcome, priceUnits: number): number =>
  outcome === 'yes' ? priceUnits : 10_000 - priceUnits;

type AccountEventType = 'AccountOpened' | 'SubAccountOpened' | 'AccountApproved' | 'ApiKeyIssued' | 'ApiKeyRevoked';
type OrderEventType = 'OrderPlaced' | 'OrderFilled' | 'OrderCancelled' | 'PositionSettled';
type OtherEventType = 'SignalRecorded' | 'WriterEpochStarted';
type MarketEventType = Exclude<ExchangeEvent['type'], AccountEventType | OrderEventType | OtherEventType>;
type EventOf<T extends ExchangeEvent['type']> = Extract<ExchangeEvent, { readonly type: T }>;

/**
 * What clients can derive of the exchange from the events alone, to aim commands at existing orders and markets. A
 * wrong view only makes commands less well aimed.
 */
export class WorkloadView {
  readonly accounts: KnownAccount[] = [];
  readonly keys: KnownKey[] = [];
  readonly markets: KnownMarket[] = [];
  readonly orders = new Map<string, KnownOrder>();
  readonly endedOrders: string[] = [];
  /** Shares held, by `market account outcome`. */
  readonly shares = new Map<string, number>();

  market(id: string): KnownMarket | undefined {
    return this.markets.find((market) => market.id === id);
  }

  held(marketId: string, accountId: string, outcome: Outcome): number {
    return this.shares.get(`${marketId} ${accountId} ${outcome}`) ?? 0;
  }

  /** Best bid and ask of a market in YES terms. */
  best(marketId: string): { bid: number | null; ask: number | null } {
    let bid: number | null = null;
    let ask: number | null = null;
    for (const order of this.orders.values()) {
      if (order.marketId !== marketId) continue;
      const price = inYesTerms(order.outcome, order.priceUnits);
      if ((order.side === 'buy') === (order.outcome === 'yes')) bid = Math.max(bid ?? price, price);
      else ask = Math.min(ask ?? price, price);
    }
    return { bid, ask };
  }

  apply(command: CommandBase & { readonly type: string }, decision: ObservedDecision): void {
    for (const event of decision.events ?? []) this.#applyEvent(event);
    if (command.type === 'ContinueRun' && decision.kind !== 'accepted') {
      const marketId = (command as unknown as { marketId: string }).marketId;
      const market = this.market(marketId);
      if (market) market.running = false;
    }
  }

  #applyEvent(event: ExchangeEvent): void {
    switch (event.type) {
      case 'AccountOpened':
      case 'SubAccountOpened':
      case 'AccountApproved':
      case 'ApiKeyIssued':
      case 'ApiKeyRevoked':
        this.#applyToAccounts(event);
        break;
      case 'OrderPlaced':
      case 'OrderFilled':
      case 'OrderCancelled':
      case 'PositionSettled':
        this.#applyToOrders(event);
        break;
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
        this.accounts.push({ id: event.accountId, primary: null, approved: false });
        break;
      case 'SubAccountOpened':
        this.accounts.push({ id: event.accountId, primary: event.primaryAccountId, approved: false });
        break;
      case 'AccountApproved':
        for (const account of this.accounts) if (account.id === event.accountId) account.approved = true;
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
        });
        break;
      case 'MarketAmended':
        this.#change(event.marketId, (market) => {
          if (market.closesAt !== event.closesAt) market.hasClosingTime = true;
          market.closesAt = event.closesAt;
        });
        break;
      case 'MarketActivated':
        this.#change(event.marketId, (market) => (market.phase = 'active'));
        break;
      case 'MarketPaused':
        this.#change(event.marketId, (market) => (market.phase = 'paused'));
        break;
      case 'MarketClosed':
        this.#change(event.marketId, (market) => {
          market.phase = 'closed';
          market.running = true;
        });
        break;
      case 'MarketResolved':
      case 'MarketVoided':
        this.#change(event.marketId, (market) => {
          market.phase = 'settling';
          market.running = true;
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
        if (event.restQuantity > 0) {
          this.orders.set(event.orderId, {
            id: event.orderId,
            marketId: event.marketId,
            accountId: event.accountId,
            side: event.side,
            outcome: event.outcome,
            priceUnits: event.priceUnits,
            remaining: event.restQuantity,
          });
        } else {
          this.endedOrders.push(event.orderId);
        }
        break;
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
      case 'PositionSettled':
        this.shares.delete(`${event.marketId} ${event.accountId} ${event.outcome}`);
        break;
    }
  }

  #change(marketId: string, change: (market: KnownMarket) => void): void {
    const market = this.market(marketId);
    if (market) change(market);
  }

  #end(orderId: string): void {
    this.orders.delete(orderId);
    this.endedOrders.push(orderId);
  }

  #move(marketId: string, accountId: string, outcome: Outcome, side: Side, quantity: number): void {
    const key = `${marketId} ${accountId} ${outcome}`;
    this.shares.set(key, (this.shares.get(key) ?? 0) + (side === 'buy' ? quantity : -quantity));
  }
}
