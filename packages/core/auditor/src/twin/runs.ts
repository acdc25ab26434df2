import type { CommandOf } from '../events/judged-commands.ts';
import { cancelResting } from './cancels.ts';
import { accountOf, pairsOf, probabilityHalf, refuse, emit, UNCHANGED } from './state.ts';
import type { Market, Position, Verdict, TwinState } from './state.ts';

/** Whether a begun close still has orders to cancel. Commands of the system and clients' own cancels remove them. */
export const isClosing = (market: Market): boolean => market.closing && restingOf(market) > 0;
export const hasEnded = (market: Market): boolean => market.ending !== null;

/** Only a timer that is set and due may close a market for the system. */
export function closeMarket(state: TwinState, command: CommandOf<'CloseMarket'>): Verdict {
  const market = state.markets.get(command.marketId);
  const byClock = command.by.kind === 'system';
  const due = market?.clockSet === true && market.amendable.closesAt <= Math.max(command.at, state.lastAt);
  if (byClock && !due) return UNCHANGED;
  if (market === undefined) return refuse('market_not_found');
  if (hasEnded(market)) return refuse('market_already_resolved');
  if (market.phase === 'closed') return UNCHANGED;
  if (market.phase === 'scheduled') return refuse('market_not_active');
  market.phase = 'closed';
  market.clockSet = false;
  market.closing = true;
  emit(state, 'MarketClosed', { by: byClock ? 'clock' : 'operator', marketId: market.id });
  cancelChunk(state, market);
  return { kind: 'accepted', events: state.emitted };
}

/** Stops the market for good, and moves $1 for each pair into the pool. */
export function resolveMarket(state: TwinState, command: CommandOf<'ResolveMarket'>): Verdict {
  const market = state.markets.get(command.marketId);
  if (market === undefined) return refuse('market_not_found');
  const yesPays = command.outcome === 'yes' ? 10_000 : 0;
  if (market.ending !== null) {
    const same = market.ending.kind === 'resolve' && market.ending.yesPays === yesPays;
    return same ? UNCHANGED : refuse('market_already_resolved');
  }
  const { citationUrl, headline, outcome, source } = command;
  const fields = { citationUrl, headline, outcome, source };
  return endMarket(state, market, { kind: 'resolve', yesPays }, 'MarketResolved', fields);
}

/** Voids a market at a price: the given one, or the present probability rounded down to a unit. */
export function voidMarket(state: TwinState, command: CommandOf<'VoidMarket'>): Verdict {
  const market = state.markets.get(command.marketId);
  if (market === undefined) return refuse('market_not_found');
  if (market.ending !== null) {
    const again = command.priceUnits === null || command.priceUnits === market.ending.yesPays;
    return market.ending.kind === 'void' && again ? UNCHANGED : refuse('market_already_resolved');
  }
  const yesPays = command.priceUnits ?? Math.floor(probabilityHalf(market) / 2);
  const fields = { priceUnits: yesPays, reason: command.reason };
  return endMarket(state, market, { kind: 'void', yesPays }, 'MarketVoided', fields);
}

function endMarket(
  state: TwinState,
  market: Market,
  ending: NonNullable<Market['ending']>,
  type: string,
  fields: Readonly<Record<string, unknown>>,
): Verdict {
  market.pool = 10_000 * pairsOf(market);
  market.ending = ending;
  market.phase = 'settling';
  market.clockSet = false;
  market.closing = false;
  emit(state, type, { ...fields, marketId: market.id, poolUnits: market.pool });
  cancelChunk(state, market);
  return { kind: 'accepted', events: state.emitted };
}

/** Cancels a chunk of orders while any rest; then pays holders, by each account's first order, YES before NO. */
export function continueClosingOrSettling(state: TwinState, command: CommandOf<'ContinueRun'>): Verdict {
  const market = state.markets.get(command.marketId);
  if (market === undefined || (!isClosing(market) && market.phase !== 'settling')) return UNCHANGED;
  if (restingOf(market) > 0) cancelChunk(state, market);
  else settleChunk(state, market);
  return { kind: 'accepted', events: state.emitted };
}

const restingOf = (market: Market): number => market.bids.length + market.asks.length;

/** Cancels bids from the best, then asks from the best; at each price the oldest first. */
function cancelChunk(state: TwinState, market: Market): void {
  const orders = [...market.bids, ...market.asks];
  for (const order of orders.slice(0, state.settings.runChunk)) {
    cancelResting(state, order, market.ending === null ? 'market_closed' : 'market_resolved');
    if (market.ending !== null) market.cancelled += 1;
  }
}

function settleChunk(state: TwinState, market: Market): void {
  let left = state.settings.runChunk;
  for (const position of market.positions.values()) {
    for (const outcome of ['yes', 'no'] as const) {
      if (position.shares[outcome] === 0) continue;
      if (left === 0) return;
      left -= 1;
      settle(state, market, position, outcome);
    }
  }
  market.positions.clear();
  market.phase = market.ending?.kind === 'void' ? 'void' : 'resolved';
  const { cancelled: cancelledOrders, id: marketId, paid: paidUnits, settledAccounts } = market;
  emit(state, 'MarketSettled', { cancelledOrders, marketId, paidUnits, settledAccounts: settledAccounts.size });
}

function settle(state: TwinState, market: Market, position: Position, outcome: 'yes' | 'no'): void {
  const { accountId } = position;
  if (market.ending === null) throw new Error('a settlement needs an ending');
  const shares = position.shares[outcome];
  const payoutUnits = shares * (outcome === 'yes' ? market.ending.yesPays : 10_000 - market.ending.yesPays);
  const costUnits = position.cost[outcome];
  accountOf(state, accountId).cash += payoutUnits;
  market.pool -= payoutUnits;
  market.paid += payoutUnits;
  position.shares[outcome] = 0;
  position.cost[outcome] = 0;
  market.settledAccounts.add(accountId);
  emit(state, 'PositionSettled', { accountId, costUnits, marketId: market.id, outcome, payoutUnits, shares });
}
