import type { Decision, State } from '@paper/exchange';
import type { Actor, Command, CommandBase } from '@paper/exchange/commands';
import type { TapeEvent, TapeSummary } from '@paper/tapes';
import type { BacktestSettings } from './protocol.ts';

/** A command without what the exchange adds: its time, its ids and its actor. */
export type PlayedCommand = Command extends infer C ? (C extends Command ? Omit<C, keyof CommandBase> : never) : never;

/** The exchange that a tape is played into. */
export interface PlayedExchange {
  /** The clock, ms since 1970 UTC; it stands still while a moment is played. */
  readonly now: () => number;
  /** The state that the next command is decided on. */
  readonly state: () => State;
  /**
   * A new id (UUIDv7) for a field of a command, such as `orderId`. The id that the journal has is another one, taken when
   * the decision appends: read it from the decision's events.
   */
  readonly newId: () => string;
  /** Sends a command, and resolves with its decision, also a rejection, once that is appended. */
  readonly submit: (by: Actor, command: PlayedCommand) => Promise<Decision>;
}

/** Plays one tape into one exchange: what a backtest's process drives. Made by `createPlayer`. */
export interface Player {
  /** Shares of the tape that were not played, since the houses had no money for them. */
  readonly unfunded: number;
  /** Opens the houses and lists the tape's markets. The clock is at the first moment already. */
  start(): Promise<{ readonly mirror: string; readonly flow: string }>;
  /** Folds an event before the first moment, in order: nothing is sent for it. Called after `start`. */
  skip(event: TapeEvent): void;
  /**
   * Plays all of the tape's events of one millisecond, which the clock shows. At the first one the book of the skipped
   * events is there too; it may have no event.
   */
  playMoment(events: readonly TapeEvent[]): Promise<void>;
}

/** Makes the player of a tape. */
export type CreatePlayer = (parts: {
  readonly exchange: PlayedExchange;
  readonly tape: TapeSummary;
  readonly settings: BacktestSettings;
}) => Player;
