/** The public part of an event, as FORMAT.md describes it. */
export interface PublicEvent {
  readonly event: { readonly type: string; readonly at: number; readonly [field: string]: unknown };
  readonly id: string;
  readonly seq: number;
  /** The first event of a decision only. */
  readonly decisionEvents?: number;
}

export interface Head {
  readonly hash: string;
  readonly seq: number;
}

/** An event that the journal must contain. `name`: what says so, where that is not "a receipt". */
export interface Expected extends Head {
  readonly name?: string;
}

/** The journal or a receipt is wrong. */
export class Fault extends Error {}
/** The check was not possible. */
export class Unchecked extends Error {}

/** The RFC 8785 text of a value. */
export function canonical(value: unknown): string;

/** Verifies a hash chain from `after` on, and the receipts that it must contain. */
export class Verification {
  /** @throws Unchecked for a receipt of an event before `after`; Fault for one of that very event with another hash. */
  constructor(after: Head, receipts: readonly Expected[]);
  readonly lines: number;
  readonly chain: {
    readonly head: Head;
    /** The number of events that the last decision lacks. */
    readonly lacking: number;
  };
  /** Takes the next line of the public journal. @throws Fault */
  take(line: string): PublicEvent;
  /** @throws Fault where no event was taken, a decision is incomplete, or a receipt lies beyond the end. */
  verdict(mayBeEmpty?: boolean): readonly string[];
}
