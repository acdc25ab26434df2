import type { Settings } from '../commands.ts';
import type { Order } from './book.ts';
import { IdempotencyWindow } from './idempotency.ts';
import type { FleetName } from './idempotency.ts';

/**
 * The clientOrderIds that an account may not use again: the ids of its live orders, and of orders that ended within a
 * window of event time. The ids of ended orders are stored and evicted as Idempotency-Keys are, with their own bound.
 */
export class ClientOrderIds {
  readonly #live = new Map<string, Order>();
  readonly ended = new IdempotencyWindow();

  isTaken(accountId: string, clientOrderId: string): boolean {
    const scope = scopeOf(accountId, clientOrderId);
    return this.#live.has(scope) || this.ended.find({ index: null, scope }) !== null;
  }

  add(order: Order): void {
    const { clientOrderId } = order.given;
    if (clientOrderId === null) return;
    this.#live.set(scopeOf(order.position.account.id, clientOrderId), order);
  }

  end(order: Order, fleet: FleetName, at: number, seq: number): void {
    const { clientOrderId } = order.given;
    if (clientOrderId === null) return;
    const scope = scopeOf(order.position.account.id, clientOrderId);
    this.#live.delete(scope);
    this.ended.remember(fleet, { index: null, scope }, '', at, seq);
  }

  evict(at: number, { idempotencyEntries, idempotencyWindowMs }: Settings): void {
    if (this.ended.size > 0) this.ended.evict(at, idempotencyWindowMs, idempotencyEntries, true);
  }
}

function scopeOf(accountId: string, clientOrderId: string): string {
  return `${accountId}\n${clientOrderId}`;
}
