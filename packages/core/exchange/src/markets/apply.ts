import { AMENDABLE_FIELDS } from '../commands.ts';
import type { Command } from '../commands.ts';
import type { EventOf, MarketAmended, MarketListed, MarketResolved, MarketVoided, PositionSettled } from '../events.ts';
import { valuesOf } from '../fields.ts';
import { SHARE_UNITS } from '../vocabulary.ts';
import type { Position } from '../state/account.ts';
import { Market } from '../state/market.ts';
import type { Run } from '../state/market.ts';
import { accountOf, endCloseRun, touchMarket } from '../state/state.ts';
import type { State } from '../state/state.ts';

export function marketListed(state: State, event: MarketListed): void {
  const market = new Market(event, state.markets.size);
  market.lastSeq = state.seq;
  state.markets.set(market.id, market);
  armClock(state, market, event.at);
}

export function marketAmended(state: State, event: MarketAmended): void {
  const market = touchMarket(state, event.marketId);
  const isMoved = event.closesAt !== market.closesAt;
  // The market leaves the heap before its closing time changes: a heap cannot find an item whose key has changed.
  if (isMoved) state.closing.remove(market);
  Object.assign(market, valuesOf(AMENDABLE_FIELDS, event));
  if (isMoved) {
    market.hasClosingTime = true;
    armClock(state, market, event.at);
  }
}

export function marketActivated(state: State, event: EventOf<'MarketActivated'>): void {
  const market = touchMarket(state, event.marketId);
  market.phase = 'active';
  armClock(state, market, event.at);
}

export function marketPaused(state: State, event: EventOf<'MarketPaused'>): void {
  const market = touchMarket(state, event.marketId);
  market.phase = 'paused';
  state.closing.remove(market);
}

export function marketClosed(state: State, event: EventOf<'MarketClosed'>, command: Command | null): void {
  const market = touchMarket(state, event.marketId);
  market.phase = 'closed';
  startRun(state, market, 'close', command);
  endCloseRun(state, market);
}

/** The market's pairs end here and become the pool that pays for all positions. */
export function marketResolved(state: State, event: MarketResolved | MarketVoided, command: Command | null): void {
  const market = touchMarket(state, event.marketId);
  market.phase = 'settling';
  market.resolvedAt = event.at;
  market.poolUnits = event.poolUnits;
  market.pairs = 0;
  if (event.type === 'MarketResolved') {
    market.resolvedOutcome = event.outcome;
    market.yesPayoutUnits = event.outcome === 'yes' ? SHARE_UNITS : 0;
    startRun(state, market, 'resolve', command);
  } else {
    market.yesPayoutUnits = event.priceUnits;
    startRun(state, market, 'void', command);
  }
}

export function positionSettled(state: State, event: PositionSettled): void {
  const market = touchMarket(state, event.marketId);
  const account = accountOf(state, event.accountId);
  const position = market.positionOf(account);
  if (position === null) throw new Error(`a settlement for ${account.id}, which has no position in ${market.id}`);
  account.cashUnits += event.payoutUnits;
  market.poolUnits -= event.payoutUnits;
  market.paidInRunUnits += event.payoutUnits;
  position.add(event.outcome, -event.shares, -event.costUnits);
  if (!position.settled) {
    position.settled = true;
    market.settledInRun += 1;
  }
  while (isFlat(market.positions[market.settledUpTo])) market.settledUpTo += 1;
}

export function marketSettled(state: State, event: EventOf<'MarketSettled'>): void {
  const market = touchMarket(state, event.marketId);
  market.phase = market.resolvedOutcome === null ? 'void' : 'resolved';
  const { cancelledOrders, paidUnits, settledAccounts } = event;
  market.settlement = { cancelledOrders, paidUnits, settledAccounts };
  market.run = null;
  state.runs.delete(market.id);
  market.end();
}

/** Arms the timer that closes an active market, if the closing time was in the future when it was set. */
function armClock(state: State, market: Market, at: number): void {
  state.closing.remove(market);
  if (market.phase === 'active' && market.closesAt > at) state.closing.put(market);
}

/** Starts a run. A resolution or void replaces a close that has not ended. */
function startRun(state: State, market: Market, kind: Run['kind'], command: Command | null): void {
  state.closing.remove(market);
  market.run = { kind, commandId: command?.id ?? '' };
  state.runs.delete(market.id);
  state.runs.set(market.id, market);
}

function isFlat(position: Position | undefined): boolean {
  return position !== undefined && position.yes === 0 && position.no === 0;
}
