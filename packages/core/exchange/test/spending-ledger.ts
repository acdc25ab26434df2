import type { Command } from '@paper/exchange/commands';
import type { ExchangeEvent } from '@paper/exchange/events';
import type { Mandate, Outcome, Side } from '@paper/exchange/vocabulary';
import assert from 'node:assert/strict';

interface Resting {
  readonly accountId: string;
  readonly marketId: string;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly expiresAt: number | null;
  priceUnits: number;
  remaining: number;
}

/** A buy of one decision: who sent it, and what it did. */
interface Buy {
  readonly keyId: string | null;
  readonly order: Resting;
  readonly restQuantity: number;
  /** The account's reserved money, and the shares it held or was buying, before the decision. */
  readonly reservedBefore: number;
  readonly sharesBefore: number;
}

const DAY_MS = 86_400_000;

/**
 * Money, shares and spending, added up from events alone and by no code of the exchange. `decided` fails when a decision
 * passed a mandate, or when an order was filled after a time that should have ended it.
 */
export class SpendingLedger {
  readonly #orders = new Map<string, Resting>();
  /** Money reserved, by account. */
  readonly #reserved = new Map<string, number>();
  /** Shares held and those that resting buys would add, by account, market and outcome. */
  readonly #shares = new Map<string, number>();
  readonly #mandates = new Map<string, Mandate>();
  /** Spending by key and day. */
  readonly #spent = new Map<string, number>();
  readonly #switches = new Map<string, number>();
  /** Orders by keys with a mandate so far, and those of them that came to exactly one of its limits. */
  limitedOrders = 0;
  exactOrders = 0;

  decided(command: Command, events: readonly ExchangeEvent[]): void {
    const [first] = events;
    if (first === undefined) return;
    const isOrder = first.type === 'OrderPlaced' || first.type === 'OrderReplaced';
    const buy = isOrder && first.side === 'buy' ? this.#buyOf(first) : null;
    const mandate = isOrder && command.by.kind === 'key' ? this.#mandates.get(command.by.keyId) : undefined;
    if (isOrder && mandate !== undefined) {
      this.limitedOrders += 1;
      assert.ok(mandate.marketIds === null || mandate.marketIds.includes(first.marketId), 'marketIds');
      assert.ok(mandate.reduceOnly !== true || first.side === 'sell', 'reduceOnly');
    }
    let costUnits = 0;
    for (const event of events) {
      if (event.type === 'OrderFilled' && event.takerSide === 'buy') {
        costUnits += event.quantity * own(event.takerOutcome, event.yesPriceUnits);
      }
      this.#apply(event);
    }
    if (buy !== null) this.#spend(buy, costUnits, mandate ?? null, first.at);
  }

  #buyOf(event: Extract<ExchangeEvent, { readonly type: 'OrderPlaced' | 'OrderReplaced' }>): Buy {
    const { accountId, keyId, marketId, outcome, priceUnits, restQuantity, side } = event;
    const order = { accountId, expiresAt: null, marketId, outcome, priceUnits, remaining: 0, side };
    const sharesBefore = this.#shares.get(sharesKey(order)) ?? 0;
    return { keyId, order, reservedBefore: this.#reserved.get(accountId) ?? 0, restQuantity, sharesBefore };
  }

  #spend(
    { keyId, order, restQuantity, reservedBefore, sharesBefore }: Buy,
    costUnits: number,
    mandate: Mandate | null,
    at: number,
  ): void {
    const neededUnits = costUnits + restQuantity * order.priceUnits;
    const day = `${keyId} ${Math.floor(at / DAY_MS)}`;
    const spent = (this.#spent.get(day) ?? 0) + neededUnits;
    if (keyId !== null) this.#spent.set(day, spent);
    if (mandate === null) return;
    const reserved = this.#reserved.get(order.accountId) ?? 0;
    const shares = this.#shares.get(sharesKey(order)) ?? 0;
    const figures: readonly (readonly [string, number | null, number, number])[] = [
      ['maxOrderCost', mandate.maxOrderCostUnits, 0, neededUnits],
      ['maxReserved', mandate.maxReservedUnits, reservedBefore, reserved],
      ['maxShares', mandate.maxShares, sharesBefore, shares],
      ['spendPerDay', mandate.spendPerDayUnits, spent - neededUnits, spent],
    ];
    for (const [name, limit, before, after] of figures) {
      assert.ok(limit === null || after <= limit || after <= before, `${name} ${limit}: from ${before} to ${after}`);
      if (after === limit && after > before) this.exactOrders += 1;
    }
  }

  #apply(event: ExchangeEvent): void {
    switch (event.type) {
      case 'OrderPlaced':
        this.#open(event.orderId, { ...event, remaining: event.restQuantity });
        break;
      case 'OrderReplaced': {
        const order = this.#orderOf(event.orderId);
        this.#promise(order, -order.remaining);
        this.#open(event.orderId, { ...order, priceUnits: event.priceUnits, remaining: event.restQuantity });
        break;
      }
      case 'OrderAmended':
        this.#take(event.orderId, event.removed);
        break;
      case 'OrderCancelled':
        if (event.resting) this.#take(event.orderId, event.quantity);
        break;
      case 'OrderFilled': {
        const maker = this.#orderOf(event.makerOrderId);
        assert.ok(maker.expiresAt === null || event.at < maker.expiresAt, 'a fill after the maker’s expiresAt');
        const cancelsAt = this.#switches.get(maker.accountId);
        assert.ok(cancelsAt === undefined || event.at < cancelsAt, 'a fill after the maker’s dead-man switch was due');
        const taker = this.#orders.get(event.takerOrderId);
        assert.ok(
          !taker || taker.expiresAt === null || event.at < taker.expiresAt,
          'a fill after the taker’s expiresAt',
        );
        this.#take(event.makerOrderId, event.quantity);
        this.#hold(maker, event.makerSide === 'buy' ? event.quantity : -event.quantity);
        const { takerAccountId, takerOutcome, takerSide } = event;
        const taken = { accountId: takerAccountId, marketId: event.marketId, outcome: takerOutcome };
        this.#hold(taken, takerSide === 'buy' ? event.quantity : -event.quantity);
        break;
      }
      case 'SharesMerged':
        for (const outcome of ['yes', 'no'] as const) this.#hold({ ...event, outcome }, -event.quantity);
        break;
      case 'PositionSettled':
        this.#hold(event, -event.shares);
        break;
      case 'MandateSet':
        if (event.mandate === null) this.#mandates.delete(event.keyId);
        else this.#mandates.set(event.keyId, event.mandate);
        break;
      case 'DeadManSwitchSet':
        if (event.cancelsAt === null) this.#switches.delete(event.accountId);
        else this.#switches.set(event.accountId, event.cancelsAt);
        break;
      default:
    }
  }

  #orderOf(orderId: string): Resting {
    const order = this.#orders.get(orderId);
    assert.ok(order !== undefined, `order ${orderId} rests`);
    return order;
  }

  #open(orderId: string, order: Resting): void {
    this.#orders.set(orderId, order);
    this.#promise(order, order.remaining);
  }

  #take(orderId: string, quantity: number): void {
    const order = this.#orderOf(orderId);
    this.#promise(order, -quantity);
    order.remaining -= quantity;
    if (order.remaining === 0) this.#orders.delete(orderId);
  }

  /** Counts the money and the shares of a resting buy. */
  #promise(order: Resting, quantity: number): void {
    if (order.side === 'sell') return;
    const reserved = this.#reserved.get(order.accountId) ?? 0;
    this.#reserved.set(order.accountId, reserved + quantity * order.priceUnits);
    this.#hold(order, quantity);
  }

  #hold(whose: Pick<Resting, 'accountId' | 'marketId' | 'outcome'>, quantity: number): void {
    const key = sharesKey(whose);
    this.#shares.set(key, (this.#shares.get(key) ?? 0) + quantity);
  }
}

const own = (outcome: Outcome, yesPriceUnits: number): number =>
  outcome === 'yes' ? yesPriceUnits : 10_000 - yesPriceUnits;

const sharesKey = ({ accountId, marketId, outcome }: Pick<Resting, 'accountId' | 'marketId' | 'outcome'>): string =>
  `${accountId} ${marketId} ${outcome}`;
