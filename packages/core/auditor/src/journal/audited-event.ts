import { decode, decodePublic } from '@paper/journal';
import type { StoredEvent } from '@paper/journal';
import type { JudgedCommand } from '../events/judged-commands.ts';
import type { JudgedEvent } from '../events/judged-events.ts';
import { Fault } from './fault.ts';

/** A stored event for an audit: whole, or with a digest instead of its withheld private text. */
export interface AuditableEvent extends StoredEvent {
  /** SHA-256 (hex) of the private text that was withheld; 64 zeros where the event never had one. */
  readonly privateDigest?: string;
}

/** An event, parsed for the checks of its content. */
export interface AuditedEvent {
  readonly stored: AuditableEvent;
  readonly commandId: string;
  /** The number of the decision's events, on its first event; null on the others. */
  readonly decisionEvents: number | null;
  /** The command, on the decision's first event; null on the others, and if its private part was withheld. */
  readonly command: JudgedCommand | null;
  readonly event: JudgedEvent;
  /** The display name in the public text of an account that was opened in version 1; else null. */
  readonly formerName: string | null;
}

/** Reads a stored event. @throws Fault for an event that cannot be read. */
export function readEvent(stored: AuditableEvent): AuditedEvent {
  try {
    // The types are the auditor's own. Where the exchange's differ, the schema check or a repeated decision shows it.
    if (stored.privateDigest === undefined) {
      const { command, commandId, decisionEvents, event, formerName = null } = decode(stored);
      return { stored, command, commandId, decisionEvents, event, formerName };
    }
    const { commandId, decisionEvents, event, formerName = null } = decodePublic(stored);
    return { stored, command: null, commandId, decisionEvents, event: event as unknown as JudgedEvent, formerName };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Fault('schema', stored.seq, stored, `the event cannot be read: ${reason}`, 'an event of FORMAT.md');
  }
}
