import type { Head, Journal, StoredEvent } from '@paper/journal';
import type { JudgedEvent } from '../judged-events.ts';
import { Fault } from './fault.ts';
import { Judge } from './judge.ts';
import { pagesOf } from './pages.ts';
import { ReadModels } from './rows/read-models.ts';
import { RowFold } from './rows/row-fold.ts';
import { isSigned, type SignedHead, type UnsignedHead } from './signed-head.ts';

export interface VerifyOptions {
  readonly journal: Pick<Journal, 'head' | 'read'>;
  readonly shard: string;
  /** The first event whose texts and hash are judged; what comes before is folded. Default 1. */
  readonly fromSeq?: number;
  /** Heads that were issued earlier: the journal must still contain each. */
  readonly heads?: readonly (SignedHead | UnsignedHead)[];
  /** Postgres: where the read models are. Without it they are not compared. */
  readonly readModelsUrl?: string | undefined;
  /** Told after each page: the last event judged, and the end. */
  readonly onProgress?: (seq: number, end: number) => void;
}

/** What was found. */
export interface Verdict {
  /** The first fault; null for a journal of which everything holds. */
  readonly fault: Fault | null;
  /** The last event that is proven, with its hash. */
  readonly proven: Head;
  /** Where the journal ended when the audit began. */
  readonly end: Head;
  /** Null where there are none, or none were asked for. */
  readonly readModels: {
    readonly schema: string;
    readonly seq: number;
    readonly rows: number;
    readonly unknownColumns: readonly string[];
  } | null;
}

/**
 * Judges a journal up to where it ends now, event by event, and the read models at their checkpoint; stops at the first
 * fault. Holds in memory what is live: accounts, open orders, positions, and a page of events.
 *
 * @throws UnknownRules, RangeError for a `fromSeq` beyond the end, errors of the journal or the database.
 */
export async function verifyJournal(options: VerifyOptions): Promise<Verdict> {
  const { journal, readModelsUrl, fromSeq = 1 } = options;
  // Opened before the journal's end is read, so that they are never ahead of a journal that is whole.
  const readModels = readModelsUrl === undefined ? null : await ReadModels.open(readModelsUrl);
  try {
    const end = await journal.head();
    if (fromSeq > end.seq + 1)
      throw new RangeError(`The journal ends at ${end.seq}; there is nothing from ${fromSeq} on.`);
    const audit = new Audit(options, readModels, end, await headBefore(journal, fromSeq));
    const fault = await audit.run().then(() => null, asFault);
    const rows = [...(readModels?.compared.values() ?? [])].reduce((sum, count) => sum + count, 0);
    const compared = readModels && {
      schema: readModels.schema,
      seq: readModels.checkpoint.seq,
      rows,
      unknownColumns: readModels.unknownColumns,
    };
    return { fault, proven: audit.proven, end, readModels: compared };
  } finally {
    await readModels?.close();
  }
}

function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  throw error;
}

/** The head that the first judged event follows: of an event that is there it is taken as it is stored. */
async function headBefore(journal: Pick<Journal, 'read'>, fromSeq: number): Promise<Head> {
  if (fromSeq <= 1) return { hash: '0'.repeat(64), seq: 0 };
  const [before] = await journal.read(fromSeq - 1, 1);
  return { hash: before?.hash ?? '', seq: fromSeq - 1 };
}

class Audit {
  readonly #judge: Judge;
  readonly #rows: RowFold | null;
  /** Heads to come, by their sequence. */
  readonly #heads = new Map<number, readonly (SignedHead | UnsignedHead)[]>();
  #last: StoredEvent | null = null;

  constructor(
    private readonly options: VerifyOptions,
    private readonly readModels: ReadModels | null,
    private readonly end: Head,
    before: Head,
  ) {
    this.#judge = new Judge(before);
    this.#rows = readModels && new RowFold(this.#judge.ledger, (table, row) => readModels.expect(table, row));
    for (const head of options.heads ?? []) this.#heads.set(head.seq, [...(this.#heads.get(head.seq) ?? []), head]);
  }

  get proven(): Head {
    return this.#judge.head;
  }

  async run(): Promise<void> {
    this.#checkHeads();
    const checkpoint = this.readModels?.checkpoint.seq ?? null;
    if (checkpoint !== null && checkpoint > this.end.seq) {
      const found = `the read models know it, but the journal ends at ${this.end.seq}`;
      throw new Fault('contiguous sequence', this.end.seq + 1, null, found, 'the events that they were made from');
    }
    if (checkpoint === 0) await this.#compareAll();
    for await (const page of pagesOf(this.options.journal, 1, this.end.seq)) {
      for (const stored of page) {
        this.#next(stored);
        if (stored.seq === checkpoint) await this.#compareAll();
      }
      if (checkpoint !== null && this.#judge.ledger.seq < checkpoint) await this.readModels?.compare();
      this.options.onProgress?.(this.#judge.ledger.seq, this.end.seq);
    }
    this.#checkEnd();
    this.#judge.recount(this.#last);
  }

  #next(stored: StoredEvent): void {
    const folds = this.#rows !== null && stored.seq <= (this.readModels?.checkpoint.seq ?? 0);
    const { event } = this.#judge.next(stored, (coming: JudgedEvent) => {
      if (folds) this.#rows.before(coming);
    });
    if (folds) this.#rows.after(event, { id: stored.id, seq: stored.seq });
    for (const head of this.#heads.get(stored.seq) ?? []) {
      if (head.hash === stored.hash) continue;
      const found = `the journal has the hash ${stored.hash}`;
      throw new Fault('signed head', stored.seq, stored, found, `${head.hash}, as issued at ${head.at}`);
    }
    this.#last = stored;
  }

  /** What is wrong with heads before anything is read. */
  #checkHeads(): void {
    const beyond: (SignedHead | UnsignedHead)[] = [];
    for (const head of [...this.#heads.values()].flat()) {
      const bad = (found: string, expected: string): Fault => new Fault('signed head', head.seq, null, found, expected);
      if (head.shard !== this.options.shard) throw bad(`the head is of shard ${head.shard}`, this.options.shard);
      if ('signature' in head && !isSigned(head)) {
        throw bad('the head is not signed by the key that it names', 'a head as it was issued');
      }
      if (head.seq > this.end.seq) beyond.push(head);
    }
    const [first] = beyond.sort((a, b) => a.seq - b.seq);
    if (first === undefined) return;
    const found = `the journal ends at ${this.end.seq}, but was at ${first.seq} at ${first.at}`;
    throw new Fault('signed head', this.end.seq + 1, null, found, `an event, up to ${first.seq} at least`);
  }

  /** The rows that only the end tells, and that there are no others. */
  async #compareAll(): Promise<void> {
    const { readModels } = this;
    if (readModels === null) return;
    const { at, hash, seq } = readModels.checkpoint;
    const [last, time] = [this.#last, this.#judge.ledger.lastAt];
    const due = last?.hash ?? '0'.repeat(64);
    if (hash !== due || at !== time) {
      const found = `the read models were made from an event with the hash ${hash} at ${at}`;
      throw new Fault('read models', seq, last, found, `${due} at ${time}`);
    }
    this.#rows?.finish();
    await readModels.compare();
    await readModels.compareCounts();
  }

  /** The journal ends where it said it does, with a whole decision. */
  #checkEnd(): void {
    const { hash, seq } = this.#judge.head;
    if (seq < this.end.seq) {
      const found = `no event is there, but the journal's head says that it ends at ${this.end.seq}`;
      throw new Fault('contiguous sequence', seq + 1, null, found, `the event of sequence ${seq + 1}`);
    }
    if (hash !== this.end.hash) {
      throw new Fault('hash chain', seq, this.#last, `the journal's head says the hash ${this.end.hash}`, hash);
    }
    if (!this.#judge.whole) {
      throw new Fault('whole decisions', seq + 1, null, 'the last decision is cut off', 'the rest of its events');
    }
  }
}
