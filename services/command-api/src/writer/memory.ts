import { evolve, type Command, type ExchangeEvent, type State } from '@paper/exchange';
import { encodeDecision, type EncodedDecision, type Head } from '@paper/journal';

/** The exchange as decided so far, and the end of the journal as it will be when all of that is durable. */
export interface Memory {
  readonly state: State;
  readonly head: Head;
}

/**
 * Lays the decision down as it follows on `head`. The salt, new for each, makes the digest of an event's private part
 * tell nothing about it to who does not have that part. Throws on a command that has no canonical text: a bug.
 */
export function encode(command: Command, events: readonly ExchangeEvent[], head: Head, salt: string): EncodedDecision {
  return encodeDecision({ command, events, head, salt });
}

/** What was decided happens. Changes the state in place; when it throws, the state is good for nothing any more. */
export function apply(state: State, events: readonly ExchangeEvent[], command: Command): void {
  events.forEach((event, index) => evolve(state, event, index === 0 ? command : null));
}
