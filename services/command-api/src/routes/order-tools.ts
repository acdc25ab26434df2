import type { endpoints, Handler } from '@paper/contracts';
import { ApiKey } from '@paper/contracts/accounts';
import type { MandateBody } from '@paper/contracts/accounts';
import { DeadManSwitch } from '@paper/contracts/orders';
import { dollars } from '@paper/contracts/units';
import { accountView } from '@paper/exchange';
import type { Mandate } from '@paper/exchange/vocabulary';
import { eventOf, submitFor, toAnswer, unitsOf } from '../command-gateway.ts';
import type { CommandGateway } from '../command-gateway.ts';

/** Sets the dead-man switch. The Idempotency-Key is not stored: a heartbeat that reuses one key keeps working. */
export function setDeadManSwitch(gateway: CommandGateway): Handler<typeof endpoints.setDeadManSwitch> {
  return async (caller, { body }) => {
    const set = { seconds: body.seconds, type: 'SetDeadManSwitch' } as const;
    const result = await submitFor(gateway, { caller, idempotency: null }, set, (decision) =>
      DeadManSwitch.body(decision.kind === 'unchanged' ? { cancelsAt: null } : eventOf(decision, 'DeadManSwitchSet')),
    );
    return toAnswer(result);
  };
}

export function mergeShares(gateway: CommandGateway): Handler<typeof endpoints.mergeShares> {
  return async (caller, { body, idempotency }) => {
    const { marketId, quantity = null } = body;
    const merge = { marketId, quantity, type: 'MergeShares' } as const;
    const result = await submitFor(gateway, { caller, idempotency }, merge, (decision, state) => {
      if (decision.kind === 'unchanged') {
        return { marketId, merged: 0, cash: dollars(accountView(state, caller.accountId)?.cashUnits ?? 0) };
      }
      const { cashUnits, quantity: merged } = eventOf(decision, 'SharesMerged');
      return { marketId, merged, cash: dollars(cashUnits) };
    });
    return toAnswer(result);
  };
}

/** Sets the limits of a key. The answer waits for the read model, which has the key's name and last characters. */
export function setMandate(gateway: CommandGateway): Handler<typeof endpoints.setMandate> {
  return async (caller, { params, body }) => {
    const { keyId } = params;
    const mandate = body === null ? null : mandateOf(body);
    const set = { keyId, mandate, type: 'SetMandate' } as const;
    const result = await submitFor(gateway, { caller, idempotency: null }, set, () => null);
    await gateway.readModel.fresh(result.seq);
    const key = await gateway.readModel.key(keyId);
    if (key === null) throw new Error(`the read model has no key ${keyId}`);
    return toAnswer({ ...result, value: { key: ApiKey.body({ ...key, mandate }) } });
  };
}

/** Throws Refused validation_failed when an amount is finer than $0.0001. */
function mandateOf(body: MandateBody): Mandate {
  return {
    marketIds: body.marketIds ?? null,
    maxOrderCostUnits: unitsOf('maxOrderCost', body.maxOrderCost),
    maxReservedUnits: unitsOf('maxReserved', body.maxReserved),
    maxShares: body.maxShares ?? null,
    reduceOnly: body.reduceOnly ?? null,
    spendPerDayUnits: unitsOf('spendPerDay', body.spendPerDay),
  };
}
