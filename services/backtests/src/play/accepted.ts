import type { Decision } from '@paper/exchange';
import type { ExchangeEvent } from '@paper/exchange/events';

/** The events of a command that has to be accepted. Throws where it was not: then the tape cannot be played. */
export function requireAccepted(decision: Decision): readonly ExchangeEvent[] {
  if (decision.kind === 'accepted') return decision.events;
  throw new Error(
    decision.kind === 'rejected'
      ? `the tape cannot be played: ${decision.code}: ${decision.message}`
      : `the tape cannot be played: a command was ${decision.kind}`,
  );
}
