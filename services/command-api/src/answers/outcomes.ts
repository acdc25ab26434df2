import type { EventType, ExchangeEvent } from '@paper/exchange';
import type { Outcome } from '@paper/command-side';

/**
 * The events that an answer is made from. Throws where there are none: a caller expects at least one, so this is a bug.
 */
export function eventsOf(outcome: Outcome): readonly ExchangeEvent[] {
  if (outcome.kind === 'accepted' || outcome.kind === 'replayed') return outcome.events;
  throw new Error(`an answer is made of events, and the outcome is ${outcome.kind}`);
}

/** The decision's event of this type. Throws where there is none, which is a bug. */
export function eventOf<T extends EventType>(outcome: Outcome, type: T): Extract<ExchangeEvent, { type: T }> {
  const isIt = (event: ExchangeEvent): event is Extract<ExchangeEvent, { type: T }> => event.type === type;
  const event = eventsOf(outcome).find(isIt);
  if (event === undefined) throw new Error(`the decision has no ${type}`);
  return event;
}
