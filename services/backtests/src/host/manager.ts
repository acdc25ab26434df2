import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unitsOf } from '@paper/command-api';
import { Refused, Unavailable } from '@paper/contracts';
import type { KeyCaller } from '@paper/contracts';
import type { BacktestBody, StartBacktest, TapeBody } from '@paper/contracts/backtests';
import { DAY_MS, iso, parseInstant } from '@paper/contracts/units';
import { createRetryLog } from '@paper/runtime';
import type { Logger, Metrics } from '@paper/runtime';
import { inTime } from '@paper/timing';
import { dropDatabase } from '../process/database.ts';
import { JOURNAL_FILE } from '../protocol.ts';
import type { BacktestMessage, BacktestSettings, BacktestStart } from '../protocol.ts';
import { BACKTEST_HEAP_MB, startChild } from './child-process.ts';
import type { BacktestsChild } from './child-process.ts';
import { JournalFile } from './journal-file.ts';
import { watchLiveLoad } from './live-load.ts';
import { BacktestStore } from './store.ts';
import type { StoredBacktest } from './store.ts';
import type { Tapes } from './tapes.ts';

const END_MS = 3_000;
/** The time limit of a start. A tape is read to its end first, by a process with the lowest priority. */
const START_MS = 600_000;
const LOOK_MS = 30_000;
/** The checks without a message (there is one a second) after which a process is ended; this one may have slept too. */
const SILENT_LOOKS = 4;
/** The time limit of the stops, since the service must stop within five seconds. */
const STOP_MS = 1_500;

export interface ManagerOptions {
  readonly folder: string;
  readonly limits: Readonly<Record<'atOnce' | 'days' | 'bytes' | 'fleetBytes', number>>;
  readonly tapes: Tapes;
  /** A database on the server for those of backtests; its role may create databases. */
  readonly databaseUrl: string;
  /** The sequence of the live exchange's newest event. Beside the services it is the one that their read models show. */
  readonly journalSeq: () => number | Promise<number>;
  readonly startingBalance: number;
  readonly startMs?: number;
  readonly lookMs?: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

interface Known {
  stored: StoredBacktest;
  child: BacktestsChild | null;
  /** The random part of its base URL, and the socket of its process; null after the process has ended. */
  reached: { readonly token: string; readonly socket: string } | null;
  readonly journal: JournalFile;
  readonly begun: Promise<void>;
  keys: readonly string[];
  /** The number of checks of its process since the last message. */
  silentLooks: number;
}

type Idempotency = { readonly key: string; readonly fingerprint: string } | null;

const isActive = ({ stored: { state } }: Known): boolean => state === 'starting' || state === 'running';

/** Starts each backtest in a separate process, knows all states, and removes those that are too old or too many. */
export class BacktestManager {
  readonly #store: BacktestStore;
  readonly #known = new Map<string, Known>();
  readonly #byToken = new Map<string, Known>();
  /** The folder of sockets. Paths of sockets must be short. */
  #sockets: string | null = null;
  readonly #timer: NodeJS.Timeout;
  readonly #liveLoad;
  readonly #failed: { inc(): void };
  readonly #started: { inc(): void };
  readonly #retries;
  #publicUrl = '';
  #isStopping = false;

  constructor(private readonly options: ManagerOptions) {
    const { folder, logger, metrics } = options;
    this.#store = new BacktestStore(folder);
    this.#retries = createRetryLog(logger);
    for (const stored of this.#store.load()) {
      const known = { ...this.#filed(stored), child: null, reached: null, begun: Promise.resolve() };
      this.#known.set(stored.id, known);
      if (!isActive(known)) continue;
      this.#update(known, { state: 'failed', why: 'the service ended while it ran', endedAt: now() });
    }
    this.#started = metrics.counter('backtests_started_total', 'Backtests that were started');
    this.#failed = metrics.counter('backtests_failed_total', 'Backtests that failed, also while they started');
    metrics.gauge('backtests_running', 'Backtests whose tape is played', {
      collect: (gauge) => gauge.set(this.#all.filter(isActive).length),
    });
    this.#timer = setInterval(() => {
      for (const one of this.#all.filter(isActive)) this.#update(one, {});
      this.#endSilent();
      this.#tidy();
    }, options.lookMs ?? LOOK_MS);
    this.#timer.unref();
    this.#liveLoad = watchLiveLoad({
      journalSeq: options.journalSeq,
      hasBacktests: () => this.#all.some(isActive),
      onChange: (isLiveBusy) => {
        for (const { child } of this.#known.values()) child?.send({ isLiveBusy });
      },
    });
  }

  /** Permits starts of backtests from now on, whose base URLs begin with this. */
  open(publicUrl: string): void {
    this.#publicUrl = publicUrl;
    this.#tidy();
  }

  list(caller: KeyCaller): readonly BacktestBody[] {
    return this.#all
      .filter(({ stored }) => stored.fleet === caller.accountId)
      .sort((a, b) => (a.stored.createdAt < b.stored.createdAt ? 1 : -1))
      .map(({ stored }) => bodyOf(stored));
  }

  /** Throws Refused when the caller has no backtest with this id. */
  get(caller: KeyCaller, id: string): BacktestBody {
    return bodyOf(this.#find(caller, id).stored);
  }

  folderOf(caller: KeyCaller, id: string): string {
    return this.#store.folderOf(this.#find(caller, id).stored.id);
  }

  journalOf(caller: KeyCaller, id: string): JournalFile {
    return this.#find(caller, id).journal;
  }

  /** The socket of the process behind a base URL, by the random part of the URL; null if there is none. */
  socketOf(token: string): string | null {
    return this.#byToken.get(token)?.reached?.socket ?? null;
  }

  /** Resolves when the backtest runs. `isHeard`: whether the caller still waits. Throws Refused, Unavailable. */
  async start(caller: KeyCaller, input: StartBacktest, idempotency: Idempotency, isHeard: () => boolean) {
    const known = this.#repeated(caller, idempotency) ?? (await this.#begin(caller, input, idempotency));
    await known.begun;
    const { id, clock, participants, state, why } = known.stored;
    if (participants.length === 0) {
      throw new Unavailable(`The backtest could not be started: ${why ?? 'it was deleted'}`);
    }
    // Keys are shown once: an answer that nobody waits for keeps them for a repeat with the Idempotency-Key.
    const keys = isHeard() ? known.keys : [];
    if (isHeard()) known.keys = [];
    else if (idempotency === null) await this.#delete(known);
    return {
      id,
      baseUrl: `${this.#publicUrl}/backtest/${known.reached?.token ?? 'ended'}`,
      participants: participants.map((accountId, index) => ({
        accountId,
        ...(keys[index] === undefined ? {} : { apiKey: keys[index] }),
      })),
      clock,
      state,
    };
  }

  async remove(caller: KeyCaller, id: string): Promise<void> {
    await this.#delete(this.#find(caller, id));
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#timer);
    this.#liveLoad.stop();
    for (const one of this.#all.filter(isActive)) this.#fail(one, 'the service was stopped');
    await Promise.all(this.#all.map((one) => this.#endProcess(one, STOP_MS)));
    if (this.#sockets !== null) rmSync(this.#sockets, { recursive: true, force: true });
  }

  get #all(): readonly Known[] {
    return [...this.#known.values()];
  }

  #find({ accountId }: KeyCaller, id: string): Known {
    const known = this.#known.get(id);
    if (known?.stored.fleet !== accountId) throw new Refused('backtest_not_found', 'No backtest of yours has this id');
    return known;
  }

  #repeated({ accountId }: KeyCaller, idempotency: Idempotency): Known | null {
    if (idempotency === null) return null;
    const known = this.#all.find(
      ({ stored }) => stored.fleet === accountId && stored.idempotency?.key === idempotency.key,
    );
    if (known === undefined) return null;
    if (known.stored.idempotency?.fingerprint === idempotency.fingerprint) return known;
    throw new Refused('idempotency_conflict', 'This Idempotency-Key was used with another request; take a new key.');
  }

  async #begin(caller: KeyCaller, input: StartBacktest, idempotency: Idempotency): Promise<Known> {
    const found = await this.options.tapes.find(input.tape);
    // The same request may have arrived again in the meantime.
    const repeated = this.#repeated(caller, idempotency);
    if (repeated !== null) return repeated;
    if (found === null) throw new Refused('tape_not_found', `No tape has the id ${input.tape}`);
    const { place, read } = found;
    if ('refused' in read) throw new Refused('tape_not_found', read.refused);
    const settings = settingsOf(input, this.options.startingBalance);
    assertWithin(settings, read.tape);
    const { accountId: fleet } = caller;
    this.#assertRoom(fleet);
    const { events } = read.tape;
    const id = randomUUID();
    const database = `backtest_${id.replaceAll('-', '')}`;
    this.#sockets ??= mkdtempSync(path.join(tmpdir(), 'paper-backtests-'));
    const reached = { token: randomBytes(16).toString('base64url'), socket: path.join(this.#sockets, id.slice(0, 13)) };
    let onBegun: () => void = () => undefined;
    const known: Known = {
      ...this.#filed({
        ...{ id, fleet, idempotency, database, tape: input.tape, state: 'starting', why: null, clock: null },
        ...{ eventsDone: 0, events, participants: [], createdAt: now(), endedAt: null },
      }),
      child: null,
      reached,
      begun: new Promise((resolve) => (onBegun = resolve)),
    };
    this.#saveNew(known.stored);
    this.#known.set(id, known);
    this.#byToken.set(reached.token, known);
    this.#started.inc();
    const start: BacktestStart = {
      ...{ id, settings, database, tape: place },
      ...{ folder: this.#store.folderOf(id), socket: reached.socket, databaseUrl: this.options.databaseUrl },
    };
    const take = (message: unknown): void => {
      this.#take(known, message as BacktestMessage);
      if (known.stored.state !== 'starting') onBegun();
    };
    known.child = startChild('process/backtest-process', start, take, BACKTEST_HEAP_MB);
    if (this.#liveLoad.isBusy()) known.child.send({ isLiveBusy: true });
    const { startMs = START_MS } = this.options;
    void inTime(known.begun, startMs, () => {
      this.#fail(known, `it did not run within ${startMs / 1_000} seconds`);
      return this.#endProcess(known, END_MS);
    });
    void known.child.ended.then(async (how) => {
      // A process that ends while its backtest is active has failed; a requested end has changed the state before.
      if (known.child !== null && isActive(known)) this.#fail(known, how);
      this.#unreach(known);
      onBegun();
      await this.#dropDatabase(known);
      // A failed start must not be the answer to a repeat.
      if (known.stored.participants.length === 0) this.#update(known, { idempotency: null });
    });
    return known;
  }

  #filed(stored: StoredBacktest): Pick<Known, 'stored' | 'journal' | 'keys' | 'silentLooks'> {
    const journal = new JournalFile(path.join(this.#store.folderOf(stored.id), JOURNAL_FILE));
    return { stored, journal, keys: [], silentLooks: 0 };
  }

  #saveNew(stored: StoredBacktest): void {
    try {
      this.#store.save(stored);
    } catch (error) {
      this.#store.remove(stored.id);
      throw new Unavailable(`The files of a backtest cannot be written: ${(error as NodeJS.ErrnoException).code}`);
    }
  }

  #take(known: Known, { keys, ...message }: BacktestMessage): void {
    known.silentLooks = 0;
    if (keys !== undefined) known.keys = keys;
    if (!isActive(known) || Object.keys(message).length === 0) return;
    if (message.state === 'failed') this.#fail(known, message.why ?? '');
    // The progress comes hundreds of times a second, and only its last state before a crash is worth a file.
    else if (message.state === undefined) known.stored = { ...known.stored, ...message };
    else this.#update(known, { ...message, ...(message.state === 'ended' ? { endedAt: now() } : {}) });
  }

  #fail(known: Known, why: string): void {
    this.#failed.inc();
    this.options.logger.warn({ backtest: known.stored.id, why }, 'a backtest failed');
    this.#update(known, { state: 'failed', why, endedAt: now() });
  }

  /** If the disk is full, only the state after a restart is outdated. */
  #update(known: Known, change: Partial<StoredBacktest>): void {
    known.stored = { ...known.stored, ...change };
    if (!this.#known.has(known.stored.id)) return;
    try {
      this.#store.save(known.stored);
      this.#retries.works(NOT_STORED);
    } catch (error) {
      this.#retries.failed(NOT_STORED, error);
    }
  }

  #assertRoom(fleet: string): void {
    const { atOnce, bytes, fleetBytes } = this.options.limits;
    const active = this.#all.filter(isActive);
    const own = active.filter(({ stored }) => stored.fleet === fleet);
    if (this.#publicUrl === '' || this.#isStopping) throw new Unavailable('Backtests cannot be started now; try again');
    const refuse = (why: string): never => {
      throw new Refused('backtest_limit', why);
    };
    if (atOnce === 0) refuse('Backtests are off here (BACKTESTS_MAX is 0)');
    if (active.length >= atOnce) refuse(`${active.length} backtests run already, which is the limit here`);
    if (own.length < active.length && own.length >= Math.max(1, Math.floor(atOnce / 2))) {
      refuse(`${own.length} of your backtests run already, the most while others' run too`);
    }
    this.#tidy();
    const used = (some: readonly Known[]): number =>
      some.reduce((sum, { stored }) => sum + this.#store.bytesOf(stored.id), 0);
    if (used(active) >= bytes || used(own) >= fleetBytes) {
      refuse('The files of the backtests that run are as large as they may be here');
    }
    // Backtests that ended answer reads for an hour, but at most as many as may run.
    const readable = this.#all.filter((one) => one.child !== null && !isActive(one));
    for (const one of byAge(readable).slice(0, Math.max(0, readable.length - atOnce + 1))) {
      void this.#endProcess(one, END_MS);
    }
  }

  /** Removes backtests that ended too long ago, and the oldest ended ones while files take too much space. */
  #tidy(): void {
    const { bytes, days, fleetBytes } = this.options.limits;
    const sizes = new Map(this.#all.map((one) => [one, this.#store.bytesOf(one.stored.id)]));
    const used = (fleet: string | null): number =>
      this.#all
        .filter(({ stored }) => fleet === null || stored.fleet === fleet)
        .reduce((sum, one) => sum + (sizes.get(one) ?? 0), 0);
    for (const one of byAge(this.#all.filter((known) => !isActive(known)))) {
      const ageMs = Date.now() - Date.parse(one.stored.endedAt ?? one.stored.createdAt);
      if (ageMs <= days * DAY_MS && used(null) <= bytes && used(one.stored.fleet) <= fleetBytes) {
        if (one.child === null && one.stored.database !== null) void this.#dropDatabase(one);
        continue;
      }
      void this.#endProcess(one, END_MS).then(() => this.#dropDatabase(one));
      this.#forget(one);
    }
  }

  async #delete(known: Known): Promise<void> {
    await this.#endProcess(known, END_MS);
    await this.#dropDatabase(known);
    this.#forget(known);
  }

  #endSilent(): void {
    for (const known of this.#known.values()) {
      // Starts have a separate time limit.
      if (known.child === null || known.stored.state === 'starting') continue;
      known.silentLooks += 1;
      if (known.silentLooks <= SILENT_LOOKS) continue;
      if (isActive(known)) this.#fail(known, 'its process did not answer any more');
      void this.#endProcess(known, END_MS);
    }
  }

  #forget(known: Known): void {
    this.#known.delete(known.stored.id);
    this.#store.remove(known.stored.id);
  }

  async #endProcess(known: Known, graceMs: number): Promise<void> {
    const { child } = known;
    this.#unreach(known);
    await child?.stop(graceMs);
  }

  #unreach(known: Known): void {
    if (known.reached === null) return;
    this.#byToken.delete(known.reached.token);
    rmSync(known.reached.socket, { force: true });
    known.reached = null;
    known.child = null;
  }

  /** Drops the database of a killed process; others have dropped theirs. A failed attempt is repeated each minute. */
  async #dropDatabase(known: Known): Promise<void> {
    const { database } = known.stored;
    if (database === null || this.#isStopping) return;
    try {
      await dropDatabase(this.options.databaseUrl, database);
      this.#retries.works(NOT_DROPPED);
      this.#update(known, { database: null });
    } catch (error) {
      this.#retries.failed(NOT_DROPPED, error);
    }
  }
}

const NOT_STORED = 'the state of a backtest could not be stored';
const NOT_DROPPED = 'the database of a backtest could not be dropped; it is tried again';

const now = (): string => iso(Date.now());

function byAge(some: readonly Known[]): readonly Known[] {
  return [...some].sort((a, b) => ((a.stored.endedAt ?? '') < (b.stored.endedAt ?? '') ? -1 : 1));
}

function bodyOf(stored: StoredBacktest): BacktestBody {
  const { database: _database, fleet: _fleet, idempotency: _idempotency, ...body } = stored;
  return body;
}

function settingsOf({ from, startingBalance, to, ...input }: StartBacktest, byDefault: number): BacktestSettings {
  // Refuses an amount that is finer than money is.
  unitsOf('startingBalance', startingBalance);
  return {
    ...input,
    from: from === undefined ? null : iso(parseInstant(from)),
    to: to === undefined ? null : iso(parseInstant(to)),
    startingBalance: startingBalance ?? byDefault,
  };
}

/** Throws Refused when no event of the tape would be played. */
function assertWithin({ from, to }: BacktestSettings, tape: TapeBody): void {
  const refuse = (message: string): never => {
    throw new Refused('validation_failed', `validation failure: ${message}`);
  };
  // The times are of one format, so their texts are in their order.
  if (from !== null && from > tape.to) refuse(`from: the tape ends at ${tape.to}`);
  if (to !== null && to < tape.from) refuse(`to: the tape begins at ${tape.from}`);
  if (from !== null && to !== null && to < from) refuse('to: must not be before from');
}
