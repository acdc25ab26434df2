import type { CommandOf } from '../commands.ts';
import { FORBIDDEN, UNCHANGED, accept, invalid, reject } from '../decision.ts';
import type { Decision, Rejection } from '../decision.ts';
import { sortKeys } from '../fields.ts';
import { reservedUnits } from '../fill-moves.ts';
import { isOutside } from '../money.ts';
import { SHARE_UNITS } from '../vocabulary.ts';
import type { Account } from '../state/account.ts';
import type { Order } from '../state/book.ts';
import type { Market } from '../state/market.ts';
import { decisionTime, grantingKey } from '../state/state.ts';
import type { State } from '../state/state.ts';
import type { Mandate, Outcome, Side } from '../vocabulary.ts';

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

const MONEY_UNITS_MAX = 10_000_000_000_000;
const SHARES_MAX = 1_000_000_000;
const MARKETS_MAX = 100;

/** Sets or removes the mandate of a key, for a master key of the key's primary that has no mandate itself. */
export function setMandate(state: State, command: CommandOf<'SetMandate'>): Decision {
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
  return JSON.stringify(sortKeys(a)) === JSON.stringify(sortKeys(b));
}

function mandateFormFault(mandate: Mandate): Rejection | null {
  for (const name of ['maxOrderCost', 'maxReserved', 'spendPerDay'] as const) {
    if (isOutside(mandate[`${name}Units`], 0, MONEY_UNITS_MAX)) {
      return invalid(name, 'must be 0 to 1000000000, in steps of 0.0001');
    }
  }
  if (isOutside(mandate.maxShares, 0, SHARES_MAX)) {
    return invalid('maxShares', 'must be a whole number, 0 to 1000000000');
  }
  if (mandate.marketIds !== null && mandate.marketIds.length > MARKETS_MAX) {
    return invalid('marketIds', `must have at most ${MARKETS_MAX} items`);
  }
  return null;
}

/**
 * Refuses an order that a mandate forbids, with the first limit in the order of the rules. A numeric limit refuses an
 * order that raises its figure above the limit, `marketIds` and `reduceOnly` regardless of the figures before.
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
    const { neededUnits } = plan;
    const reserved = account.reservedUnits;
    const formerUnits = former === null ? 0 : reservedUnits('buy', former.priceUnits, former.remaining);
    const reservedAfter = reserved - formerUnits + reservedUnits('buy', plan.boundUnits, plan.restQuantity);
    const shares = market.positionOf(account)?.heldOrBuying(terms.outcome) ?? 0;
    const sharesAfter = shares - (former?.remaining ?? 0) + plan.fillQuantity + plan.restQuantity;
    const refusal =
      limitFault('maxOrderCost', mandate.maxOrderCostUnits, 0, neededUnits, dollars) ??
      limitFault('maxReserved', mandate.maxReservedUnits, reserved, reservedAfter, dollars) ??
      limitFault('maxShares', mandate.maxShares, shares, sharesAfter, String) ??
      limitFault('spendPerDay', mandate.spendPerDayUnits, spentUnits, spentUnits + neededUnits, dollars);
    if (refusal !== null) return refusal;
  }
  if (mandate.marketIds !== null && !mandate.marketIds.includes(market.id)) {
    return exceeded(`marketIds does not contain ${market.id}`);
  }
  return mandate.reduceOnly === true && buying ? exceeded('reduceOnly permits sells only') : null;
}

function limitFault(
  name: string,
  limit: number | null,
  before: number,
  after: number,
  shown: (value: number) => string,
): Rejection | null {
  if (limit === null || after <= limit || after <= before) return null;
  return exceeded(`${name} is ${shown(limit)}, this order would make it ${shown(after)}`);
}

function exceeded(what: string): Rejection {
  return reject('mandate_exceeded', `Mandate exceeded: ${what}`);
}

function dollars(units: number): string {
  return String(units / SHARE_UNITS);
}
