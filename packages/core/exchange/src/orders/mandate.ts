import type { SetMandate } from '../commands.ts';
import { FORBIDDEN, UNCHANGED, accept, invalid, reject } from '../decision.ts';
import type { Decision, Rejection } from '../decision.ts';
import { reservedUnits } from '../fill-moves.ts';
import { SHARE_UNITS } from '../vocabulary.ts';
import type { Account } from '../state/account.ts';
import type { Order } from '../state/book.ts';
import type { Market } from '../state/market.ts';
import { decisionTime, grantingKey } from '../state/state.ts';
import type { State } from '../state/state.ts';
import type { Mandate, Outcome, Side } from '../vocabulary.ts';

/** The figures of an order that a mandate limits. */
interface Measured {
  readonly boundUnits: number;
  readonly fillQuantity: number;
  /** The cash for a buy's fills and its resting part. */
  readonly neededUnits: number;
  readonly restQuantity: number;
}

interface Traded {
  readonly outcome: Outcome;
  readonly side: Side;
}

/** $1,000,000,000 in units. */
const MONEY_UNITS_MAX = 10_000_000_000_000;
const SHARES_MAX = 1_000_000_000;
const MARKETS_MAX = 100;

/** Sets or removes the mandate of a key, for a master key of the key's primary that has no mandate itself. */
export function setMandate(state: State, command: SetMandate): Decision {
  const maker = grantingKey(state, command.by);
  if ('kind' in maker) return maker;
  const fault = command.mandate === null ? null : mandateFormFault(command.mandate);
  if (fault !== null) return fault;
  const key = state.keys.get(command.keyId);
  if (key === undefined || key.revokedAt !== null || key.account.owner !== maker.account) return FORBIDDEN;
  if (isSame(key.mandate, command.mandate)) return UNCHANGED;
  const at = decisionTime(state, command.at);
  const { keyId, mandate } = command;
  return accept([{ accountId: key.account.id, at, keyId, mandate, type: 'MandateSet' }]);
}

function isSame(a: Mandate | null, b: Mandate | null): boolean {
  if (a === null || b === null) return a === b;
  const ids = (mandate: Mandate): string => JSON.stringify(mandate.marketIds);
  return (
    a.maxOrderCostUnits === b.maxOrderCostUnits &&
    a.maxReservedUnits === b.maxReservedUnits &&
    a.maxShares === b.maxShares &&
    a.spendPerDayUnits === b.spendPerDayUnits &&
    a.reduceOnly === b.reduceOnly &&
    ids(a) === ids(b)
  );
}

function mandateFormFault(mandate: Mandate): Rejection | null {
  for (const name of ['maxOrderCost', 'maxReserved', 'spendPerDay'] as const) {
    if (!isWithin(mandate[`${name}Units`], MONEY_UNITS_MAX)) {
      return invalid(name, 'must be 0 to 1000000000, in steps of 0.0001');
    }
  }
  if (!isWithin(mandate.maxShares, SHARES_MAX)) return invalid('maxShares', 'must be a whole number, 0 to 1000000000');
  if (mandate.marketIds !== null && mandate.marketIds.length > MARKETS_MAX) {
    return invalid('marketIds', `must have at most ${MARKETS_MAX} items`);
  }
  return null;
}

function isWithin(value: number | null, max: number): boolean {
  return value === null || (Number.isInteger(value) && value >= 0 && value <= max);
}

/**
 * Refuses an order that a mandate forbids. A numeric limit refuses an order that raises its figure above the limit;
 * `marketIds` and `reduceOnly` refuse regardless of the figures before. The refusal names the first exceeded limit in
 * the order of the rules.
 */
export function mandateFault(
  mandate: Mandate,
  spentUnits: number,
  plan: Measured,
  terms: Traded,
  account: Account,
  market: Market,
  former: Order | null,
): Rejection | null {
  const buying = terms.side === 'buy';
  if (buying) {
    const refusal =
      moneyFault('maxOrderCost', mandate.maxOrderCostUnits, 0, plan.neededUnits) ??
      reservedFault(mandate.maxReservedUnits, plan, account, former) ??
      sharesFault(mandate.maxShares, plan, terms, account, market, former) ??
      moneyFault('spendPerDay', mandate.spendPerDayUnits, spentUnits, spentUnits + plan.neededUnits);
    if (refusal !== null) return refusal;
  }
  if (mandate.marketIds !== null && !mandate.marketIds.includes(market.id)) {
    return exceeded(`marketIds does not contain ${market.id}`);
  }
  return mandate.reduceOnly === true && buying ? exceeded('reduceOnly permits sells only') : null;
}

function reservedFault(
  limitUnits: number | null,
  plan: Measured,
  account: Account,
  former: Order | null,
): Rejection | null {
  const before = account.reservedUnits;
  const formerUnits = former === null ? 0 : reservedUnits('buy', former.priceUnits, former.remaining);
  return moneyFault(
    'maxReserved',
    limitUnits,
    before,
    before - formerUnits + reservedUnits('buy', plan.boundUnits, plan.restQuantity),
  );
}

function sharesFault(
  limit: number | null,
  plan: Measured,
  terms: Traded,
  account: Account,
  market: Market,
  former: Order | null,
): Rejection | null {
  if (limit === null) return null;
  const before = market.positionOf(account)?.heldOrBuying(terms.outcome) ?? 0;
  const after = before - (former?.remaining ?? 0) + plan.fillQuantity + plan.restQuantity;
  if (after <= limit || after <= before) return null;
  return exceeded(`maxShares is ${limit}, this order would make it ${after}`);
}

/** Refuses an order that raises a figure above its limit. */
function moneyFault(name: string, limitUnits: number | null, before: number, after: number): Rejection | null {
  if (limitUnits === null || after <= limitUnits || after <= before) return null;
  return exceeded(`${name} is ${dollars(limitUnits)}, this order would make it ${dollars(after)}`);
}

function exceeded(what: string): Rejection {
  return reject('mandate_exceeded', `Mandate exceeded: ${what}`);
}

function dollars(units: number): string {
  return String(units / SHARE_UNITS);
}
