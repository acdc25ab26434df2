/** What an audit proves of a journal; a fault is told under the name of the first that does not hold. */
export type Check =
  | 'contiguous sequence'
  | 'hash chain'
  | 'schema'
  | 'whole decisions'
  | 'epochs'
  | 'conservation'
  | 'decided again'
  | 'signed head'
  | 'read models';

/** The event at which a fault shows; null where there is no event, since it is missing. */
export interface FaultyEvent {
  readonly id: string;
  readonly type: string;
}

/** The first thing that is wrong with a journal, or with what was made of it. The message names all of it. */
export class Fault extends Error {
  override readonly name = 'Fault';

  /**
   * @param seq the sequence at fault: of the event, or of the checkpoint for what is no event's
   * @param found what is wrong, as a clause
   * @param expected what would be right, as a clause
   */
  constructor(
    readonly check: Check,
    readonly seq: number,
    readonly event: FaultyEvent | null,
    readonly found: string,
    readonly expected: string,
  ) {
    const where = event === null ? `sequence ${seq}` : `sequence ${seq} (${event.type} ${event.id})`;
    super(`${check}: at ${where} ${found}; right would be: ${expected}`);
  }
}
