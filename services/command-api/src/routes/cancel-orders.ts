import { Refused } from '@paper/contracts';
import type { endpoints, Handler, KeyCaller } from '@paper/contracts';
import { fleetIds, matchingOrders } from '@paper/exchange';
import type { Decision, OrderFilter, State } from '@paper/exchange';
import type { CommandOf, Untimed } from '@paper/exchange/commands';
import type { ItemResult } from '@paper/command-side';
import { assertOwnsFleet } from '@paper/http';
import { baseOf, laneOf, newestHead, resultsOf } from '../command-gateway.ts';
import type { CommandGateway } from '../command-gateway.ts';

/** Cancels the open orders that match every given filter, of the account or also of all its sub-accounts. */
export function cancelOrders(gateway: CommandGateway): Handler<typeof endpoints.cancelOrders> {
  return async (caller, { query }) => {
    const { fleet, marketId = null, outcome = null, side = null } = query;
    if (fleet === 'true') assertOwnsFleet(caller);
    const cancels = new Cancels(caller, { marketId, outcome, side }, fleet === 'true');
    const results = await gateway.submitSequence(laneOf(caller), {
      answer: cancelledIds,
      next: (state) => cancels.next(state),
    });
    const body = cancels.answer(results);
    return { body, ...newestHead(gateway, resultsOf(results)) };
  };
}

/**
 * The commands of one request to cancel many orders. No other command of the fleet comes between them, so the first
 * fixes the set of orders. Then each account is cancelled in turn, until none of its orders matches.
 */
class Cancels {
  /** The orders that matched at the first decision, oldest acceptance first. */
  #orderIds: readonly string[] | null = null;
  #accountIds: string[] = [];
  /** The number of orders of the first of these accounts that the previous command found. */
  #found = Infinity;

  constructor(
    private readonly caller: KeyCaller,
    private readonly filter: OrderFilter,
    private readonly isFleet: boolean,
  ) {}

  next(state: State): Untimed<CommandOf<'CancelOrders'>> | null {
    const { accountId: callerId } = this.caller;
    if (this.#orderIds === null) {
      const matching = matchingOrders(state, this.isFleet ? fleetIds(state, callerId) : [callerId], this.filter);
      this.#orderIds = matching.map(({ orderId }) => orderId);
      this.#accountIds = [...new Set(matching.map(({ accountId }) => accountId))];
      // Even with nothing to cancel, the answer reflects a decision.
      if (this.#accountIds.length === 0) return this.#command(callerId);
    }
    while (this.#accountIds[0] !== undefined) {
      const [accountId] = this.#accountIds;
      const found = matchingOrders(state, [accountId], this.filter).length;
      // A command that was refused because its key was revoked has cancelled nothing, so the account is done.
      if (found > 0 && found < this.#found) {
        this.#found = found;
        return this.#command(accountId);
      }
      this.#accountIds.shift();
      this.#found = Infinity;
    }
    return null;
  }

  /** @throws Refused if nothing was cancelled because the key may not cancel. */
  answer(results: readonly ItemResult<readonly string[]>[]): { cancelled: number; orderIds: string[] } {
    const cancelled = new Set(resultsOf(results).flatMap(({ value }) => value));
    const refusal = results.find((result) => result instanceof Refused);
    if (cancelled.size === 0 && refusal instanceof Refused) throw refusal;
    const orderIds = (this.#orderIds ?? []).filter((orderId) => cancelled.has(orderId));
    return { cancelled: orderIds.length, orderIds };
  }

  #command(accountId: string): Untimed<CommandOf<'CancelOrders'>> {
    return { ...baseOf(this.caller, null), ...this.filter, accountId, type: 'CancelOrders' };
  }
}

function cancelledIds(decision: Decision): readonly string[] {
  if (decision.kind !== 'accepted') return [];
  return decision.events.flatMap((event) => (event.type === 'OrderCancelled' ? [event.orderId] : []));
}
