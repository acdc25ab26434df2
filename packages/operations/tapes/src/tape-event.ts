import type { Outcome } from '@paper/exchange/vocabulary';
import type { RecordCommand } from '@paper/importers';

/**
 * An event of the format that all tapes are converted to. Prices are units of $0.0001 of a YES share, sizes millionths
 * of a share, times ms since 1970 UTC that never decrease.
 */
export type TapeEvent = LevelsEvent | LevelEvent | TradeEvent | OutcomeEvent | NewsEvent;

/** A side of a book in YES terms: a bid for NO at 0.30 is an ask at 0.70. */
export type BookSide = 'bid' | 'ask';

export interface Level {
  readonly priceUnits: number;
  /** 0 removes the level. */
  readonly sizeMicros: number;
}

export interface SidedLevel extends Level {
  readonly side: BookSide;
}

interface OfMarket {
  readonly atMs: number;
  readonly market: string;
}

/** All levels of a book, the best first. Levels that are not listed are gone. */
export interface LevelsEvent extends OfMarket {
  readonly kind: 'levels';
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

export interface LevelEvent extends OfMarket, SidedLevel {
  readonly kind: 'level';
}

export interface TradeEvent extends OfMarket, Level {
  readonly kind: 'trade';
  /** What the taker bought: `yes` takes asks, `no` bids. Null: it is unknown, and no level changes. */
  readonly taker: Outcome | null;
  /** The size afterwards. Null: the tape does not say, so the level loses the trade's size, down to 0. */
  readonly levelAfterMicros: number | null;
}

export interface OutcomeEvent extends OfMarket {
  readonly kind: 'outcome';
  readonly outcome: Outcome | 'void';
  /** The payout of a YES share of a void market. */
  readonly priceUnits: number | null;
}

/** A news item at its time of publication. */
export interface NewsEvent {
  readonly kind: 'news';
  readonly atMs: number;
  readonly signal: RecordCommand;
}

/** The side whose levels a taker of this outcome reduces. */
export const sideTakenBy = (taker: Outcome): BookSide => (taker === 'yes' ? 'ask' : 'bid');
