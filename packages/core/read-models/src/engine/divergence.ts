import { JournalWentBack } from '@paper/journal';
import type { Journal } from '@paper/journal';
import { JournalUnreachable, ProjectionFault } from './faults.ts';
import type { Checkpoint } from './checkpoint.ts';

/** The journal, as far as a projection is compared with it. */
export type ComparedJournal = Pick<Journal, 'head' | 'read'>;

/** Wraps the journal so that a failed call throws `JournalUnreachable` or `JournalWentBack`, which callers retry. */
export function retryable(journal: ComparedJournal): ComparedJournal {
  const failed = (error: unknown): never => {
    throw error instanceof JournalWentBack ? error : unreachable(error);
  };
  return {
    head: () => journal.head().catch(failed),
    read: (fromSeq, limit) => journal.read(fromSeq, limit).catch(failed),
  };
}

function unreachable(error: unknown): JournalUnreachable {
  if (error instanceof JournalUnreachable) return error;
  return new JournalUnreachable(`the journal does not answer: ${String(error)}`, { cause: error });
}

/** The read models are not a fold of this journal: it was restored from an older backup, or is another journal. */
export interface Divergence {
  /** The journal ends before the checkpoint, or has another event there. */
  readonly kind: 'journal_ends_before' | 'other_event';
  readonly schema: string;
  /** The sequence of the read models' checkpoint. */
  readonly seq: number;
  readonly headSeq: number;
}

/** Describes for operators what happened and which command repairs it. */
export function describeDivergence({ kind, schema, seq, headSeq }: Divergence): string {
  const what =
    kind === 'journal_ends_before'
      ? `the journal ends at sequence ${headSeq}, before the read models (${schema} is at ${seq})`
      : `the journal has another event at sequence ${seq} than the read models (${schema})`;
  return `${what}: it was restored from a backup or replaced. Reads are refused until \`npm run rebuild\` has refilled the read models`;
}

/** A projection cannot continue in this schema until a rebuild has replaced it (see `Divergence`). */
export class JournalDiverged extends ProjectionFault {
  constructor(
    readonly divergence: Divergence,
    readonly checkpoint: Checkpoint,
  ) {
    super(describeDivergence(divergence));
  }
}

/** Compares the journal with a checkpoint; null if the checkpoint's event is in it. @throws JournalUnreachable */
export async function findDivergence(
  journal: ComparedJournal,
  schema: string,
  { seq, hash }: Pick<Checkpoint, 'seq' | 'hash'>,
): Promise<Divergence | null> {
  if (seq === 0) return null;
  try {
    // Reads the head first: only a leading server answers that call, and only a leading server shows all of its events.
    const head = await journal.head();
    if (head.seq < seq) return { kind: 'journal_ends_before', schema, seq, headSeq: head.seq };
    const found = head.seq === seq ? head.hash : (await journal.read(seq, 1))[0]?.hash;
    return found === hash ? null : { kind: 'other_event', schema, seq, headSeq: head.seq };
  } catch (error) {
    if (error instanceof JournalWentBack && error.head.seq < seq) {
      return { kind: 'journal_ends_before', schema, seq, headSeq: error.head.seq };
    }
    throw unreachable(error);
  }
}

/** Whether this journal has the checkpoint's event at its sequence. @throws JournalUnreachable */
export async function hasCheckpoint(
  journal: ComparedJournal,
  checkpoint: Pick<Checkpoint, 'seq' | 'hash'>,
): Promise<boolean> {
  return (await findDivergence(journal, '', checkpoint)) === null;
}
