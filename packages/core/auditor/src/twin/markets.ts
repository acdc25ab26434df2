import type { CommandOf } from '../events/judged-commands.ts';
import { hasEnded, isClosing } from './runs.ts';
import { DAY_MS, decidedAt, findMarket, refuse, emit, UNCHANGED } from './world.ts';
import type { Market, Verdict, World } from './world.ts';

/** The same listing again changes nothing; another one with the same id is a conflict. */
export function listMarket(world: World, command: CommandOf<'ListMarket'>): Verdict {
  const existing = findMarket(world, command.marketId);
  if (existing !== undefined) {
    return existing.bodyHash === command.bodyHash ? UNCHANGED : refuse('idempotency_conflict');
  }
  const isPast = decidedAt(world) >= command.closesAt;
  if (isPast && command.phase !== 'closed' && world.rulesVersion >= 5) return refuse('validation_failed');
  const { bodyHash, category, citationUrl, closesAt, companyImpact, companySlug, description, drivers } = command;
  const { marketId, phase, priorUnits, sector, settlementSource, tickUnits, ticker, title } = command;
  const market: Market = {
    id: marketId,
    bodyHash,
    tick: tickUnits,
    prior: priorUnits,
    amendable: { citationUrl, closesAt, companyImpact, description, drivers, title },
    phase,
    clockSet: phase === 'active' && !isPast,
    ordersEnd: phase === 'closed' || !isPast,
    lastTrade: null,
    volume: 0,
    ending: null,
    closing: false,
    pool: 0,
    cancelled: 0,
    settledAccounts: new Set(),
    paid: 0,
    bids: [],
    asks: [],
    positions: new Map(),
  };
  world.markets.set(marketId, market);
  if (market.clockSet) world.closings.add(closesAt, 0, market);
  emit(world, 'MarketListed', {
    bodyHash,
    category,
    citationUrl,
    closesAt,
    companyImpact,
    companySlug,
    description,
    drivers,
    marketId,
    phase,
    priorUnits,
    sector,
    settlementSource,
    tickUnits,
    ticker,
    title,
  });
  return { kind: 'accepted', events: world.emitted };
}

/** Changes fields that no trade depends on; absent fields stay unchanged. */
export function amendMarket(world: World, command: CommandOf<'AmendMarket'>): Verdict {
  const market = findMarket(world, command.marketId);
  if (market === undefined) return refuse('market_not_found');
  if (hasEnded(market)) return refuse('market_already_resolved');
  const before = market.amendable;
  const after = {
    citationUrl: command.citationUrl ?? before.citationUrl,
    closesAt: command.closesAt ?? before.closesAt,
    companyImpact: command.companyImpact ?? before.companyImpact,
    description: command.description ?? before.description,
    drivers: command.drivers ?? before.drivers,
    title: command.title ?? before.title,
  };
  if (JSON.stringify(after) === JSON.stringify(before)) return UNCHANGED;
  const isMoved = after.closesAt !== before.closesAt;
  if (world.rulesVersion >= 2 && isMoved && after.closesAt <= Math.max(command.at, world.lastAt)) {
    return refuse('validation_failed');
  }
  market.amendable = after;
  if (isMoved) {
    market.ordersEnd = true;
    setClock(world, market, command.at);
  }
  emit(world, 'MarketAmended', { marketId: market.id, ...after });
  return { kind: 'accepted', events: world.emitted };
}

/** Activates a scheduled, paused or closed market; pauses an active one. */
export function activateOrPause(world: World, command: CommandOf<'ActivateMarket' | 'PauseMarket'>): Verdict {
  const market = findMarket(world, command.marketId);
  if (market === undefined) return refuse('market_not_found');
  if (hasEnded(market)) return refuse('market_already_resolved');
  const target = command.type === 'ActivateMarket' ? 'active' : 'paused';
  if (market.phase === target) return UNCHANGED;
  if (target === 'paused' && market.phase !== 'active') return refuse('market_not_active');
  if (isClosing(market)) return refuse('market_not_active');
  market.phase = target;
  market.closing = false;
  setClock(world, market, command.at);
  emit(world, target === 'active' ? 'MarketActivated' : 'MarketPaused', { marketId: market.id });
  return { kind: 'accepted', events: world.emitted };
}

function setClock(world: World, market: Market, at: number): void {
  market.clockSet = market.phase === 'active' && market.amendable.closesAt > Math.max(at, world.lastAt);
  if (market.clockSet) world.closings.add(market.amendable.closesAt, 0, market);
}

/** Records a signal once for each source and external id. */
export function recordSignal(world: World, command: CommandOf<'RecordSignal'>): Verdict {
  const { source, externalId } = command;
  const name = JSON.stringify([source, externalId]);
  if (world.signals.has(name)) return UNCHANGED;
  if (command.marketId !== null) {
    const market = findMarket(world, command.marketId);
    if (market === undefined) return refuse('market_not_found');
    if (hasEnded(market)) return refuse('market_already_resolved');
  }
  const isAhead = command.publishedAt - decidedAt(world) > DAY_MS;
  if (isAhead && world.rulesVersion >= 5) return refuse('validation_failed');
  world.signals.add(name);
  emit(world, 'SignalRecorded', {
    citationUrl: command.citationUrl,
    confidence: command.confidence,
    event: command.event,
    externalId,
    factValue: command.factValue,
    fairProb: command.fairProb,
    freshnessMs: command.freshnessMs,
    headline: command.headline,
    marketId: command.marketId,
    publishedAt: command.publishedAt,
    source,
    threshold: command.threshold,
  });
  return { kind: 'accepted', events: world.emitted };
}
