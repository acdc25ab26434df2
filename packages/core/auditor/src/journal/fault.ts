/** The checks of an audit. A fault is named after the first check that fails. */
export type Check =
  | 'contiguous sequence'
  | 'hash chain'
  | 'schema'
  | 'whole decisions'
  | 'unique ids'
  | 'signed head'
  | 'epochs'
  | 'conservation'
  | 'decided again'
  | 'read models'
  | 'names'
  | 'identity'
  | 'tables';

/** The event with the fault; null if the event itself is missing. */
export interface FaultyEvent {
  readonly id: string;
  readonly type: string;
}

/** A fault as plain data, which threads can exchange. */
export interface Finding {
  readonly check: Check;
  /** The sequence of the faulty event, or of the checkpoint if the fault concerns no event. */
  readonly seq: number;
  readonly event: FaultyEvent | null;
  readonly found: string;
  readonly expected: string;
}

/** The first fault of a journal, or of the read models, names and identity tables that belong to it. */
export class Fault extends Error implements Finding {
  override readonly name = 'Fault';

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

export const findingOf = ({ check, event, expected, found, seq }: Fault): Finding => ({
  check,
  event: event && { id: event.id, type: event.type },
  expected,
  found,
  seq,
});

export const faultOf = ({ check, event, expected, found, seq }: Finding): Fault =>
  new Fault(check, seq, event, found, expected);
