/** The kinds of findings, and how the report names them. */
export const FINDINGS = {
  lost: 'acknowledged and lost',
  notSent: 'not sent by anybody, or refused, and in the journal',
  twice: 'carried out twice',
  wrongAnswer: 'answers that are not what the journal says, or not the same again',
  wrongReceipt: 'receipts that the journal does not bear out',
  staleRead: 'reads older than an earlier answer',
  neverRight: 'answers that are never right',
  failed: 'ends, starts and recoveries that failed',
} as const;

export type FindingKind = keyof typeof FINDINGS;

export interface Finding {
  readonly kind: FindingKind;
  readonly text: string;
}

export class Findings {
  readonly all: Finding[] = [];

  add(kind: FindingKind, text: string): void {
    this.all.push({ kind, text });
  }

  /** Adds a failure that an operator would see: an end, a start or a recovery that is not as it must be. */
  failed(text: string): void {
    this.add('failed', text);
  }

  /** Records what ended the run early, unless the findings contain it already: a run that was given up has failed. */
  endedBy(error: unknown): void {
    if (!(error instanceof GivenUp) || this.all.length === 0) this.failed(String(error));
  }

  count(kind: FindingKind): number {
    return this.all.filter((finding) => finding.kind === kind).length;
  }
}

/** Ends the run, because continuing would show nothing new. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp';
}
