import type { Outcome } from '@paper/exchange/vocabulary';
import { isObject } from '@paper/importers';
import type { BookSide } from './tape-event.ts';

/**
 * A message of a line of any format, before the rules that all tapes share: clock, joined trades, skipped parts. A format
 * reads; it need not check ranges. Null is a value that cannot be read, but for `exchangeMs` and `taker`, where the line
 * has none. Prices are units of a YES share, sizes millionths of a share.
 */
export type Message = LevelsMessage | ChangeMessage | TradeMessage | OutcomeMessage | ListedMessage;

interface OfMarket {
  /** When it was received, else when it happened, in ms; null: as the line before. */
  readonly atMs: number | null;
  readonly market: unknown;
}

export interface ReadLevel {
  readonly priceUnits: number | null;
  readonly sizeMicros: number | null;
}

/** All levels of both sides, in any order. */
export interface LevelsMessage extends OfMarket {
  readonly kind: 'levels';
  readonly bids: readonly ReadLevel[];
  readonly asks: readonly ReadLevel[];
}

/** A level gains or loses so much. */
export interface ChangeMessage extends OfMarket {
  readonly kind: 'change';
  readonly side: BookSide;
  readonly priceUnits: number | null;
  readonly deltaMicros: number | null;
  /** The venue's own time, by which trades find their levels. */
  readonly exchangeMs: number | null;
}

export interface TradeMessage extends OfMarket, ReadLevel {
  readonly kind: 'trade';
  readonly taker: Outcome | null;
  readonly exchangeMs: number | null;
  /** True where the trade itself takes the size from its level, so that no change follows. */
  readonly movesLevel?: true;
}

export interface OutcomeMessage extends OfMarket {
  readonly kind: 'outcome';
  readonly outcome: Outcome | 'void';
  readonly priceUnits: number | null;
}

/** Facts of a market from the stream itself, of which any may be absent. */
export interface ListedMessage extends OfMarket {
  readonly kind: 'listed';
  readonly title?: string;
  readonly closesAtMs?: number;
  readonly tickUnits?: number;
  readonly priorUnits?: number;
}

/** Reads the lines of one tape, one after the other. */
export interface LineReader {
  /** Gives the line's messages: none where it is about something else; null where it is no message of the format. */
  read(line: string): readonly Message[] | null;
}

/** A format of tapes: a file of `formats`, and a line of formats/index.ts. */
export interface TapeFormat {
  /** The name in answers of the API. */
  readonly name: string;
  /** The name for people. */
  readonly title: string;
  /** True for trades without levels, which are played against a ladder that we invent. */
  readonly synthetic: boolean;
  /** Whether a tape whose first readable line is this one is of the format. */
  recognizes(line: string): boolean;
  createReader(): LineReader;
}

/** Parses the line as a JSON object; null where it is something else. */
export function objectOf(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
