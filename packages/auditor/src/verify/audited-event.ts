import { decode, type StoredEvent } from '@paper/journal';
import type { JudgedCommand } from '../judged-commands.ts';
import type { JudgedEvent } from '../judged-events.ts';
import { Fault } from './fault.ts';

/** An event as it is judged by what it says. */
export interface AuditedEvent {
  readonly stored: StoredEvent;
  /** How many events the decision has, and the whole command; null but on its first event. */
  readonly decisionEvents: number | null;
  readonly command: JudgedCommand | null;
  /** In its current version. */
  readonly event: JudgedEvent;
}

/** Reads a stored event. @throws Fault for what cannot be read. */
export function readEvent(stored: StoredEvent): AuditedEvent {
  try {
    const { command, decisionEvents, event } = decode(stored);
    // The auditor has its own declarations of both. What is not so shows in the schema, or when it is decided again.
    return { stored, decisionEvents, command, event };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Fault('schema', stored.seq, stored, `the event cannot be read: ${reason}`, 'an event of FORMAT.md');
  }
}
