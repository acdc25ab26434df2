import type { Outcome } from '@paper/exchange/vocabulary';
import { isObject } from '@paper/importers';
import type { BookSide, Level, LevelsEvent, OutcomeEvent } from './tape-event.ts';

/**
 * A message of any format, before the steps that all tapes share (clock, joined trades, skips); ranges are not checked.
 * Prices and sizes have the units of events; NaN is an unreadable one. Null is a missing time or taker.
 */
export type Message = LevelsMessage | ChangeMessage | TradeMessage | OutcomeMessage | ListedMessage;

interface OfMarket {
  /** The time of receipt, else of the event; null: the time of the previous line. */
  readonly atMs: number | null;
  readonly market: unknown;
}

export type LevelsMessage = OfMarket & Omit<LevelsEvent, keyof OfMarket>;
type OutcomeMessage = OfMarket & Omit<OutcomeEvent, keyof OfMarket>;

/** An increase or decrease of a level. */
export interface ChangeMessage extends OfMarket {
  readonly kind: 'change';
  readonly side: BookSide;
  readonly priceUnits: number;
  readonly deltaMicros: number;
  /** The venue's own time, which a trade and the change of its level have in common. */
  readonly exchangeMs: number | null;
}

export interface TradeMessage extends OfMarket, Level {
  readonly kind: 'trade';
  readonly taker: Outcome | null;
  readonly exchangeMs: number | null;
  /** Whether the trade itself reduces its level, so that no separate change follows. */
  readonly movesLevel?: true;
}

/** Facts about the market, each of which may be missing in the stream. */
interface ListedMessage extends OfMarket {
  readonly kind: 'listed';
  readonly title?: string;
  readonly closesAtMs?: number;
  readonly tickUnits?: number;
  readonly priorUnits?: number;
}

/** Reads a line. Returns no messages if it has another subject; null if it is no message of the format. */
export type LineReader = (line: string) => readonly Message[] | null;

/** Each format is a file in `formats`, and an entry in formats/index.ts. */
export interface TapeFormat {
  /** The name in answers of the API. */
  readonly name: string;
  /** The name for people. */
  readonly title: string;
  /** Whether the format has only trades, which are then played against an invented order book. */
  readonly synthetic: boolean;
  /** Whether a tape with this first readable line has the format. */
  recognizes(line: string): boolean;
  /** Creates a reader of the lines of one tape, in their order. */
  createReader(): LineReader;
}

/** The line as a JSON object; null for anything else. */
export function objectOf(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
