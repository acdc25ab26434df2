import type { CommandOf } from '../events/judged-commands.ts';
import { cancelResting } from './cancels.ts';
import { accountOf, findMarket, pairsOf, probabilityHalf, refuse, emit, UNCHANGED } from './world.ts';
import type { Market, Position, Verdict, World } from './world.ts';

/** While orders rest; the run and the clients' own cancels both end a close. */
export const isClosing = (market: Market): boolean => market.closing && restingOf(market) > 0;

export const hasEnded = (market: Market): boolean => market.ending !== null;

/** Only a timer that is set and due may close a market for the system. */
export function closeMarket(world: World, command: CommandOf<'CloseMarket'>): Verdict {
  const market = findMarket(world, command.marketId);
  const byClock = command.by.kind === 'system';
  const due = market?.clockSet === true && market.amendable.closesAt <= Math.max(command.at, world.lastAt);
  if (byClock && !due) return UNCHANGED;
  if (market === undefined) return refuse('market_not_found');
  if (hasEnded(market)) return refuse('market_already_resolved');
  if (market.phase === 'closed') return UNCHANGED;
  if (market.phase === 'scheduled') return refuse('market_not_active');
  market.phase = 'closed';
  market.clockSet = false;
  market.closing = true;
  emit(world, 'MarketClosed', { by: byClock ? 'clock' : 'operator', marketId: market.id });
  cancelChunk(world, market);
  return { kind: 'accepted', events: world.emitted };
}

/** Stops the market for good, and moves $1 for each pair into the pool. */
export function resolveMarket(world: World, command: CommandOf<'ResolveMarket'>): Verdict {
  const market = findMarket(world, command.marketId);
  if (market === undefined) return refuse('market_not_found');
  const yesPays = command.outcome === 'yes' ? 10_000 : 0;
  if (market.ending !== null) {
    const same = market.ending.kind === 'resolve' && market.ending.yesPays === yesPays;
    return same ? UNCHANGED : refuse('market_already_resolved');
  }
  endMarket(world, market, 'resolve', yesPays, (poolUnits) =>
    emit(world, 'MarketResolved', {
      citationUrl: command.citationUrl,
      headline: command.headline,
      marketId: market.id,
      outcome: command.outcome,
      poolUnits,
      source: command.source,
    }),
  );
  return { kind: 'accepted', events: world.emitted };
}

/** Voids a market at a price: the given one, or the present probability rounded down to a unit. */
export function voidMarket(world: World, command: CommandOf<'VoidMarket'>): Verdict {
  const market = findMarket(world, command.marketId);
  if (market === undefined) return refuse('market_not_found');
  if (market.ending !== null) {
    const again = command.priceUnits === null || command.priceUnits === market.ending.yesPays;
    return market.ending.kind === 'void' && again ? UNCHANGED : refuse('market_already_resolved');
  }
  const yesPays = command.priceUnits ?? Math.floor(probabilityHalf(market) / 2);
  endMarket(world, market, 'void', yesPays, (poolUnits) =>
    emit(world, 'MarketVoided', { marketId: market.id, poolUnits, priceUnits: yesPays, reason: command.reason }),
  );
  return { kind: 'accepted', events: world.emitted };
}

function endMarket(
  world: World,
  market: Market,
  kind: 'resolve' | 'void',
  yesPays: number,
  emitBeginning: (poolUnits: number) => void,
): void {
  market.pool = 10_000 * pairsOf(market);
  market.ending = { kind, yesPays };
  market.phase = 'settling';
  market.clockSet = false;
  market.closing = false;
  emitBeginning(market.pool);
  cancelChunk(world, market);
}

/**
 * Cancels a chunk of orders while any rest; then settles holders, in the order of each account's first order in the
 * market, YES before NO.
 */
export function continueRun(world: World, command: CommandOf<'ContinueRun'>): Verdict {
  const market = findMarket(world, command.marketId);
  if (market === undefined || (!isClosing(market) && market.phase !== 'settling')) return UNCHANGED;
  if (restingOf(market) > 0) cancelChunk(world, market);
  else settleChunk(world, market);
  return { kind: 'accepted', events: world.emitted };
}

const restingOf = (market: Market): number => market.bids.length + market.asks.length;

/** Cancels bids from the best, then asks from the best; at each price the oldest first. */
function cancelChunk(world: World, market: Market): void {
  const orders = [...market.bids, ...market.asks];
  for (const order of orders.slice(0, world.settings.runChunk)) {
    cancelResting(world, order, market.ending === null ? 'market_closed' : 'market_resolved');
    if (market.ending !== null) market.cancelled += 1;
  }
}

function settleChunk(world: World, market: Market): void {
  let left = world.settings.runChunk;
  for (const position of market.positions.values()) {
    for (const outcome of ['yes', 'no'] as const) {
      if (position.shares[outcome] === 0) continue;
      if (left === 0) return;
      left -= 1;
      settle(world, market, position, outcome);
    }
  }
  market.positions.clear();
  market.phase = market.ending?.kind === 'void' ? 'void' : 'resolved';
  emit(world, 'MarketSettled', {
    cancelledOrders: market.cancelled,
    marketId: market.id,
    paidUnits: market.paid,
    settledAccounts: market.settledAccounts.size,
  });
}

function settle(world: World, market: Market, position: Position, outcome: 'yes' | 'no'): void {
  const account = accountOf(world, position.accountId);
  if (market.ending === null) throw new Error('a settlement needs an ending');
  const shares = position.shares[outcome];
  const payout = shares * (outcome === 'yes' ? market.ending.yesPays : 10_000 - market.ending.yesPays);
  const costUnits = position.cost[outcome];
  account.cash += payout;
  market.pool -= payout;
  market.paid += payout;
  position.shares[outcome] = 0;
  position.cost[outcome] = 0;
  market.settledAccounts.add(account.id);
  emit(world, 'PositionSettled', {
    accountId: account.id,
    costUnits,
    marketId: market.id,
    outcome,
    payoutUnits: payout,
    shares,
  });
}
