import { listing, signal } from '../events/formats/command-formats.ts';
import type { CommandOf } from '../events/judged-commands.ts';
import { hasEnded, isClosing } from './runs.ts';
import { DAY_MS, decidedAt, refuse, emit, UNCHANGED } from './state.ts';
import type { Market, Verdict, TwinState } from './state.ts';

/** The same listing again changes nothing; another one with the same id is a conflict. */
export function listMarket(state: TwinState, command: CommandOf<'ListMarket'>): Verdict {
  const { bodyHash, citationUrl, closesAt, companyImpact, description, drivers, marketId, phase, title } = command;
  const existing = state.markets.get(marketId);
  if (existing !== undefined) return existing.bodyHash === bodyHash ? UNCHANGED : refuse('idempotency_conflict');
  const isPast = decidedAt(state) >= closesAt;
  if (isPast && phase !== 'closed' && state.rulesVersion >= 5) return refuse('validation_failed');
  const market: Market = {
    id: marketId,
    bodyHash,
    tick: command.tickUnits,
    prior: command.priorUnits,
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
  state.markets.set(marketId, market);
  if (market.clockSet) state.closings.add(closesAt, 0, market);
  return emit(state, 'MarketListed', pick(command, listing));
}

/** Changes fields that no trade depends on; absent fields stay unchanged. */
export function amendMarket(state: TwinState, command: CommandOf<'AmendMarket'>): Verdict {
  const market = state.markets.get(command.marketId);
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
  if (state.rulesVersion >= 2 && isMoved && after.closesAt <= Math.max(command.at, state.lastAt)) {
    return refuse('validation_failed');
  }
  market.amendable = after;
  if (isMoved) {
    market.ordersEnd = true;
    setClock(state, market, command.at);
  }
  return emit(state, 'MarketAmended', { marketId: market.id, ...after });
}

/** Activates a scheduled, paused or closed market; pauses an active one. */
export function activateOrPause(state: TwinState, command: CommandOf<'ActivateMarket' | 'PauseMarket'>): Verdict {
  const market = state.markets.get(command.marketId);
  if (market === undefined) return refuse('market_not_found');
  if (hasEnded(market)) return refuse('market_already_resolved');
  const target = command.type === 'ActivateMarket' ? 'active' : 'paused';
  if (market.phase === target) return UNCHANGED;
  if (target === 'paused' && market.phase !== 'active') return refuse('market_not_active');
  if (isClosing(market)) return refuse('market_not_active');
  market.phase = target;
  market.closing = false;
  setClock(state, market, command.at);
  return emit(state, target === 'active' ? 'MarketActivated' : 'MarketPaused', { marketId: market.id });
}

function setClock(state: TwinState, market: Market, at: number): void {
  market.clockSet = market.phase === 'active' && market.amendable.closesAt > Math.max(at, state.lastAt);
  if (market.clockSet) state.closings.add(market.amendable.closesAt, 0, market);
}

/** Records a signal once for each source and external id. */
export function recordSignal(state: TwinState, command: CommandOf<'RecordSignal'>): Verdict {
  const { source, externalId } = command;
  const name = JSON.stringify([source, externalId]);
  if (state.signals.has(name)) return UNCHANGED;
  if (command.marketId !== null) {
    const market = state.markets.get(command.marketId);
    if (market === undefined) return refuse('market_not_found');
    if (hasEnded(market)) return refuse('market_already_resolved');
  }
  const isAhead = command.publishedAt - decidedAt(state) > DAY_MS;
  if (isAhead && state.rulesVersion >= 5) return refuse('validation_failed');
  state.signals.add(name);
  return emit(state, 'SignalRecorded', pick(command, signal));
}

/** The command's values of these fields, which its event repeats. */
const pick = (command: Readonly<Record<string, unknown>>, fields: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, command[name]]));
