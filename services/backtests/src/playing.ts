import type { Decision, State } from '@paper/exchange';
import type { Actor, Command, CommandBase } from '@paper/exchange/commands';
import type { TapeEvent, TapeSummary } from '@paper/tapes';
import type { BacktestSettings } from './protocol.ts';

/** A command without the fields that the exchange adds: its time, its ids and its actor. */
export type PlayedCommand = Command extends infer C ? (C extends Command ? Omit<C, keyof CommandBase> : never) : never;

/** The exchange in which a tape is played. */
export interface PlayedExchange {
  /** The time of the clock in ms since 1970 UTC. The clock stands still while a moment is played. */
  readonly now: () => number;
  /** The state on which the next command is decided. */
  readonly state: () => State;
  /**
   * A new id (UUIDv7) for a field of a command, such as `orderId`. The id in the journal is a different one, which the
   * decision creates: read it from the decision's events.
   */
  readonly newId: () => string;
  /** Sends a command. Resolves with its decision, even a rejection, once the decision is appended. */
  readonly submit: (by: Actor, command: PlayedCommand) => Promise<Decision>;
}

/** Plays one tape in one exchange, driven by the backtest's process. `createPlayer` makes it. */
export interface Player {
  /** The shares of the tape that were not played, since the house accounts lacked the money. */
  readonly unfunded: number;
  /** Opens the house accounts and lists the tape's markets. The clock must be at the first moment. */
  start(): Promise<{ readonly mirror: string; readonly flow: string }>;
  /** Folds an event before the first moment without sending a command. Call it in order, after `start`. */
  skip(event: TapeEvent): void;
  /**
   * Plays all of the tape's events of one millisecond, which is the clock's time. The first call also plays the book of
   * the skipped events. There may be no events.
   */
  playMoment(events: readonly TapeEvent[]): Promise<void>;
}

/** Makes the player of a tape. */
export type CreatePlayer = (parts: {
  readonly exchange: PlayedExchange;
  readonly tape: TapeSummary;
  readonly settings: BacktestSettings;
}) => Player;
