import { AMENDABLE_FIELDS, LISTING_FIELDS } from '../commands.ts';
import type { CommandOf } from '../commands.ts';
import { MARKET_ENDED, UNCHANGED, accept, invalid, noMarket, reject } from '../decision.ts';
import type { Decision, Rejection } from '../decision.ts';
import { sortKeys, valuesOf } from '../fields.ts';
import { isOutside, PRICE_UNITS_MAX, PRICE_UNITS_MIN } from '../money.ts';
import { replayOf } from '../state/idempotency.ts';
import { decisionTime, operatorOnly } from '../state/state.ts';
import type { State } from '../state/state.ts';
import { TICK_UNITS } from '../vocabulary.ts';

const MARKET_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/;

/** Lists a new market. The same listing again changes nothing, even when its closesAt has passed. */
export function listMarket(state: State, command: CommandOf<'ListMarket'>): Decision {
  const refusal = operatorOnly(command.by) ?? listingFault(command) ?? replayOf(state.idempotency, command);
  if (refusal !== null) return refusal;
  const existing = state.markets.get(command.marketId);
  if (existing !== undefined) {
    return existing.bodyHash === command.bodyHash
      ? UNCHANGED
      : reject('idempotency_conflict', `Another market has the id ${command.marketId}; amend it, or take a new id.`);
  }
  const at = decisionTime(state, command.at);
  if (state.rulesVersion >= 5 && command.phase !== 'closed' && command.closesAt <= at) {
    return invalid('closesAt', 'has passed: give a time that is later than now, or list the market closed');
  }
  return accept([sortKeys({ ...valuesOf(LISTING_FIELDS, command), at, type: 'MarketListed' as const })]);
}

/** Changes the fields of a market that may change before it ends. A null field stays unchanged. */
export function amendMarket(state: State, command: CommandOf<'AmendMarket'>): Decision {
  const refusal =
    operatorOnly(command.by) ??
    (command.closesAt === null ? null : closesAtFault(command.closesAt)) ??
    replayOf(state.idempotency, command);
  if (refusal !== null) return refusal;
  const market = state.markets.get(command.marketId);
  if (market === undefined) return noMarket(command.marketId);
  if (market.ended) return MARKET_ENDED;
  const at = decisionTime(state, command.at);
  const { closesAt } = command;
  if (state.rulesVersion >= 2 && closesAt !== null && closesAt !== market.closesAt && closesAt <= at) {
    return invalid('closesAt', 'has passed: give a time that is later than now, or close the market');
  }
  const before = valuesOf(AMENDABLE_FIELDS, market);
  const given = Object.entries(valuesOf(AMENDABLE_FIELDS, command)).filter(([, value]) => value !== null);
  const after: typeof before = { ...before, ...Object.fromEntries(given) };
  if (JSON.stringify(after) === JSON.stringify(before)) return UNCHANGED;
  return accept([sortKeys({ ...after, at, marketId: market.id, type: 'MarketAmended' as const })]);
}

function listingFault(command: CommandOf<'ListMarket'>): Rejection | null {
  if (!MARKET_ID.test(command.marketId) || command.marketId === 'signals') {
    return invalid(
      'id',
      'must be letters, digits and . _ : - (100 at most, the first a letter or digit), not "signals"',
    );
  }
  if (isOutside(command.priorUnits, PRICE_UNITS_MIN, PRICE_UNITS_MAX)) {
    return invalid('prior', 'must be 0.01 to 0.99, in steps of 0.0001');
  }
  if (!TICK_UNITS.includes(command.tickUnits)) return invalid('tickSize', 'must be 0.0001, 0.001 or 0.01');
  return closesAtFault(command.closesAt);
}

function closesAtFault(closesAt: number): Rejection | null {
  return Number.isSafeInteger(closesAt) ? null : invalid('closesAt', 'must be a time');
}
