import { Fault } from './fault.ts';
import { type AuditedEvent, derivedSalt, saltIn } from './stored-texts.ts';

/** The decision that events belong to, and how many of it have come. */
interface Under {
  readonly commandId: string;
  readonly causationId: string;
  readonly correlationId: string;
  readonly salt: string | null;
  readonly events: number;
  seen: number;
}

/** Follows how events stand in decisions: together, all of them, each with the ids of its command. */
export class Decisions {
  #under: Under | null = null;

  /** Whether the last event ended its decision. */
  get whole(): boolean {
    return this.#under === null || this.#under.seen === this.#under.events;
  }

  /** @throws Fault */
  next(audited: AuditedEvent): void {
    const { stored, commandId, causationId, correlationId, decisionEvents } = audited;
    const must = (holds: boolean, found: string, expected: string): void => {
      if (!holds) throw new Fault('whole decisions', stored.seq, stored, found, expected);
    };
    const before = this.#under;
    if (decisionEvents !== null) {
      const left = before === null ? 0 : before.events - before.seen;
      must(this.whole, 'a decision begins', `${left} more of the decision of command ${before?.commandId ?? ''}`);
      must(Number.isInteger(decisionEvents) && decisionEvents > 0, `it has ${decisionEvents} events`, 'at least one');
      const salt = saltIn(stored);
      must(salt !== null && /^[0-9a-f]{32}$/.test(salt), `its salt is ${salt}`, '32 hex digits');
      this.#under = { commandId, causationId, correlationId, salt, events: decisionEvents, seen: 0 };
    }
    const under = this.#under;
    if (under === null || under.seen === under.events) {
      throw new Fault('whole decisions', stored.seq, stored, 'it belongs to no decision', 'the first event of one');
    }
    must(commandId === under.commandId, `it belongs to command ${commandId}`, under.commandId);
    must(
      causationId === under.causationId && correlationId === under.correlationId,
      `its cause is ${causationId}, its root ${correlationId}`,
      `${under.causationId}, ${under.correlationId}`,
    );
    const id = commandId.slice(0, -3) + under.seen.toString(16).padStart(3, '0');
    must(stored.id === id, `its id is ${stored.id}`, `${id}, of index ${under.seen} in its decision`);
    if (under.seen > 0 && stored.privateText !== null && under.salt !== null) {
      const salt = derivedSalt(under.salt, under.seen);
      must(saltIn(stored) === salt, `its salt is ${saltIn(stored)}`, salt);
    }
    under.seen += 1;
  }
}
