import { ApiError } from '@paper/contracts';
import { decide, pendingRuns, runOf, type Command, type Settings, type State } from '@paper/exchange';
import { EMPTY_HEAD, type Head, type Journal } from '@paper/journal';
import { FairQueue } from '@paper/service-kit';
import { systemIds, type Ids } from '../random.ts';
import { appendForEver, type Appending } from './append.ts';
import { SYSTEM_LANE, Ticket, type Ask, type Decided, type Outcome } from './ask.ts';
import { Batches, type Batch } from './batches.ts';
import { CheckedClock } from './checked-clock.ts';
import type { Clock } from './clock.ts';
import { beginEpoch } from './epoch.ts';
import { readDecision } from './first-decision.ts';
import { fromNothing, loadForEver, type Beginning } from './load.ts';
import { apply, encode, type Memory } from './memory.ts';
import type { WriterObserver } from './observer.ts';
import { internal, notTaking, tooManyWaiting, unavailable } from './refusals.ts';
import { runMarket, Runs } from './runs.ts';
import { continueRun } from './system-commands.ts';
import { Unanswered } from './unanswered.ts';

export interface WriterOptions {
  readonly journal: Journal;
  readonly settings: Settings;
  /** What is running: goes into the journal with the epoch. */
  readonly build: string;
  readonly clock: Clock;
  /** What decisions read the time from; default: the wall clock of `clock`, checked against its monotonic one. */
  readonly checkedClock?: CheckedClock;
  readonly observer: WriterObserver;
  /** Another writer has taken over: this process has to end. */
  readonly onFenced: (error: Error) => void;
  /** Where folds of the journal begin; default: from its first event. */
  readonly begin?: Beginning;
  /**
   * Whether this is now the only process that decides, as far as anyone can know without asking the journal. Default:
   * it is. Asked whenever an answer rests on nothing but this memory.
   */
  readonly leads?: () => boolean;
  /** Default: the system's randomness. */
  readonly ids?: Ids;
  /** Commands that may be unanswered at a time, and answers that may wait for the journal; default 10,000. */
  readonly capacity?: number;
  /** Decisions between two looks at the network; default 128. */
  readonly slice?: number;
}

const CAPACITY = 10_000;
const SLICE = 128;
/** Of one account's commands, how many may wait to be decided. */
const WAITING_PER_ACCOUNT = 64;

/**
 * The one that decides: holds the exchange in memory, decides commands against it, and answers when what was decided
 * is durable in the journal.
 *
 * Its life: `start` reads the journal to the end, appends WriterEpochStarted, finishes the runs that a former writer
 * left, and opens the intake. While it serves, commands wait in lanes; the pump decides them at once, as long as the
 * batch behind the append in flight has room; the flush appends one batch after the other. From there it can
 *
 * - be without memory: a batch was refused, or an event could not be applied. What is in flight is finished (where it
 *   was not refused), the memory is read from the journal again, and every command whose answer was lost with the old
 *   memory is decided again, each in a batch of its own, so that one that cannot be stored harms no other;
 * - be silent: it does not know whether it still leads. It takes no commands; what it had taken it decides and appends,
 *   for the journal knows. An answer that appended nothing would rest on a memory that may be out of date: it is a 503.
 *   An accepted one leaves whenever the journal has acknowledged it, since it is true for ever.
 * - end: fenced by another writer, or stopped. Who waits then is answered 503.
 */
export class Writer {
  private readonly lanes = new FairQueue<Ticket>();
  private readonly batches: Batches;
  private readonly runs = new Runs();
  private readonly unanswered: Unanswered;
  private readonly checkedClock: CheckedClock;
  private readonly appending: Appending;
  private readonly ids: Ids;
  /** Commands of a dropped memory, each to be decided again by itself, before all others. */
  private again: Ticket[] = [];
  /** Null: not read yet, or dropped. */
  private memory: Memory | null = null;
  /** The end of what is durable. */
  private durable: Head = EMPTY_HEAD;
  private epoch = 0;
  private open = false;
  private ended = false;
  private flushing = false;
  private ticking = false;
  private readonly capacity: number;
  private budget: number;
  private idlers: (() => void)[] = [];

  constructor(private readonly options: WriterOptions) {
    this.checkedClock = options.checkedClock ?? new CheckedClock(options);
    this.unanswered = new Unanswered(options.clock, (ticket) => this.expire(ticket));
    this.appending = { ...options, ended: () => this.ended };
    this.ids = options.ids ?? systemIds;
    this.budget = options.slice ?? SLICE;
    this.capacity = options.capacity ?? CAPACITY;
    this.batches = new Batches(this.capacity);
  }

  /** The exchange as decided so far, durable or not; null while there is none to ask. */
  get state(): State | null {
    return this.memory?.state ?? null;
  }

  /** Whether commands are taken; they may have to wait for a memory. */
  get taking(): boolean {
    return this.open && this.leads();
  }

  /** Whether commands are taken and decided. */
  get serving(): boolean {
    return this.taking && this.memory !== null && this.checkedClock.read() !== null;
  }

  status(): { readonly journalSeq: number; readonly epoch: number; readonly queueDepth: number } {
    return { epoch: this.epoch, journalSeq: this.durable.seq, queueDepth: this.lanes.depth + this.again.length };
  }

  /**
   * Becomes the writer.
   *
   * @throws where the journal cannot be read or folded, refuses the epoch, or another writer goes on appending.
   */
  async start(): Promise<void> {
    const { begin = fromNothing, build, settings } = this.options;
    const { appending, ids } = this;
    const read = (): number | null => this.checkedClock.read();
    const loaded = await beginEpoch({ appending, begin, build, ids, leads: () => this.leads(), read, settings });
    this.memory = loaded;
    this.durable = loaded.head;
    this.epoch = loaded.state.epoch;
    for (const marketId of pendingRuns(loaded.state)) this.queueRun(marketId);
    this.pump();
    await this.idle();
    if (this.ended) throw new Error('the writer ended before it served');
    this.open = true;
  }

  /** Takes no more commands, finishes what is under way for that long at most, and answers the rest 503. */
  async stop(longestMs: number): Promise<void> {
    this.open = false;
    let cancel: () => void = () => undefined;
    const timeout = new Promise<void>((resolve) => (cancel = this.options.clock.after(longestMs, resolve)));
    // Before its epoch it has promised nobody anything.
    if (this.epoch > 0) await Promise.race([this.idle(), timeout]);
    cancel();
    this.end('the service is stopping');
  }

  /**
   * Decides the command, and resolves when everything that the answer rests on is durable.
   *
   * @throws ApiError the refusal; unavailable, where the outcome is open; rate_limited; internal.
   */
  submit<T>(ask: Ask<T>): Promise<Decided<T>> {
    if (!this.taking) return Promise.reject(notTaking());
    if (this.unanswered.size >= this.capacity) {
      return Promise.reject(unavailable('too many commands are waiting'));
    }
    if (ask.lane.kind === 'account' && this.lanes.depthOf(ask.lane) >= WAITING_PER_ACCOUNT) {
      return Promise.reject(tooManyWaiting());
    }
    return new Promise<Decided<T>>((resolve, reject) => {
      const ticket: Ticket = new Ticket(
        ask,
        (decided) => {
          this.leave(ticket);
          resolve(decided as Decided<T>);
        },
        (error) => {
          this.leave(ticket);
          reject(error);
        },
      );
      this.unanswered.add(ticket);
      this.lanes.push(ask.lane, ticket);
      this.pump();
    });
  }

  /** Decides what waits, as long as there is room and nobody else's turn is overdue. */
  private readonly pump = (): void => {
    while (this.memory !== null && !this.ended && this.batches.room) {
      if (this.budget <= 0) break;
      const next = this.next();
      if (next === null) break;
      this.budget -= 1;
      const at = this.checkedClock.read();
      if (at === null) {
        this.refuseForClock(next.ticket);
        return;
      }
      this.decide(this.memory, next.ticket, next.alone, at);
    }
    this.tick();
  };

  /** The next command, and whether it is to be by itself in its batch; null when none may be decided now. */
  private next(): { readonly ticket: Ticket; readonly alone: boolean } | null {
    for (let ticket = this.again[0]; ticket !== undefined; ticket = this.again[0]) {
      if (!ticket.answered && !this.batches.empty) return null;
      this.again.shift();
      if (!ticket.answered) return { alone: true, ticket };
    }
    if ((this.batches.first?.alone ?? null) !== null) return null;
    for (let ticket = this.lanes.shift(); ticket !== undefined; ticket = this.lanes.shift()) {
      if (!ticket.answered) return { alone: false, ticket };
    }
    return null;
  }

  /** Once for each turn of the event loop: what arrived in one turn goes into one batch. */
  private tick(): void {
    if (this.ticking) return;
    this.ticking = true;
    this.options.clock.soon(() => {
      this.ticking = false;
      const spent = this.budget <= 0;
      this.budget = this.options.slice ?? SLICE;
      this.options.observer.queueDepth(this.status().queueDepth);
      void this.flush();
      if (spent) this.pump();
    });
  }

  private decide({ state, head }: Memory, ticket: Ticket, alone: boolean, at: number): void {
    const { observer } = this.options;
    let command: Command;
    let decision: ReturnType<typeof decide>;
    try {
      command = ticket.ask.command(at);
      if (command.type === 'ContinueRun') this.runs.releaseNext(command.marketId);
      decision = decide(state, command);
    } catch (error) {
      this.fail(ticket, 'a decision threw', error);
      return;
    }
    observer.decided(command.type, decision.kind === 'rejected' ? decision.code : decision.kind);
    switch (decision.kind) {
      case 'rejected': {
        const refusal = new ApiError(decision.code, decision.message, ticket.ask.statusOf?.[decision.code]);
        this.settleUnproven(ticket, () => ticket.reject(refusal));
        return;
      }
      case 'replayed': {
        // What repeats a market's command is answered with the market as it is: there is nothing to read.
        if (runMarket(command) !== null) this.conclude(ticket, command, { events: [], kind: 'replayed' });
        else this.batches.settle(ticket, () => void this.replay(ticket, decision.seq));
        return;
      }
      case 'unchanged':
      case 'unknown_order':
      case 'unknown_key':
        this.conclude(ticket, command, decision);
        return;
      case 'accepted':
        try {
          apply(state, decision.events, command);
          const encoded = encode(command, decision.events, head, this.ids.newSalt());
          this.batches.add(head, encoded.stored, encoded.bytes, alone ? ticket : null);
          this.memory = { head: encoded.head, state };
          ticket.did = { command, outcome: decision, seq: encoded.head.seq };
        } catch (error) {
          // The memory may have taken half of it. What was staged before is right and is finished; then it is read again.
          this.memory = null;
          this.fail(ticket, 'an accepted decision could not be applied', error);
          return;
        }
        this.conclude(ticket, command, decision);
    }
  }

  /** Answers when durable; where the command's market has a run under way, when that has ended. */
  private conclude(ticket: Ticket, command: Command, outcome: Outcome): void {
    const marketId = runMarket(command);
    if (marketId !== null && this.memory !== null) {
      if (runOf(this.memory.state, marketId) !== null) {
        if (command.type === 'ContinueRun') this.batches.settle(ticket, () => this.runGoesOn(ticket, marketId));
        else if (this.runs.isStuck(marketId)) this.batches.settle(ticket, () => ticket.reject(internal()));
        else this.runs.wait(marketId, { outcome, ticket });
        this.queueRun(marketId);
        return;
      }
      for (const waiter of this.runs.end(marketId)) this.answer(waiter.ticket, waiter.outcome);
    }
    this.answer(ticket, outcome);
  }

  private answer(ticket: Ticket, outcome: Outcome): void {
    if (this.memory === null) return;
    const { head } = this.memory;
    try {
      const value = ticket.ask.answer(outcome, this.memory.state);
      const replayed = outcome.kind === 'replayed';
      const changed = replayed || outcome.kind === 'accepted';
      const resolve = (): void => ticket.resolve({ ...head, changed, replayed, value });
      if (outcome.kind === 'accepted') this.batches.settle(ticket, resolve);
      else this.settleUnproven(ticket, resolve);
    } catch (error) {
      if (!(error instanceof ApiError)) this.options.observer.alarm('an answer could not be made', error);
      const refusal = error instanceof ApiError ? error : internal();
      const reject = (): void => ticket.reject(refusal);
      if (outcome.kind === 'accepted') this.batches.settle(ticket, reject);
      else this.settleUnproven(ticket, reject);
    }
  }

  /** Settles an answer that appended nothing: the journal does not say that this memory was still the newest. */
  private settleUnproven(ticket: Ticket, settle: () => void): void {
    this.batches.settle(ticket, () => {
      if (this.leads()) settle();
      else ticket.reject(notTaking());
    });
  }

  /** Gives the first answer again, made from what the first decision left in the journal. */
  private async replay(ticket: Ticket, firstSeq: number): Promise<void> {
    try {
      const { events, head } = await readDecision(this.options.journal, firstSeq);
      if (this.memory === null) throw new Error('the memory is being read again');
      if (!this.leads()) throw notTaking();
      const value = ticket.ask.answer({ events, kind: 'replayed' }, this.memory.state);
      ticket.resolve({ ...head, changed: true, replayed: true, value });
    } catch (error) {
      this.options.observer.noted('a first answer could not be read', { error: String(error), firstSeq });
      ticket.reject(error instanceof ApiError ? error : unavailable('the first answer cannot be read now'));
    }
  }

  private queueRun(marketId: string): void {
    if (!this.runs.claimNext(marketId) || this.memory === null) return;
    const run = runOf(this.memory.state, marketId);
    if (run === null) return;
    const stuck = (): void => {
      for (const waiter of this.runs.getStuck(marketId)) waiter.ticket.reject(internal());
      this.checkIdle();
    };
    const ask: Ask<null> = {
      answer: () => null,
      command: (at) => continueRun(at, marketId, run.commandId, this.ids),
      lane: SYSTEM_LANE,
    };
    this.lanes.push(ask.lane, new Ticket(ask, () => undefined, stuck));
  }

  /** A piece of a run is durable: who waits for its end is waiting for something that moves. */
  private runGoesOn(ticket: Ticket, marketId: string): void {
    for (const waiter of this.runs.waitersOf(marketId)) if (!waiter.ticket.answered) this.unanswered.add(waiter.ticket);
    ticket.resolve({ ...this.durable, changed: true, replayed: false, value: null });
  }

  /** Appends one batch after the other until nothing is staged; then reads the memory again where it was dropped. */
  private async flush(): Promise<void> {
    if (this.flushing) return;
    this.flushing = true;
    try {
      for (let batch = this.batches.first; batch !== undefined && !this.ended; batch = this.batches.first) {
        await this.append(batch);
        this.pump();
      }
      if (this.memory === null && !this.ended) await this.reload();
    } finally {
      this.flushing = false;
    }
    this.checkIdle();
  }

  private async append(batch: Batch): Promise<void> {
    const { clock, observer } = this.options;
    batch.sealed = true;
    const begunMs = clock.monotonic();
    const appended = await appendForEver(this.appending, batch.expected, batch.events);
    if (this.ended || appended.kind === 'given_up') return;
    if (appended.kind === 'fenced') {
      this.fence(appended.error);
      return;
    }
    if (appended.kind === 'refused') {
      this.memory = null;
      if (batch.alone === null)
        observer.alarm('the journal refused a batch; its commands are tried one by one', appended.error);
      else this.fail(batch.alone, 'the journal refused a command by itself', appended.error);
      await this.reload();
      return;
    }
    observer.appended({ bytes: batch.bytes, events: batch.events.length, tookMs: clock.monotonic() - begunMs });
    const last = batch.events.at(-1);
    if (last !== undefined) this.durable = { hash: last.hash, seq: last.seq };
    this.batches.removeFirst();
    for (const { settle } of batch.settlements) settle();
  }

  /**
   * Takes the memory from the journal, and puts everyone whose answer was lost at the front. Who waited for the end of a
   * run, and whose own part in it is durable, goes on waiting: decided again, he would find what he did himself.
   */
  private async reload(): Promise<void> {
    const lost = [...this.runs.takeWaiters(), ...this.batches.clear()];
    const isDurable = ({ did }: Ticket): boolean => did !== null && did.seq <= this.durable.seq;
    const standing = lost.filter(isDurable);
    const undone = lost.filter((ticket) => !isDurable(ticket));
    // Decided again, it may find done by another what it did before.
    for (const ticket of undone) ticket.did = null;
    this.again = [...undone, ...this.again];
    const loaded = await loadForEver(this.appending, this.options.begin ?? fromNothing);
    if (loaded === null) return;
    if (loaded.state.epoch !== this.epoch) {
      this.fence(new Error(`the journal is in epoch ${loaded.state.epoch}, this writer's is ${this.epoch}`));
      return;
    }
    this.durable = loaded.head;
    this.memory = loaded;
    const pending = pendingRuns(loaded.state);
    this.runs.keepOnly(pending);
    for (const marketId of pending) this.queueRun(marketId);
    for (const ticket of standing) {
      if (ticket.did !== null && !ticket.answered) this.conclude(ticket, ticket.did.command, ticket.did.outcome);
    }
    this.options.observer.noted('the memory was read from the journal again', { seq: loaded.head.seq });
    this.pump();
  }

  /** This command by itself is what fails: a fault of ours. */
  private fail(ticket: Ticket, what: string, error: unknown): void {
    this.options.observer.alarm(what, error);
    ticket.reject(internal());
    this.tick();
  }

  /** The wall clock cannot be believed. What nobody waits for is kept until it can. */
  private refuseForClock(first: Ticket): void {
    this.checkedClock.onceBelieved(this.pump);
    const kept: Ticket[] = [];
    const waiting = [first, ...this.again.splice(0)];
    for (let ticket = this.lanes.shift(); ticket !== undefined; ticket = this.lanes.shift()) waiting.push(ticket);
    for (const ticket of waiting) {
      if (ticket.ask.lane.kind === 'system') kept.push(ticket);
      else ticket.reject(unavailable('the clock of the service cannot be relied on'));
    }
    for (const ticket of kept) this.lanes.push(SYSTEM_LANE, ticket);
  }

  /** Another writer has taken over, or is about to: nothing is decided or answered any more. Again: nothing. */
  fence(error: Error): void {
    if (this.ended) return;
    this.options.observer.alarm('another writer has taken over', error);
    this.end('another writer has taken over');
    this.options.onFenced(error);
  }

  private leads(): boolean {
    return this.options.leads?.() ?? true;
  }

  private end(message: string): void {
    this.open = false;
    this.ended = true;
    this.memory = null;
    for (const ticket of this.unanswered.all()) ticket.reject(unavailable(message));
    this.checkIdle();
  }

  private expire(ticket: Ticket): void {
    ticket.reject(unavailable('no answer in time; whether it was carried out, the same Idempotency-Key tells'));
  }

  /** Answered: it waits in no line any more. */
  private leave(ticket: Ticket): void {
    this.unanswered.delete(ticket);
    this.lanes.dropWhile(ticket.ask.lane, (waiting) => waiting.answered);
    this.checkIdle();
  }

  private get isIdle(): boolean {
    const nothingWaits = this.lanes.depth === 0 && this.again.length === 0 && this.unanswered.size === 0;
    return this.ended || (nothingWaits && this.batches.empty && this.runs.none && this.memory !== null);
  }

  private idle(): Promise<void> {
    return new Promise((resolve) => {
      this.idlers.push(resolve);
      this.checkIdle();
    });
  }

  private checkIdle(): void {
    if (this.idlers.length === 0 || !this.isIdle) return;
    for (const resolve of this.idlers.splice(0)) resolve();
  }
}
