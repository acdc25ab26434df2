import { isDamagedPage } from '@paper/journal';
import type { Head } from '@paper/journal';
import type { AuditableEvent } from '../journal/audited-event.ts';
import { Fault, faultOf } from '../journal/fault.ts';
import { pagesOf } from '../journal/pages.ts';
import type { ReadOnlyJournal } from '../journal/public-file.ts';
import { Identity } from './identity/identity.ts';
import { DisplayNames } from './names/display-names.ts';
import type { Checkpoint } from './rows/find-read-models.ts';
import { ReadModels, RowSetDiffers } from './rows/read-models.ts';
import { isSigned } from './signed-head.ts';
import type { SignedHead, UnsignedHead } from './signed-head.ts';
import { PageMemory } from './threads/page.ts';
import { stateStage, textStage } from './threads/stage.ts';
import type { Request } from './threads/judging-thread.ts';
import type { Stage } from './threads/stage.ts';
import type { ProvenEvent, StateFindings, TextFindings } from './threads/work.ts';

/** The number of events from which threads are used. For fewer, starting them takes longer than judging. */
const THREADS_FROM = 20_000;

/** Enough pages in the pipeline that no thread waits for another. */
const UNDER_WAY = 6;

export interface VerifyOptions {
  readonly journal: Pick<ReadOnlyJournal, 'checkTables' | 'head' | 'read'>;
  readonly shard: string;
  /** Earlier events are only folded. Default 1. */
  readonly fromSeq?: number;
  readonly heads?: readonly (SignedHead | UnsignedHead)[];
  /** The database of the read models. Null: it is unknown, which is a fault. Undefined: they are not compared. */
  readonly readModelsUrl?: string | null | undefined;
  /** The database of names and identity. Null: these are not compared. Default: the read models' address. */
  readonly namesUrl?: string | null | undefined;
  /** Threads are used from this many events on. Default 20,000. */
  readonly threadsFrom?: number;
  readonly onProgress?: (seq: number, end: number) => void;
}

/** The result of an audit: its first fault, and the last proven event. */
export interface Verdict {
  readonly fault: Fault | null;
  readonly proven: Head;
  /** Whether private parts were withheld, so that commands could not be decided again. */
  readonly withheld: boolean;
  /** Orders that ended as self-trades without proof, since owners were withheld; 0 for a whole journal. */
  readonly unprovenSelfTrades: number;
  readonly end: Head;
  /** Null if it was not requested, or no read models were found. */
  readonly readModels: ReadModels['result'] | null;
  /** Null if it was not requested, or a fault came first. */
  readonly names: { readonly accounts: number } | null;
  /** Null if it was not requested, or a fault came first. `unread`: tables that the role may not read. */
  readonly identity: { readonly rows: number; readonly unread: readonly string[] } | null;
}

/**
 * Judges a journal up to its present end, and the read models at their checkpoint; stops at the first fault. This
 * thread reads pages and compares rows, a second judges texts, a third content. Memory holds open orders and positions,
 * a few pages, 29 to 59 bytes for each id, and 4 for each row of the smaller tables. Large tables are compared by a
 * hash; if one differs, the audit begins again row by row, to name the first wrong row.
 * @throws UnknownRules, RangeError for a `fromSeq` beyond the end, errors of the journal or the database.
 */
export async function verifyJournal(options: VerifyOptions): Promise<Verdict> {
  try {
    return await verifyOnce(options, true);
  } catch (error) {
    if (!(error instanceof RowSetDiffers)) throw error;
    return verifyOnce(options, false);
  }
}

/** Audits once, with or without hashes of large tables. @throws RowSetDiffers if the hash of a table differs */
async function verifyOnce(options: VerifyOptions, hashes: boolean): Promise<Verdict> {
  const { journal, readModelsUrl, namesUrl = readModelsUrl ?? null, fromSeq = 1, shard } = options;
  // The read models are opened before the journal's end is read, so that they cannot be ahead of a whole journal.
  const opened = await openReadModels(readModelsUrl, hashes);
  let readModels = opened instanceof ReadModels ? opened : null;
  let names: DisplayNames | null = null;
  try {
    names = namesUrl === null ? null : await DisplayNames.open(namesUrl, shard);
    const identity = namesUrl === null ? null : await Identity.open(namesUrl, shard);
    const tables = await Promise.resolve(journal.checkTables?.()).then(() => null, asDamageOrFault);
    if (tables instanceof Fault) {
      const nothing = { identity: null, names: null, readModels: null, unprovenSelfTrades: 0, withheld: false };
      return { fault: tables, proven: BEFORE_ALL, end: BEFORE_ALL, ...nothing };
    }
    const end = await journal.head();
    // A wrong SHARD has no journal, and these read models belong to another shard.
    if (end.seq === 0 && (await readModels?.canBeOf(shard)) === false) readModels = null;
    if (fromSeq > end.seq + 1) {
      throw new RangeError(`The journal ends at ${end.seq}; there is nothing from ${fromSeq} on.`);
    }
    const audit = new Audit(options, { identity, names, readModels }, end, await headBefore(journal, fromSeq));
    const fault = await audit.run().then(() => missingReadModels(opened, end), asFault);
    if (fault === null && tables !== null) throw tables;
    const { comparedBeside, proven, unprovenSelfTrades, withheld } = audit;
    return {
      fault,
      proven,
      end,
      ...comparedBeside,
      readModels: readModels?.result ?? null,
      unprovenSelfTrades,
      withheld,
    };
  } finally {
    await names?.close();
    if (opened instanceof ReadModels) await opened.close();
  }
}

/** Opens the read models. Null if the options exclude them; a text with the reason if they cannot be compared. */
async function openReadModels(
  url: VerifyOptions['readModelsUrl'],
  hashes: boolean,
): Promise<ReadModels | string | null> {
  if (url === undefined) return null;
  return url === null ? 'no database is named that has the read models' : ReadModels.open(url, hashes);
}

function missingReadModels(opened: ReadModels | string | null, end: Head): Fault | null {
  if (typeof opened !== 'string' || end.seq === 0) return null;
  return new Fault('read models', end.seq, null, opened, 'read models with one checkpoint; or --no-read-models');
}

function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  throw error;
}

/** Returns a damaged page as an error to be thrown later: reading the events tells which of them are damaged. */
const asDamageOrFault = (error: unknown): Error =>
  error instanceof Error && isDamagedPage(error) ? error : asFault(error);

const BEFORE_ALL: Head = { hash: '0'.repeat(64), seq: 0 };

async function headBefore(journal: Pick<ReadOnlyJournal, 'read'>, fromSeq: number): Promise<Head> {
  if (fromSeq <= 1) return BEFORE_ALL;
  const [before] = await journal.read(fromSeq - 1, 1);
  return { hash: before?.hash ?? '', seq: fromSeq - 1 };
}

interface JudgedPage {
  readonly texts: TextFindings;
  readonly state: StateFindings;
}

interface Compared {
  readonly identity: Identity | null;
  readonly names: DisplayNames | null;
  readonly readModels: ReadModels | null;
}

class Audit {
  #hasComparedBeside = false;
  readonly #texts: Stage<TextFindings>;
  readonly #state: Stage<StateFindings, Request>;
  readonly #memory = new PageMemory();
  #last: ProvenEvent | null = null;
  #at = 0;
  #whole = true;
  #unprovenSelfTrades = 0;

  constructor(
    private readonly options: VerifyOptions,
    private readonly compared: Compared,
    private readonly end: Head,
    base: Head,
  ) {
    const { readModels } = compared;
    const { heads = [], threadsFrom = THREADS_FROM } = options;
    const onThread = end.seq >= threadsFrom;
    this.#texts = textStage({ base, heads: heads.map(({ at, hash, seq }) => ({ at, hash, seq })) }, onThread);
    this.#state = stateStage(
      { checkpoint: readModels?.checkpoint.seq ?? null, end: end.seq, rowKey: readModels?.rowKey ?? null },
      onThread,
    );
  }

  get proven(): Head {
    return this.#last === null ? BEFORE_ALL : { hash: this.#last.hash, seq: this.#last.seq };
  }

  /** The results of comparing identity and names; null until all events were judged. */
  get comparedBeside(): Pick<Verdict, 'identity' | 'names'> {
    const { identity, names } = this.compared;
    if (identity === null || names === null || !this.#hasComparedBeside) return { identity: null, names: null };
    return {
      identity: { rows: identity.found.rows.length, unread: identity.found.unread },
      names: { accounts: names.compared },
    };
  }

  get unprovenSelfTrades(): number {
    return this.withheld ? this.#unprovenSelfTrades : 0;
  }

  get withheld(): boolean {
    return this.#last?.privateDigest !== undefined;
  }

  async run(): Promise<void> {
    const { identity, names, readModels } = this.compared;
    try {
      this.#checkHeads();
      if (readModels !== null) {
        this.#checkCheckpoint(readModels.checkpoint);
        await this.#judge(1, readModels.checkpoint.seq);
        await this.#compareLive(readModels);
      }
      await this.#judge(this.proven.seq + 1, this.end.seq);
      this.#checkEnd();
      this.#hasComparedBeside = true;
      await names?.finish(this.end.seq);
      identity?.finish(this.end.seq);
    } finally {
      await Promise.all([this.#texts.close(), this.#state.close()]);
    }
  }

  /** @throws the first Fault; a read error only after all pages before it were judged. */
  async #judge(from: number, to: number): Promise<void> {
    const pages = pagesOf(this.options.journal, from, to);
    const underWay: Promise<JudgedPage>[] = [];
    let unread: { readonly error: unknown } | null = null;
    for (;;) {
      const read = await pages.next().catch((error: unknown) => ({ error }));
      if ('error' in read) unread = read;
      if ('error' in read || read.done === true) break;
      const page = this.#judgePage(read.value);
      // Handles a rejection that nothing awaits when the judging stops early.
      page.catch(() => undefined);
      underWay.push(page);
      if (underWay.length === UNDER_WAY) await this.#take(underWay.shift());
    }
    for (const page of underWay) await this.#take(page);
    if (unread !== null) throw unread.error;
    const { seq } = this.proven;
    if (seq >= to) return;
    const found = `no event is there, but the journal's head says that it ends at ${this.end.seq}`;
    throw new Fault('contiguous sequence', seq + 1, null, found, `the event of sequence ${seq + 1}`);
  }

  /** Judges a page: the content of its events only up to the first text with a fault. */
  async #judgePage(events: readonly AuditableEvent[]): Promise<JudgedPage> {
    const page = this.#memory.write(events);
    const texts = await this.#texts.judge({ count: events.length, page });
    const state = await this.#state.judge({ count: texts.good, page });
    this.#memory.release(page);
    return { state, texts };
  }

  async #take(judged: Promise<JudgedPage> | undefined): Promise<void> {
    if (judged === undefined) return;
    const { state, texts } = await judged;
    this.#last = state.last ?? this.#last;
    this.#at = state.at;
    this.#whole = texts.whole;
    this.#unprovenSelfTrades = state.unprovenSelfTrades;
    const fault = state.fault ?? texts.fault;
    if (fault !== null) throw faultOf(fault);
    const { identity, names, readModels } = this.compared;
    await readModels?.expect(state.rows);
    await readModels?.expectSets(state.sets);
    await names?.expect(state.facts);
    identity?.expect(state.facts);
    this.options.onProgress?.(this.proven.seq, this.end.seq);
  }

  /** Checks the given heads as far as that is possible before events are read. */
  #checkHeads(): void {
    const beyond: (SignedHead | UnsignedHead)[] = [];
    for (const head of this.options.heads ?? []) {
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

  #checkCheckpoint({ seq }: Checkpoint): void {
    if (seq > this.end.seq) {
      const found = `the read models know it, but the journal ends at ${this.end.seq}`;
      throw new Fault('contiguous sequence', this.end.seq + 1, null, found, 'the events that they were made from');
    }
  }

  #judgeCheckpoint({ at, hash, retired, seq, servedFrom }: Checkpoint): void {
    const bad = (found: string, expected: string): Fault => new Fault('read models', seq, this.#last, found, expected);
    const due = this.proven.hash;
    if (hash !== due || at !== this.#at) {
      throw bad(`the read models were made from an event with the hash ${hash} at ${at}`, `${due} at ${this.#at}`);
    }
    if (retired) throw bad('their checkpoint says that they are retired, so they are not read', 'false');
    // Readers wait until read models of a new version have reached `servedFrom`; from then on it is 0.
    if (servedFrom !== 0 && (servedFrom <= seq || servedFrom > this.end.seq)) {
      throw bad(
        `their checkpoint says that they are served from ${servedFrom}`,
        `0, or a later event than ${seq} of the journal`,
      );
    }
  }

  async #compareLive(readModels: ReadModels): Promise<void> {
    this.#judgeCheckpoint(readModels.checkpoint);
    for (;;) {
      const { rows, sets } = await this.#state.judge('live rows');
      if (rows.length === 0) {
        await readModels.expectSets(sets);
        await readModels.finish(sets);
        return;
      }
      await readModels.expect(rows);
    }
  }

  #checkEnd(): void {
    const { hash, seq } = this.proven;
    if (hash !== this.end.hash) {
      throw new Fault('hash chain', seq, this.#last, `the journal's head says the hash ${this.end.hash}`, hash);
    }
    if (!this.#whole) {
      throw new Fault('whole decisions', seq + 1, null, 'the last decision is cut off', 'the rest of its events');
    }
  }
}
