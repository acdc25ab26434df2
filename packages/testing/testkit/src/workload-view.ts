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

type EventOf<T extends ExchangeEvent['type']> = Extract<ExchangeEvent, { readonly type: T }>;

/** The most clientOrderIds that the workload keeps for later use. */
const CLIENT_ORDER_IDS_MAX = 40;

/** Changes what is known of one account, market or order, if anything is. */
function change<T extends object>(known: T | undefined, changes: Partial<NoInfer<T>>): void {
  if (known !== undefined) Object.assign(known, changes);
}

/** The state that a client can derive from events, to address commands. An error here only makes more commands fail. */
export class WorkloadView {
  readonly accounts: KnownAccount[] = [];
  readonly keys: KnownKey[] = [];
  readonly markets: KnownMarket[] = [];
  readonly orders = new Map<string, KnownOrder>();
  readonly endedOrders: string[] = [];
  readonly clientOrderIds: { readonly accountId: string; readonly clientOrderId: string }[] = [];
  /** The expiry times of resting orders, by order id. */
  readonly #expiries = new Map<string, number>();
  /** The times of armed dead-man switches, by account id. The switch that was armed last is at the end. */
  readonly #switches = new Map<string, number>();
  #lastAt = 0;
  /** The shares held, by `market account outcome`. */
  readonly shares = new Map<string, number>();

  readonly #handlers: { readonly [T in ExchangeEvent['type']]?: (event: EventOf<T>) => void } = {
    AccountOpened: (event) => this.#open(event.accountId, null),
    SubAccountOpened: (event) => this.#open(event.accountId, event.primaryAccountId),
    AccountApproved: (event) => change(this.#account(event.accountId), { approved: true }),
    AccountClosed: ({ accountId }) => {
      const account = this.#account(accountId);
      const isPrimaryClosed = this.#account(account?.primary)?.closed === true;
      change(account, { closed: true, closing: !isPrimaryClosed });
    },
    DisplayNameForgotten: (event) => change(this.#account(event.accountId), { forgotten: true }),
    ApiKeyIssued: ({ accountId, keyId, permissions }) => {
      this.keys.push({ accountId, keyId, permissions, live: true });
    },
    ApiKeyRevoked: ({ keyId }) => {
      for (const key of this.keys) if (key.keyId === keyId) key.live = false;
    },

    MarketListed: ({ at, bodyHash, closesAt, marketId, phase, priorUnits, tickUnits }) => {
      this.markets.push({
        id: marketId,
        tick: tickUnits,
        prior: priorUnits,
        bodyHash,
        phase,
        closesAt,
        hasClosingTime: phase === 'closed' || closesAt > at,
        running: false,
        armed: phase === 'active' && closesAt > at,
      });
    },
    MarketAmended: ({ at, closesAt, marketId }) => {
      const market = this.market(marketId);
      if (market?.closesAt === closesAt) return;
      change(market, { hasClosingTime: true, closesAt, armed: market?.phase === 'active' && closesAt > at });
    },
    MarketActivated: ({ at, marketId }) => {
      const market = this.market(marketId);
      change(market, { phase: 'active', armed: market !== undefined && market.closesAt > at });
    },
    MarketPaused: ({ marketId }) => change(this.market(marketId), { phase: 'paused', armed: false }),
    MarketClosed: ({ marketId }) => change(this.market(marketId), { phase: 'closed', running: true, armed: false }),
    MarketResolved: ({ marketId }) => change(this.market(marketId), { phase: 'settling', running: true, armed: false }),
    MarketVoided: ({ marketId }) => change(this.market(marketId), { phase: 'settling', running: true, armed: false }),
    MarketSettled: ({ marketId }) => change(this.market(marketId), { phase: 'settled', running: false }),

    OrderPlaced: (event) => this.#placed(event),
    OrderAmended: ({ orderId, quantity, remaining }) => change(this.orders.get(orderId), { quantity, remaining }),
    OrderReplaced: ({ orderId, priceUnits, quantity, restQuantity }) => {
      change(this.orders.get(orderId), { priceUnits, quantity, remaining: restQuantity });
      if (restQuantity === 0) this.#end(orderId);
    },
    OrderFilled: (event) => {
      change(this.orders.get(event.makerOrderId), { remaining: event.makerRemaining });
      if (event.makerRemaining === 0) this.#end(event.makerOrderId);
      this.#move(event.marketId, event.makerAccountId, event.makerOutcome, event.makerSide, event.quantity);
      this.#move(event.marketId, event.takerAccountId, event.takerOutcome, event.takerSide, event.quantity);
    },
    OrderCancelled: ({ orderId, resting }) => {
      if (resting) this.#end(orderId);
    },

    SharesMerged: ({ accountId, marketId, quantity }) => {
      for (const outcome of OUTCOMES) this.#move(marketId, accountId, outcome, 'sell', quantity);
    },
    PositionSettled: ({ accountId, marketId, outcome }) => {
      this.shares.delete(`${marketId} ${accountId} ${outcome}`);
    },
    DeadManSwitchSet: ({ accountId, cancelsAt }) => {
      this.#switches.delete(accountId);
      if (cancelsAt !== null) this.#switches.set(accountId, cancelsAt);
    },
  };

  market(id: string | undefined): KnownMarket | undefined {
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
        change(this.market(timer.marketId), { armed: false });
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
    if (decision.kind === 'accepted') {
      for (const event of decision.events ?? []) this.#applyEvent(event);
      return;
    }
    const { accountId, marketId } = command as { readonly accountId?: string; readonly marketId?: string };
    if (command.type === 'ContinueRun') change(this.market(marketId), { running: false });
    if (command.type === 'ContinueClosing') change(this.#account(accountId), { closing: false });
  }

  #applyEvent(event: ExchangeEvent): void {
    this.#lastAt = event.at;
    (this.#handlers[event.type] as ((event: ExchangeEvent) => void) | undefined)?.(event);
  }

  #open(id: string, primary: string | null): void {
    this.accounts.push({ id, primary, approved: false, closed: false, closing: false, forgotten: false });
  }

  #account(id: string | null | undefined): KnownAccount | undefined {
    return this.accounts.find((account) => account.id === id);
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
