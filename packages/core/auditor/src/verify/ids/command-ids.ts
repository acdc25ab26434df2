import { UuidTable } from './uuid-table.ts';

/**
 * The decided commands, each with its first sequence and its number of events. The last three hex digits of an event's
 * id are its index in the decision, so they do not count.
 */
export class CommandIds {
  readonly #table = new UuidTable(false);

  /** @returns null if the id is new, else the sequence that it was added with */
  add(commandId: string, seq: number, events: number): number | null {
    return this.#table.add(commandId, seq, events);
  }

  /** The command with this id, or whose decision has the event with this id. */
  commandOf(id: string): string | null {
    const found = this.#table.find(id);
    if (found === null) return null;
    const last = Number.parseInt(id.slice(-3), 16);
    if (last !== found.lastDigits && last >= found.events) return null;
    return id.slice(0, -3) + found.lastDigits.toString(16).padStart(3, '0');
  }
}
