import type { Outcome } from '@paper/exchange/vocabulary';
import type { RecordCommand } from '@paper/importers';

/**
 * The neutral sequence: what any tape becomes. Prices are units of $0.0001 of a YES share, sizes are millionths of a
 * share, times are ms since 1970 UTC and never go back.
 */
export type TapeEvent = LevelsEvent | LevelEvent | TradeEvent | OutcomeEvent | NewsEvent;

/** A side of the book in YES terms: a bid for NO at 0.30 is an ask at 0.70. */
export type BookSide = 'bid' | 'ask';

export interface Level {
  readonly priceUnits: number;
  /** 0: nothing rests there any more. */
  readonly sizeMicros: number;
}

export interface SidedLevel extends Level {
  readonly side: BookSide;
}

interface OfMarket {
  readonly atMs: number;
  readonly market: string;
}

/** All of both sides, the best level first. Whatever rested before and is not among them is gone. */
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
  /** What the taker bought: `yes` takes asks, `no` takes bids. Null: unknown, and no level moves. */
  readonly taker: Outcome | null;
  /** What rests at the price afterwards. Null: the tape does not say, so the level loses the size, down to 0. */
  readonly levelAfterMicros: number | null;
}

export interface OutcomeEvent extends OfMarket {
  readonly kind: 'outcome';
  readonly outcome: Outcome | 'void';
  /** The payout of a YES share, where the market is void; else null. */
  readonly priceUnits: number | null;
}

/** An own news item beside the tape, at its time of publication. */
export interface NewsEvent {
  readonly kind: 'news';
  readonly atMs: number;
  readonly signal: RecordCommand;
}

/** The side whose level a taker of this outcome takes from. */
export const sideTakenBy = (taker: Outcome): BookSide => (taker === 'yes' ? 'ask' : 'bid');
