import { UuidTable } from './uuid-table.ts';

/**
 * The commands that have been decided, each with the sequence of its first event and how many events it has. They are
 * told apart by their UUIDs without the last three hex digits, in the place of which events are counted.
 */
export class CommandIds {
  readonly #table = new UuidTable(false);

  /**
   * @param commandId a UUID in lower case
   * @param events how many its decision has
   * @returns null where it is new, else the sequence that it was added with
   */
  add(commandId: string, seq: number, events: number): number | null {
    return this.#table.add(commandId, seq, events);
  }

  /** The command that has this id, or to whose decision the event with this id belongs; null where there is none. */
  commandOf(id: string): string | null {
    const found = this.#table.find(id);
    if (found === null) return null;
    const last = Number.parseInt(id.slice(-3), 16);
    if (last !== found.lastDigits && last >= found.events) return null;
    return id.slice(0, -3) + found.lastDigits.toString(16).padStart(3, '0');
  }
}
