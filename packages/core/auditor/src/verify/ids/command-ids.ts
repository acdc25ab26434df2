import { UuidTable } from './uuid-table.ts';

/**
 * The commands that have been decided, each with the sequence of its first event and its number of events. Their UUIDs
 * are distinguished without the last three hex digits, which number a decision's events.
 */
export class CommandIds {
  readonly #table = new UuidTable(false);

  /**
   * @param commandId a UUID in lower case
   * @param events the number of its events
   * @returns null where it is new, else the sequence that it was added with
   */
  add(commandId: string, seq: number, events: number): number | null {
    return this.#table.add(commandId, seq, events);
  }

  /** The command with this id, or the one whose decision has the event with this id; null where there is none. */
  commandOf(id: string): string | null {
    const found = this.#table.find(id);
    if (found === null) return null;
    const last = Number.parseInt(id.slice(-3), 16);
    if (last !== found.lastDigits && last >= found.events) return null;
    return id.slice(0, -3) + found.lastDigits.toString(16).padStart(3, '0');
  }
}
