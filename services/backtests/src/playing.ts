import type { CommandFields } from '@paper/command-api';
import type { Decision, State } from '@paper/exchange';
import type { Actor } from '@paper/exchange/commands';

/** An exchange as far as a tape is played into it. */
export interface PlayedExchange {
  /** The time of the clock in ms since 1970 UTC. The clock stands still while a moment is played. */
  readonly now: () => number;
  readonly state: () => State;
  /** A new id (UUIDv7) for a field of a command. The journal has another one, to be read from the decision's events. */
  readonly newId: () => string;
  /** Sends a command. Resolves with its decision, even a rejection, once the decision is appended. */
  readonly submit: (by: Actor, command: CommandFields) => Promise<Decision>;
}
