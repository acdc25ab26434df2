import type { ExchangeEvent } from '@paper/exchange/events';
import type { MarketFold } from '../models/markets/market-fold.ts';

/** The account and the markets that an answer shows. */
export interface ShownSubjects {
  readonly accountId: string;
  /** The markets whose names, phase or outcome are shown. */
  readonly marketIds: Iterable<string>;
  /** The markets whose probability is shown. */
  readonly valuedMarketIds: Iterable<string>;
}

interface MarketChanges {
  /** The last event that may have changed more of the market than its book. */
  shownSeq: number;
  probabilitySeq: number;
  probabilityHalfUnits: number;
}

/** The most accounts, and markets, whose changes are known: some 100 bytes each. */
const SUBJECTS_MAX = 50_000;

/**
 * The sequences at which accounts and markets last changed in a schema, recorded as the projector folds events. They
 * tell that an answer read at one sequence is the same at a later one, without a query.
 */
export class RecentChanges {
  #schema = '';
  /** All changes after this sequence, up to `#seq`, are known. */
  #knownFrom = 0;
  #seq = -1;
  readonly #accounts = new Map<string, number>();
  readonly #markets = new Map<string, MarketChanges>();

  /** @param subjectsMax the number of accounts, or markets, at which all recorded changes are dropped */
  constructor(private readonly subjectsMax = SUBJECTS_MAX) {}

  /** Begins at the checkpoint of an opened schema; no earlier change is known. */
  restart(schema: string, seq: number): void {
    this.#schema = schema;
    this.#seq = seq;
    this.#forgetUpTo(seq);
  }

  /** @param market the event's market, just after the event; null for an event of no market */
  record(event: ExchangeEvent, seq: number, market: MarketFold | null): void {
    this.#seq = seq;
    if (event.type === 'OrderFilled') {
      this.#accounts.set(event.makerAccountId, seq);
      this.#accounts.set(event.takerAccountId, seq);
    }
    if ('accountId' in event) this.#accounts.set(event.accountId, seq);
    if ('primaryAccountId' in event) this.#accounts.set(event.primaryAccountId, seq);
    if (market !== null) this.#recordMarket(market, seq, !('accountId' in event) && event.type !== 'OrderFilled');
    if (this.#accounts.size > this.subjectsMax || this.#markets.size > this.subjectsMax) this.#forgetUpTo(seq);
  }

  /** True if certainly no event after `fromSeq`, up to `toSeq`, changed the shown subjects. */
  isUnchanged(schema: string, fromSeq: number, toSeq: number, shown: ShownSubjects): boolean {
    if (schema !== this.#schema || fromSeq < this.#knownFrom || toSeq > this.#seq) return false;
    if ((this.#accounts.get(shown.accountId) ?? 0) > fromSeq) return false;
    for (const id of shown.marketIds) if ((this.#markets.get(id)?.shownSeq ?? 0) > fromSeq) return false;
    for (const id of shown.valuedMarketIds) if ((this.#markets.get(id)?.probabilitySeq ?? 0) > fromSeq) return false;
    return true;
  }

  #recordMarket(market: MarketFold, seq: number, isShown: boolean): void {
    const probabilityHalfUnits = market.probabilityHalfUnits();
    const known = this.#markets.get(market.id);
    if (known === undefined) {
      // The probability before this event is unknown, so it counts as changed.
      this.#markets.set(market.id, { shownSeq: isShown ? seq : 0, probabilitySeq: seq, probabilityHalfUnits });
      return;
    }
    if (isShown) known.shownSeq = seq;
    if (known.probabilityHalfUnits === probabilityHalfUnits) return;
    known.probabilitySeq = seq;
    known.probabilityHalfUnits = probabilityHalfUnits;
  }

  #forgetUpTo(seq: number): void {
    this.#knownFrom = seq;
    this.#accounts.clear();
    this.#markets.clear();
  }
}
