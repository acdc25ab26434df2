import type { Outcome } from '@paper/exchange/vocabulary';
import { isObject } from '@paper/importers';
import type { BookSide } from './tape-event.ts';

/**
 * A message from a line of any format, before the steps that all tapes share: setting the clock, joining trades,
 * skipping invalid parts. A format only reads lines; it need not check ranges. Null stands for an unreadable value,
 * except in `exchangeMs` and `taker`, where it stands for a value that the line lacks. Prices are units of a YES share,
 * sizes millionths of a share.
 */
export type Message = LevelsMessage | ChangeMessage | TradeMessage | OutcomeMessage | ListedMessage;

interface OfMarket {
  /** The time of receipt, or else the time of the event, in ms; null for the time of the previous line. */
  readonly atMs: number | null;
  readonly market: unknown;
}

export interface ReadLevel {
  readonly priceUnits: number | null;
  readonly sizeMicros: number | null;
}

/** The levels of both sides, in any order. */
export interface LevelsMessage extends OfMarket {
  readonly kind: 'levels';
  readonly bids: readonly ReadLevel[];
  readonly asks: readonly ReadLevel[];
}

/** An increase or decrease of a level. */
export interface ChangeMessage extends OfMarket {
  readonly kind: 'change';
  readonly side: BookSide;
  readonly priceUnits: number | null;
  readonly deltaMicros: number | null;
  /** The venue's own time, which trades and the changes of their levels have in common. */
  readonly exchangeMs: number | null;
}

export interface TradeMessage extends OfMarket, ReadLevel {
  readonly kind: 'trade';
  readonly taker: Outcome | null;
  readonly exchangeMs: number | null;
  /** True if the trade itself reduces its level, so that no separate change follows. */
  readonly movesLevel?: true;
}

export interface OutcomeMessage extends OfMarket {
  readonly kind: 'outcome';
  readonly outcome: Outcome | 'void';
  readonly priceUnits: number | null;
}

/** Facts about a market from the stream itself. Any of them may be absent. */
export interface ListedMessage extends OfMarket {
  readonly kind: 'listed';
  readonly title?: string;
  readonly closesAtMs?: number;
  readonly tickUnits?: number;
  readonly priorUnits?: number;
}

/** Reads the lines of one tape in order. */
export interface LineReader {
  /**
   * Returns the line's messages: an empty list if the line has another subject; null if it is no message of the format.
   */
  read(line: string): readonly Message[] | null;
}

/** A format of tapes. Each format is a file in `formats`, and an entry in formats/index.ts. */
export interface TapeFormat {
  /** The name in answers of the API. */
  readonly name: string;
  /** The name for people. */
  readonly title: string;
  /** Whether the format has only trades without levels. Such trades are played against an invented ladder. */
  readonly synthetic: boolean;
  /** Whether a tape with this first readable line has this format. */
  recognizes(line: string): boolean;
  createReader(): LineReader;
}

/** Parses the line as a JSON object; returns null for anything else. */
export function objectOf(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
