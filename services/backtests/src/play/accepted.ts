import type { Decision } from '@paper/exchange';
import type { ExchangeEvent } from '@paper/exchange/events';

/**
 * The events of a command that must be accepted.
 * @throws Error when it was not accepted, since the tape cannot be played then
 */
export function requireAccepted(decision: Decision): readonly ExchangeEvent[] {
  if (decision.kind === 'accepted') return decision.events;
  throw new Error(
    decision.kind === 'rejected'
      ? `the tape cannot be played: ${decision.code}: ${decision.message}`
      : `the tape cannot be played: a command was ${decision.kind}`,
  );
}
