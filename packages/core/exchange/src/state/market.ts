import { reject } from '../decision.ts';
import type { Rejection } from '../decision.ts';
import type { EventOf, MarketListed } from '../events.ts';
import { midpointHalfUnits } from '../money.ts';
import { SHARE_UNITS, inOwnTerms } from '../vocabulary.ts';
import type { Outcome, Phase } from '../vocabulary.ts';
import { Position } from './account.ts';
import type { Account } from './account.ts';
import { Book } from './book.ts';
import { PositionIndex } from './position-index.ts';
import type { Timed } from './timer-queue.ts';

/** A close, resolution or void that is carried out in pieces: bounded decisions make its cancels and payments. */
export interface Run {
  readonly kind: 'close' | 'resolve' | 'void';
  readonly commandId: string;
}

/** The totals of a market's end. */
export type Settlement = Pick<EventOf<'MarketSettled'>, 'cancelledOrders' | 'paidUnits' | 'settledAccounts'>;

/** The book of all ended markets. It stays empty, since an ended market accepts no order. */
const ENDED_BOOK = new Book(SHARE_UNITS / 100);

/** A market with its book and its positions. An ended market drops both and keeps the rest. */
export class Market implements Timed {
  readonly id: string;
  readonly bodyHash: string;
  readonly category: string;
  readonly companySlug: string;
  readonly createdAt: number;
  readonly priorUnits: number;
  readonly sector: string;
  readonly settlementSource: string;
  readonly tickUnits: number;
  readonly ticker: string;
  citationUrl: string | null;
  closesAt: number;
  /** Whether the clock enforces closesAt: it was in the future when set, or the market was listed as closed. */
  hasClosingTime: boolean;
  companyImpact: number;
  description: string | null;
  drivers: readonly string[];
  title: string;

  phase: Phase;
  book: Book;
  pairs = 0;
  poolUnits = 0;
  volume = 0;
  lastTradeUnits: number | null = null;
  /** The sequence of the last event that named this market. */
  lastSeq = 0;

  /** Set by MarketResolved; null for a void. */
  resolvedOutcome: Outcome | null = null;
  /** The payout of one YES share; set by MarketResolved and MarketVoided. */
  yesPayoutUnits: number | null = null;
  resolvedAt: number | null = null;
  run: Run | null = null;
  settlement: Settlement | null = null;
  cancelledInRun = 0;
  settledInRun = 0;
  paidInRunUnits = 0;
  /** Positions before this index are settled. */
  settledUpTo = 0;

  heapIndex = -1;
  #positionIndex = new PositionIndex();

  /** Makes a listed market; `rank`: its index in the order of listing. */
  constructor(
    listed: MarketListed,
    readonly rank: number,
  ) {
    this.id = listed.marketId;
    this.bodyHash = listed.bodyHash;
    this.category = listed.category;
    this.companySlug = listed.companySlug;
    this.createdAt = listed.at;
    this.priorUnits = listed.priorUnits;
    this.sector = listed.sector;
    this.settlementSource = listed.settlementSource;
    this.tickUnits = listed.tickUnits;
    this.ticker = listed.ticker;
    this.citationUrl = listed.citationUrl;
    this.closesAt = listed.closesAt;
    this.hasClosingTime = listed.phase === 'closed' || listed.closesAt > listed.at;
    this.companyImpact = listed.companyImpact;
    this.description = listed.description;
    this.drivers = listed.drivers;
    this.title = listed.title;
    this.phase = listed.phase;
    this.book = new Book(listed.tickUnits);
  }

  get dueAt(): number {
    return this.closesAt;
  }

  /** All positions, in the order of each account's first order in this market. They are settled in this order. */
  get positions(): readonly Position[] {
    return this.#positionIndex.list;
  }

  positionOf(account: Account): Position | null {
    const last = account.lastPosition;
    return last !== null && last.marketId === this.id ? last : this.#positionIndex.find(account);
  }

  getOrOpenPosition(account: Account): Position {
    const position = this.positionOf(account) ?? this.openPosition(account);
    account.lastPosition = position;
    return position;
  }

  openPosition(account: Account): Position {
    const position = new Position(account, this.id);
    this.#positionIndex.add(position);
    return position;
  }

  end(): void {
    this.book = ENDED_BOOK;
    this.#positionIndex = new PositionIndex();
    this.settledUpTo = 0;
  }

  /** Whether the closing time has passed at `at`. From rules version 2 on, such a market accepts no orders. */
  isPastClose(at: number): boolean {
    return this.hasClosingTime && at >= this.closesAt;
  }

  /** True once the market is resolved or voided: it then accepts no further order or change. */
  get ended(): boolean {
    return this.phase === 'settling' || this.phase === 'resolved' || this.phase === 'void';
  }

  alreadyEnded(): Rejection {
    const end = this.resolvedOutcome === null ? 'void' : `resolved ${this.resolvedOutcome}`;
    return reject('market_already_resolved', `The market is ${end} already.`);
  }

  /** The YES probability in half units: the midpoint of a narrow enough spread, else the last trade, else the prior. */
  probabilityHalfUnits(): number {
    if (this.yesPayoutUnits !== null) return 2 * this.yesPayoutUnits;
    const { bestBidUnits, bestAskUnits } = this.book;
    return midpointHalfUnits(bestBidUnits, bestAskUnits) ?? 2 * (this.lastTradeUnits ?? this.priorUnits);
  }

  /** The payout of one share of this outcome, once the market is resolved or voided. */
  payoutUnits(outcome: Outcome): number {
    return inOwnTerms(outcome, this.yesPayoutUnits ?? 0);
  }
}
