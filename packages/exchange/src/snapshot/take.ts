import type { Account } from '../account.ts';
import type { BookSide, Level, Order } from '../book.ts';
import type { Market } from '../market.ts';
import type { State } from '../state.ts';
import { SNAPSHOT_VERSION, type MarketFields, type SnapshotLine } from './lines.ts';

/**
 * All that a state holds, as lines of plain data from which a `Restoration` makes it again. The same events give the
 * same lines, whether folded from the first or from an earlier snapshot. Two caches stay behind, of which no decision
 * depends: State.lastMarket and Account.lastPlace.
 *
 * @throws Error within a decision, while an order's fills are not all applied.
 */
export function* snapshot(state: State): Generator<SnapshotLine, void, undefined> {
  let lines = 0;
  for (const line of contents(state)) {
    lines += 1;
    yield line;
  }
  yield ['end', lines];
}

function* contents(state: State): Generator<SnapshotLine, void, undefined> {
  if (state.incoming !== null) {
    throw new Error(`a snapshot after event ${state.seq} would be within a decision`);
  }
  const { seq, lastAt, epoch, settings, grantedUnits } = state;
  yield ['state', { version: SNAPSHOT_VERSION, seq, lastAt, epoch, settings, grantedUnits }];
  const numbers = new Map<Account, number>();
  yield* accountLines(state, numbers);
  for (const key of state.keys.values()) {
    yield ['key', key.id, key.hash, numberOf(numbers, key.account), key.permissions, key.revoked];
  }
  for (const market of state.markets.values()) {
    yield ['market', marketFields(market)];
    yield* bookLines(market, numbers);
  }
  for (const marketId of state.runs.keys()) {
    yield ['run', marketId];
  }
  for (const [key, signalSeq] of state.signals) {
    yield ['signal', key, signalSeq];
  }
  for (const entry of state.idempotency.oldestFirst()) {
    yield ['idempotency', entry.scope, entry.fingerprint, entry.at, entry.seq];
  }
}

/** The accounts, which are numbered on the way. */
function* accountLines(state: State, numbers: Map<Account, number>): Generator<SnapshotLine, void, undefined> {
  for (const account of state.accounts.values()) {
    numbers.set(account, numbers.size);
    yield [
      'account',
      account.id,
      account.displayName,
      account.createdAt,
      account.startingBalanceUnits,
      account.primary === null ? null : numberOf(numbers, account.primary),
      account.approved,
      account.cashUnits,
      account.reservedUnits,
      account.openOrders,
      account.liveKeys,
      account.subAccounts,
    ];
  }
}

function* bookLines(market: Market, accounts: ReadonlyMap<Account, number>): Generator<SnapshotLine, void, undefined> {
  const places = new Map<Account, number>();
  for (const place of market.places) {
    places.set(place.account, places.size);
    yield [
      'place',
      numberOf(accounts, place.account),
      place.yes,
      place.no,
      place.yesCostUnits,
      place.noCostUnits,
      place.yesReserved,
      place.noReserved,
      place.settled,
    ];
  }
  yield* orderLines(market.book.yes, places);
  yield* orderLines(market.book.no, places);
}

function* orderLines(side: BookSide, places: ReadonlyMap<Account, number>): Generator<SnapshotLine, void, undefined> {
  for (let level: Level | null = side.best; level !== null; level = side.worse(level)) {
    for (let order: Order | null = level.head; order !== null; order = order.next) {
      const place = numberOf(places, order.position.account);
      yield ['order', order.id, place, order.outcome, order.side, order.priceUnits, order.remaining];
    }
  }
}

function numberOf(numbers: ReadonlyMap<Account, number>, account: Account): number {
  const number = numbers.get(account);
  if (number === undefined) {
    throw new Error(`account ${account.id} is not where its state names it`);
  }
  return number;
}

function marketFields(market: Market): MarketFields {
  return {
    id: market.id,
    bodyHash: market.bodyHash,
    category: market.category,
    companySlug: market.companySlug,
    createdAt: market.createdAt,
    priorUnits: market.priorUnits,
    sector: market.sector,
    settlementSource: market.settlementSource,
    tickUnits: market.tickUnits,
    ticker: market.ticker,
    citationUrl: market.citationUrl,
    closesAt: market.closesAt,
    companyImpact: market.companyImpact,
    description: market.description,
    drivers: market.drivers,
    title: market.title,
    phase: market.phase,
    pairs: market.pairs,
    poolUnits: market.poolUnits,
    volume: market.volume,
    lastTradeUnits: market.lastTradeUnits,
    lastSeq: market.lastSeq,
    resolvedOutcome: market.resolvedOutcome,
    yesPayoutUnits: market.yesPayoutUnits,
    resolvedAt: market.resolvedAt,
    run: market.run,
    settlement: market.settlement,
    cancelledInRun: market.cancelledInRun,
    settledInRun: market.settledInRun,
    paidInRunUnits: market.paidInRunUnits,
    settledUpTo: market.settledUpTo,
    closeIndex: market.closeIndex,
  };
}
