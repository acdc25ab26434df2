import { evolve } from '@paper/exchange';
import type { Command, ExchangeEvent, State } from '@paper/exchange';
import { encodeDecision } from '@paper/journal';
import type { EncodedDecision, Head } from '@paper/journal';

/** The exchange's state as decided so far, and the head of the journal once all of that is durable. */
export interface FoldedState {
  readonly state: State;
  readonly head: Head;
}

/**
 * Encodes the decision that follows `head`. The salt, new for each decision, keeps the digest of an event's private part
 * from revealing that part. Throws on a command that has no canonical text: a bug.
 */
export function encode(command: Command, events: readonly ExchangeEvent[], head: Head, salt: string): EncodedDecision {
  return encodeDecision({ command, events, head, salt });
}

/** Applies the decision to the state in place. When it throws, the state must be dropped. */
export function apply(state: State, events: readonly ExchangeEvent[], command: Command): void {
  events.forEach((event, index) => evolve(state, event, index === 0 ? command : null));
}
