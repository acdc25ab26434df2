import { UUID } from '../../events/formats/values.ts';
import type { AuditableEvent } from '../../journal/audited-event.ts';
import { Fault } from '../../journal/fault.ts';
import { CommandIds } from '../ids/command-ids.ts';
import { derivedSalt, saltIn } from './stored-texts.ts';
import type { StoredDecision } from './stored-texts.ts';

interface OpenDecision {
  readonly commandId: string;
  readonly causationId: string;
  readonly correlationId: string;
  readonly salt: string | null;
  readonly events: number;
  counted: number;
}

/**
 * Checks how events form decisions: consecutive and complete, no command twice, and each caused by itself or an earlier
 * one. An event's id is its command's id, with the event's index in the decision as its last three hex digits.
 */
export class Decisions {
  readonly #ids = new CommandIds();
  /** The root of each command that another command caused; such commands are few. */
  readonly #roots = new Map<string, string>();
  #open: OpenDecision | null = null;

  get whole(): boolean {
    return this.#open === null || this.#open.counted === this.#open.events;
  }

  next(stored: AuditableEvent, decision: StoredDecision): void {
    const open = decision.decisionEvents === undefined ? this.#continue(stored) : this.#begin(stored, decision);
    const { causationId, commandId, correlationId } = decision;
    if (commandId !== open.commandId) throw fault(stored, `it belongs to command ${commandId}`, open.commandId);
    if (causationId !== open.causationId || correlationId !== open.correlationId) {
      const due = `${open.causationId}, ${open.correlationId}`;
      throw fault(stored, `its cause is ${causationId}, its root ${correlationId}`, due);
    }
    const id = commandId.slice(0, -3) + open.counted.toString(16).padStart(3, '0');
    if (stored.id !== id) {
      throw fault(stored, `its id is ${stored.id}`, `${id}, of index ${open.counted} in its decision`);
    }
    if (open.counted === 0) {
      this.#checkNew(stored, open);
    } else if (stored.privateText !== null && open.salt !== null) {
      const salt = derivedSalt(open.salt, open.counted);
      if (saltIn(stored) !== salt) throw fault(stored, `its salt is ${saltIn(stored)}`, salt);
    }
    open.counted += 1;
  }

  #begin(
    stored: AuditableEvent,
    { causationId, commandId, correlationId, decisionEvents: events = 0 }: StoredDecision,
  ): OpenDecision {
    const before = this.#open;
    if (before !== null && !this.whole) {
      const left = before.events - before.counted;
      throw fault(stored, 'a decision begins', `${left} more of the decision of command ${before.commandId}`);
    }
    if (!Number.isInteger(events) || events < 1) throw fault(stored, `it has ${events} events`, 'at least one');
    const salt = saltIn(stored);
    const isSalt = stored.privateDigest !== undefined || (salt !== null && /^[0-9a-f]{32}$/.test(salt));
    if (!isSalt) throw fault(stored, `its salt is ${salt}`, '32 hex digits');
    this.#open = { commandId, causationId, correlationId, salt, events, counted: 0 };
    return this.#open;
  }

  #continue(stored: AuditableEvent): OpenDecision {
    const open = this.#open;
    if (open !== null && open.counted < open.events) return open;
    throw fault(stored, 'it belongs to no decision', 'the first event of one');
  }

  #checkNew(stored: AuditableEvent, open: OpenDecision): void {
    const { commandId, events } = open;
    if (!UUID.test(commandId)) throw fault(stored, `its command's id is ${commandId}`, 'a UUID in lower case');
    this.#checkCause(stored, open);
    const before = this.#ids.add(commandId, stored.seq, events);
    if (before === null) return;
    const found = `its command ${commandId} was decided at sequence ${before} already, and its events have the same ids`;
    throw new Fault('unique ids', stored.seq, stored, found, 'a command that is decided once');
  }

  /** A command is caused by itself or by an earlier one, whose correlation id it then has. */
  #checkCause(stored: AuditableEvent, { causationId, commandId, correlationId }: OpenDecision): void {
    let root = commandId;
    if (causationId !== commandId) {
      const cause = UUID.test(causationId) ? this.#ids.commandOf(causationId) : null;
      if (cause === null) {
        const found = `its cause is ${causationId}, and no command or event before it has this id`;
        throw fault(stored, found, 'its own command, or what came before');
      }
      root = this.#roots.get(cause) ?? cause;
      this.#roots.set(commandId, root);
    }
    if (correlationId !== root) throw fault(stored, `its root is ${correlationId}`, `${root}, the root of its cause`);
  }
}

const fault = (stored: AuditableEvent, found: string, expected: string): Fault =>
  new Fault('whole decisions', stored.seq, stored, found, expected);
