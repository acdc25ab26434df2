import type { CommandOf } from '../commands.ts';
import { UNCHANGED, accept, invalid, noMarket } from '../decision.ts';
import type { Decision, Rejection } from '../decision.ts';
import type { ExchangeEvent } from '../events.ts';
import { isOutside } from '../money.ts';
import { SHARE_UNITS } from '../vocabulary.ts';
import { replayOf } from '../state/idempotency.ts';
import { decisionTime, operatorOnly } from '../state/state.ts';
import type { State } from '../state/state.ts';
import { pushCancels } from './runs.ts';

/**
 * Resolves a market: trading stops, $1 a pair moves into the settlement pool, and the first of its orders are
 * cancelled. `continueRun` cancels the others and pays. A close that has not ended ends here.
 */
export function resolveMarket(state: State, command: CommandOf<'ResolveMarket'>): Decision {
  const refusal = operatorOnly(command.by) ?? replayOf(state.idempotency, command);
  if (refusal !== null) return refusal;
  const market = state.markets.get(command.marketId);
  if (market === undefined) return noMarket(command.marketId);
  if (market.ended) return market.resolvedOutcome === command.outcome ? UNCHANGED : market.alreadyEnded();
  const at = decisionTime(state, command.at);
  const events: ExchangeEvent[] = [
    {
      at,
      citationUrl: command.citationUrl,
      headline: command.headline,
      marketId: market.id,
      outcome: command.outcome,
      poolUnits: market.pairs * SHARE_UNITS,
      source: command.source,
      type: 'MarketResolved',
    },
  ];
  pushCancels(events, market, 'market_resolved', state.settings.runChunk, at);
  return accept(events);
}

/** Ends a market. A YES share pays the price (optional before rules version 2), a NO share the rest of $1. */
export function voidMarket(state: State, command: CommandOf<'VoidMarket'>): Decision {
  const requestedUnits = command.priceUnits;
  const refusal =
    operatorOnly(command.by) ??
    voidPriceFault(requestedUnits, state.rulesVersion) ??
    replayOf(state.idempotency, command);
  if (refusal !== null) return refusal;
  const market = state.markets.get(command.marketId);
  if (market === undefined) return noMarket(command.marketId);
  if (market.ended) {
    return market.resolvedOutcome === null && (requestedUnits === null || requestedUnits === market.yesPayoutUnits)
      ? UNCHANGED
      : market.alreadyEnded();
  }
  const at = decisionTime(state, command.at);
  const events: ExchangeEvent[] = [
    {
      at,
      marketId: market.id,
      poolUnits: market.pairs * SHARE_UNITS,
      priceUnits: requestedUnits ?? Math.floor(market.probabilityHalfUnits() / 2),
      reason: command.reason,
      type: 'MarketVoided',
    },
  ];
  pushCancels(events, market, 'market_resolved', state.settings.runChunk, at);
  return accept(events);
}

function voidPriceFault(priceUnits: number | null, rulesVersion: number): Rejection | null {
  if (priceUnits === null) {
    return rulesVersion >= 2 ? invalid('price', 'is required: 0 to 1, in steps of 0.0001') : null;
  }
  return isOutside(priceUnits, 0, SHARE_UNITS) ? invalid('price', 'must be 0 to 1, in steps of 0.0001') : null;
}
