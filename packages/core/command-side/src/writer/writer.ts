import { InternalError, PortError, RateLimited, Refused, Unavailable } from '@paper/contracts';
import { applyDecision, decide, dueTimer, nextTimerAt } from '@paper/exchange';
import type { Decision, DueTimer, State } from '@paper/exchange';
import type { Command, Settings, Untimed } from '@paper/exchange/commands';
import { EMPTY_HEAD, encodeDecision } from '@paper/journal';
import type { Head, Journal } from '@paper/journal';
import { FairQueue } from '@paper/runtime/queues';
import { systemIds } from '../random.ts';
import type { Ids } from '../random.ts';
import { appendWithRetries, Batches } from './append.ts';
import type { Appending, Batch } from './append.ts';
import { SYSTEM_LANE, PendingCommand, UnansweredRequests } from './pending-command.ts';
import type { CommandLane, CommandResult, MakeAnswer, PendingRequest } from './pending-command.ts';
import { PendingSequence } from './pending-sequence.ts';
import type { ItemResult, Sequence } from './pending-sequence.ts';
import { TrustedClock } from './trusted-clock.ts';
import { dayRefusal } from '../usage/day-limit.ts';
import type { DayLimit } from '../usage/day-limit.ts';
import type { FleetUsage } from '../usage/fleet-usage.ts';
import type { Clock } from '@paper/timing';
import type { Tracing } from '@paper/tracing';
import { CommandTrace } from './command-trace.ts';
import { beginEpoch } from './epoch.ts';
import { fromFirstEvent, loadWithRetries, readDecision } from './load.ts';
import type { StartPoint } from './load.ts';
import type { FoldedState } from './fold.ts';
import type { WriterObserver } from './observer.ts';
import { causeOfRun, nameOfRun, pendingSubjects, runSubject } from './run-subject.ts';
import type { RunSubject } from './run-subject.ts';
import { Runs } from './runs.ts';
import { continueRun, timerCommand } from './system-commands.ts';
import { TimerAlarm } from './timer-alarm.ts';

export interface WriterOptions {
  readonly journal: Journal;
  readonly settings: Settings;
  readonly build: string;
  readonly clock: Clock;
  /** The clock for decisions; default: the wall clock of `clock`, checked against its monotonic clock. */
  readonly trustedClock?: TrustedClock;
  readonly observer: WriterObserver;
  readonly tracing?: Tracing | null;
  /** Called when another writer has taken over: this process has to end. */
  readonly onFenced: (error: Error) => void;
  /** The start point of folds of the journal; default: its first event. */
  readonly loadFrom?: StartPoint;
  /** Whether this process leads, as far as it knows: asked for each answer that appended nothing. Default: yes. */
  readonly leads?: () => boolean;
  /** Completes each command right before it is decided. Default: leaves the command unchanged. */
  readonly complete?: (command: Command, state: State) => Command;
  readonly dayLimit?: DayLimit | null;
  readonly ids?: Ids;
  /** The limit of unanswered commands, and of answers that wait for the journal; default 10,000. */
  readonly capacity?: number;
  /** The number of decisions after which the event loop gets a turn; default 128. */
  readonly slice?: number;
}

const CAPACITY = 10_000;
const SLICE = 128;
const WAITING_PER_ACCOUNT = 64;
const TIMERS_REST_MS = 1_000;

/**
 * Decides commands against the exchange's state in memory, and answers once the decisions are durable in the journal.
 *
 * `start` reads the journal to the end, appends WriterEpochStarted, finishes the runs that a former writer left, and
 * begins to accept commands. Commands wait in lanes. The pump decides them while the batch behind the append in flight
 * has room, and decides due timers (closings, expiries, dead-man switches) before each command. The flush appends one
 * batch after the other. From there the writer can
 *
 * - reload: a batch was refused, or an event could not be applied. The append in flight is finished (unless it was
 *   refused), and the state is folded from the journal again. Every command whose answer was lost is decided again, in a
 *   batch of its own, so that a command that cannot be stored does not affect the others;
 * - stop accepting commands: its leadership is uncertain. It still decides and appends the commands that it has
 *   accepted, since the journal refuses a former leader. An answer that appended nothing is `Unavailable`, since the
 *   state may be out of date. An answer that appended is sent once the journal has acknowledged its events;
 * - end: fenced by another writer, or stopped. Pending commands are answered as unavailable.
 */
export class Writer {
  readonly #lanes = new FairQueue<PendingCommand | PendingSequence>();
  readonly #batches: Batches;
  readonly #runs = new Runs();
  readonly #unanswered: UnansweredRequests;
  readonly #trustedClock: TrustedClock;
  readonly #appending: Appending;
  readonly #trace: CommandTrace | null;
  readonly #ids: Ids;
  readonly #alarm: TimerAlarm;
  #timersRestUntilMs = -Infinity;
  readonly #complete: (command: Command, state: State) => Command;
  /** Commands of a dropped state: each is decided again alone, before all others. */
  #retryQueue: PendingCommand[] = [];
  /** The folded state; null before the start, and while a dropped state is being reloaded. */
  #folded: FoldedState | null = null;
  #durable: Head = EMPTY_HEAD;
  #epoch = 0;
  #open = false;
  #ended = false;
  #flushing = false;
  #ticking = false;
  readonly #capacity: number;
  #budget: number;
  #idleCallbacks: (() => void)[] = [];

  constructor(private readonly options: WriterOptions) {
    this.#trustedClock = options.trustedClock ?? new TrustedClock(options);
    this.#unanswered = new UnansweredRequests(options.clock, (pending) => this.#expire(pending));
    this.#appending = { ...options, ended: () => this.#ended };
    this.#ids = options.ids ?? systemIds;
    this.#trace = options.tracing ? new CommandTrace(options.tracing) : null;
    this.#alarm = new TimerAlarm(options.clock, this.#pump);
    this.#complete = options.complete ?? ((command) => command);
    this.#budget = options.slice ?? SLICE;
    this.#capacity = options.capacity ?? CAPACITY;
    this.#batches = new Batches(this.#capacity);
  }

  /** The exchange's state as decided so far, durable or not; null before the start and during a reload. */
  get state(): State | null {
    return this.#folded?.state ?? null;
  }

  get usage(): FleetUsage | null {
    return this.#folded?.usage ?? null;
  }

  get durable(): Head {
    return this.#durable;
  }

  /** Whether commands are accepted; they may have to wait for a reload. */
  get taking(): boolean {
    return this.#open && this.#leads();
  }

  get serving(): boolean {
    return this.taking && this.#folded !== null && this.#trustedClock.read() !== null;
  }

  status(): { readonly journalSeq: number; readonly epoch: number; readonly queueDepth: number } {
    return {
      epoch: this.#epoch,
      journalSeq: this.#durable.seq,
      queueDepth: this.#lanes.depth + this.#retryQueue.length,
    };
  }

  /** Becomes the writer. @throws when the journal cannot be folded, or another writer keeps appending. */
  async start(): Promise<void> {
    const { loadFrom = fromFirstEvent, build, settings } = this.options;
    const appending = this.#appending;
    const ids = this.#ids;
    const read = (): number | null => this.#trustedClock.read();
    const loaded = await beginEpoch({ appending, loadFrom, build, ids, leads: () => this.#leads(), read, settings });
    this.#folded = loaded;
    this.#durable = loaded.head;
    this.#epoch = loaded.state.epoch;
    for (const subject of pendingSubjects(loaded.state)) this.#queueRun(subject);
    this.#pump();
    await this.#idle();
    if (this.#ended) throw new Error('the writer ended before it served');
    this.#open = true;
  }

  /** Decides the timers that are due. Resolves once no command waits and all decisions are durable. */
  settled(): Promise<void> {
    this.#pump();
    return this.#idle();
  }

  /** Accepts no more commands, finishes pending ones for `longestMs` at most, and answers the rest as unavailable. */
  async stop(longestMs: number): Promise<void> {
    this.#open = false;
    let cancel: () => void = () => undefined;
    const timeout = new Promise<void>((resolve) => (cancel = this.options.clock.after(longestMs, resolve)));
    // Before the epoch began, the writer has accepted no command.
    if (this.#epoch > 0) await Promise.race([this.#idle(), timeout]);
    cancel();
    this.#end('the service is stopping');
  }

  /** Resolves once all that the answer rests on is durable. @throws Refused; RateLimited; Unavailable; InternalError */
  submit<T>(lane: CommandLane, command: Untimed, answer: MakeAnswer<T>): Promise<CommandResult<T>> {
    return this.#command(lane, command, answer, false);
  }

  /** As `submit`, without applying or appending the decision: `answer` gets it and the unchanged state. */
  preview<T>(lane: CommandLane, command: Untimed, answer: MakeAnswer<T>): Promise<CommandResult<T>> {
    return this.#command(lane, command, answer, true);
  }

  /**
   * Decides each command of a sequence by itself, with no other command of the fleet between, and resolves once all are
   * answered.
   * @throws as `submit`, except for Refused, which is the result of a single command.
   */
  submitSequence<T>(lane: CommandLane, sequence: Sequence<T>): Promise<readonly ItemResult<T>[]> {
    return this.#wait<readonly ItemResult<T>[]>(lane, (resolve, reject) => {
      const pending: PendingSequence = new PendingSequence(
        lane,
        sequence,
        () => this.#unanswered.add(pending),
        (results) => resolve(results as readonly ItemResult<T>[]),
        reject,
      );
      return pending;
    });
  }

  #command<T>(lane: CommandLane, command: Untimed, answer: MakeAnswer<T>, isPreview: boolean) {
    return this.#wait<CommandResult<T>>(
      lane,
      (resolve, reject) =>
        new PendingCommand(lane, command, answer, isPreview, (result) => resolve(result as CommandResult<T>), reject),
    );
  }

  #wait<R>(
    lane: CommandLane,
    create: (resolve: (answer: R) => void, reject: (error: Error) => void) => PendingCommand | PendingSequence,
  ): Promise<R> {
    if (!this.taking) return Promise.reject(notServingCommands());
    if (this.#isThreatened) {
      return Promise.reject(new Unavailable('no command is taken until an operator has mended the journal'));
    }
    if (this.#unanswered.size >= this.#capacity) {
      return Promise.reject(new Unavailable('too many commands are waiting'));
    }
    if (lane.kind === 'account' && this.#lanes.depthOf(lane) >= WAITING_PER_ACCOUNT) {
      return Promise.reject(new RateLimited("too many of this account's commands are waiting"));
    }
    return new Promise<R>((resolve, reject) => {
      const pending = create(
        (answer) => {
          this.#remove(pending);
          resolve(answer);
        },
        (error) => {
          this.#remove(pending);
          reject(error);
        },
      );
      if (this.#trace !== null) pending.queuedMs = this.#trace.now();
      this.#unanswered.add(pending);
      this.#lanes.push(lane, pending);
      this.#pump();
    });
  }

  /** Decides due timers and waiting commands, while the batches have room and the event loop's turn is not too long. */
  readonly #pump = (): void => {
    while (this.#folded !== null && !this.#ended && this.#batches.hasRoom) {
      if (this.#budget <= 0) break;
      const at = this.#trustedClock.read();
      const due = at === null || this.#timersRest || this.#isThreatened ? null : dueTimer(this.#folded.state, at);
      if (at !== null && due !== null) {
        if (!this.#decideTimer(this.#folded, due, at)) break;
        continue;
      }
      const next = this.#next(this.#folded, at);
      if (next === null) break;
      this.#budget -= 1;
      if (at === null) {
        this.#refuseForClock(next.command);
        return;
      }
      this.#decide(this.#folded, next.command, next.alone, at);
    }
    if (this.#folded !== null && !this.#ended) this.#alarm.set(nextTimerAt(this.#folded.state));
    this.#tick();
  };

  /** Whether the journal can lose events: then nothing is added to it, until the alarm of timers wakes the pump. */
  get #isThreatened(): boolean {
    return (this.options.journal.threat?.() ?? null) !== null;
  }

  get #timersRest(): boolean {
    return this.options.clock.monotonic() < this.#timersRestUntilMs;
  }

  /** Decides a due timer, in a batch of its own while commands are retried. False: it waits for earlier batches. */
  #decideTimer(folded: FoldedState, due: DueTimer, at: number): boolean {
    const alone = this.#retryQueue.length > 0;
    const mustWait = alone ? !this.#batches.empty : (this.#batches.first?.alone ?? null) !== null;
    if (mustWait) return false;
    this.#budget -= 1;
    const { clock, observer } = this.options;
    const rest = (reason: string): void => {
      this.#timersRestUntilMs = clock.monotonic() + TIMERS_REST_MS;
      observer.noted('a timer could not be decided', { due: JSON.stringify(due), error: reason });
    };
    const pending = systemCommand(timerCommand(due, this.#ids), (error) => rest(String(error)));
    this.#decide(folded, pending, alone, at);
    // Without a pause, a timer that changes nothing would stay due and be decided without end.
    if (this.#folded?.head.seq === folded.head.seq && !pending.answered) rest('it changed nothing');
    return true;
  }

  /** The next command, and whether it needs a batch of its own; null when none may be decided now. */
  #next(folded: FoldedState, at: number | null): { readonly command: PendingCommand; readonly alone: boolean } | null {
    for (let pending = this.#retryQueue[0]; pending !== undefined; pending = this.#retryQueue[0]) {
      if (!pending.answered && !this.#batches.empty) return null;
      this.#retryQueue.shift();
      if (!pending.answered) return { alone: true, command: pending };
    }
    if ((this.#batches.first?.alone ?? null) !== null) return null;
    for (let waiting = this.#lanes.shift(); waiting !== undefined; waiting = this.#lanes.shift()) {
      if (waiting.answered) continue;
      if (waiting instanceof PendingCommand) return { alone: false, command: waiting };
      const refusal = at === null ? null : this.#dayRefusal(folded, waiting.limited(folded.state), at);
      if (refusal !== null) waiting.reject(refusal);
      const pending = refusal === null ? waiting.next(folded.state) : null;
      if (pending === null) continue;
      this.#lanes.putBack(waiting.lane, waiting);
      return { alone: false, command: pending };
    }
    return null;
  }

  /** Flushes once for each turn of the event loop: the commands of one turn go into one batch. */
  #tick(): void {
    if (this.#ticking) return;
    this.#ticking = true;
    this.options.clock.soon(() => {
      this.#ticking = false;
      const spent = this.#budget <= 0;
      this.#budget = this.options.slice ?? SLICE;
      this.options.observer.queueDepth(this.status().queueDepth);
      void this.#flush();
      if (spent) this.#pump();
    });
  }

  #decide(folded: FoldedState, pending: PendingCommand, alone: boolean, at: number): void {
    const { observer } = this.options;
    const { state, head, usage } = folded;
    const startMs = this.#trace?.now() ?? 0;
    let command: Command;
    let decision: Decision;
    try {
      command = this.#complete({ ...pending.command, at }, state);
      const subject = runSubject(command);
      if (subject?.type === command.type) this.#runs.releaseNext(nameOfRun(subject));
      decision = decide(state, command);
    } catch (error) {
      this.#fail(pending, 'a decision threw', error);
      return;
    }
    const appends = decision.kind === 'accepted' && !pending.isPreview;
    const refusal = appends ? this.#dayRefusal(folded, [command], at) : null;
    const outcome = refusal?.code ?? (decision.kind === 'rejected' ? decision.code : decision.kind);
    observer.decided(command.type, outcome);
    this.#trace?.decided(pending, outcome, startMs);
    if (refusal !== null) {
      this.#settleUnproven(pending, () => pending.reject(refusal));
      return;
    }
    switch (decision.kind) {
      case 'rejected': {
        const rejection = new Refused(decision.code, decision.message);
        this.#settleUnproven(pending, () => pending.reject(rejection));
        return;
      }
      case 'replayed': {
        // A repeated command that begins a run is answered from the present state, so its first decision is not read.
        if (runSubject(command) !== null) this.#conclude(pending, command, decision);
        else this.#batches.settle(pending, () => void this.#replay(pending, decision.seq));
        return;
      }
      case 'unchanged':
      case 'unknown_order':
      case 'unknown_key':
        this.#conclude(pending, command, decision);
        return;
      case 'accepted':
        if (pending.isPreview) {
          this.#answer(pending, decision);
          return;
        }
        try {
          const { events } = decision;
          applyDecision(state, events, command);
          const encoded = encodeDecision({ command, events, head, salt: this.#ids.newSalt() });
          for (const [index, stored] of encoded.stored.entries()) {
            usage.add(stored, events[index]?.at ?? at, index === 0 ? command : null, state);
          }
          this.#batches.add(head, encoded.stored, encoded.bytes, alone ? pending : null);
          this.#folded = { head: encoded.head, state, usage };
          pending.applied = { command, decision, seq: encoded.head.seq };
        } catch (error) {
          // The state may have applied half of the decision. Earlier batches are right and are finished; then the state
          // is reloaded.
          this.#folded = null;
          this.#fail(pending, 'an accepted decision could not be applied', error);
          return;
        }
        this.#conclude(pending, command, decision);
    }
  }

  /** The refusal of commands of one fleet, all of one type, for which its day limit has no room; else null. */
  #dayRefusal(folded: FoldedState, commands: readonly Untimed[], at: number): RateLimited | null {
    const { dayLimit = null } = this.options;
    const [first] = commands;
    if (dayLimit === null || first === undefined) return null;
    return dayRefusal(dayLimit, folded, first, Math.max(at, folded.state.lastAt), commands.length);
  }

  /** Answers once the decision is durable; if the command's subject has a run under way, once the run has ended. */
  #conclude(pending: PendingCommand, command: Command, decision: Decision): void {
    const subject = runSubject(command);
    if (subject !== null && this.#folded !== null) {
      const name = nameOfRun(subject);
      if (causeOfRun(this.#folded.state, subject) !== null) {
        if (command.type === subject.type) this.#batches.settle(pending, () => this.#runContinues(pending, name));
        else if (this.#runs.isStuck(name)) this.#batches.settle(pending, () => pending.reject(new InternalError()));
        else this.#runs.wait(name, { decision, pending });
        this.#queueRun(subject);
        return;
      }
      for (const waiter of this.#runs.end(name)) this.#answer(waiter.pending, waiter.decision);
    }
    this.#answer(pending, decision);
  }

  #answer(pending: PendingCommand, decision: Decision): void {
    if (this.#folded === null) return;
    const { head } = this.#folded;
    const appended = decision.kind === 'accepted' && !pending.isPreview;
    let settle: () => void;
    try {
      const value = pending.answer(decision, this.#folded.state);
      const replayed = decision.kind === 'replayed';
      const changed = replayed || appended;
      settle = () => pending.resolve({ ...head, changed, replayed, value });
    } catch (error) {
      if (!(error instanceof PortError)) this.options.observer.alarm('an answer could not be made', error);
      const refusal = error instanceof PortError ? error : new InternalError();
      settle = () => pending.reject(refusal);
    }
    if (appended) this.#batches.settle(pending, settle);
    else this.#settleUnproven(pending, settle);
  }

  /** Settles an answer that appended nothing: no append proved that this process still leads. */
  #settleUnproven(pending: PendingCommand, settle: () => void): void {
    this.#batches.settle(pending, () => {
      if (this.#leads()) settle();
      else pending.reject(notServingCommands());
    });
  }

  /** Repeats the first answer, made from the events of the first decision in the journal. */
  async #replay(pending: PendingCommand, firstSeq: number): Promise<void> {
    try {
      const { events, head } = await readDecision(this.options.journal, firstSeq);
      if (this.#folded === null) throw new Error('the state is being reloaded from the journal');
      if (!this.#leads()) throw notServingCommands();
      const value = pending.answer({ events, kind: 'replayed', seq: firstSeq }, this.#folded.state);
      pending.resolve({ ...head, changed: true, replayed: true, value });
    } catch (error) {
      this.options.observer.noted('a first answer could not be read', { error: String(error), firstSeq });
      pending.reject(error instanceof PortError ? error : new Unavailable('the first answer cannot be read now'));
    }
  }

  #queueRun(subject: RunSubject): void {
    const name = nameOfRun(subject);
    if (!this.#runs.claimNext(name) || this.#folded === null) return;
    const cause = causeOfRun(this.#folded.state, subject);
    if (cause === null) return;
    const stuck = (): void => {
      for (const waiter of this.#runs.markStuck(name)) waiter.pending.reject(new InternalError());
      this.#checkIdle();
    };
    this.#lanes.push(SYSTEM_LANE, systemCommand(continueRun(subject, cause, this.#ids), stuck));
  }

  /** Gives the requests that wait for a run's end a new time limit, since a piece of the run is durable. */
  #runContinues(pending: PendingCommand, name: string): void {
    for (const waiter of this.#runs.waitersOf(name)) {
      if (!waiter.pending.answered) this.#unanswered.add(waiter.pending);
    }
    pending.resolve({ ...this.#durable, changed: true, replayed: false, value: null });
  }

  /** Appends one batch after the other until nothing is staged; then reloads the state if it was dropped. */
  async #flush(): Promise<void> {
    if (this.#flushing) return;
    this.#flushing = true;
    try {
      for (let batch = this.#batches.first; batch !== undefined && !this.#ended; batch = this.#batches.first) {
        await this.#append(batch);
        this.#pump();
      }
      if (this.#folded === null && !this.#ended) await this.#reloadFromJournal();
    } finally {
      this.#flushing = false;
    }
    this.#checkIdle();
  }

  async #append(batch: Batch): Promise<void> {
    const { clock, observer } = this.options;
    batch.sealed = true;
    const begunMs = clock.monotonic();
    const startMs = this.#trace?.now() ?? 0;
    const appended = await appendWithRetries(this.#appending, batch.expected, batch.events);
    if (this.#ended || appended.kind === 'given_up') return;
    if (appended.kind === 'fenced') {
      this.fence(appended.error);
      return;
    }
    if (appended.kind === 'refused') {
      this.#folded = null;
      if (batch.alone === null) {
        observer.alarm('the journal refused a batch; its commands are tried one by one', appended.error);
      } else {
        this.#fail(batch.alone, 'the journal refused a command by itself', appended.error);
      }
      await this.#reloadFromJournal();
      return;
    }
    observer.appended({ bytes: batch.bytes, events: batch.events.length, tookMs: clock.monotonic() - begunMs });
    this.#trace?.appended(batch, startMs);
    const last = batch.events.at(-1);
    if (last !== undefined) this.#durable = { hash: last.hash, seq: last.seq };
    this.#batches.removeFirst();
    for (const { settle } of batch.answers) settle();
  }

  /**
   * Reloads the state from the journal, and queues the commands whose answers were lost before all others. One whose
   * own events are durable and that waits for the end of a run keeps waiting: it must not be decided twice.
   */
  async #reloadFromJournal(): Promise<void> {
    const lost = [...this.#runs.takeWaiters(), ...this.#batches.clear()];
    const isDurable = ({ applied }: PendingCommand): boolean => applied !== null && applied.seq <= this.#durable.seq;
    const durable = lost.filter(isDurable);
    const undone = lost.filter((pending) => !isDurable(pending));
    // The command's earlier events were dropped: the command is decided again, perhaps with another outcome.
    for (const pending of undone) pending.applied = null;
    this.#retryQueue = [...undone, ...this.#retryQueue];
    const loaded = await loadWithRetries(this.#appending, this.options.loadFrom ?? fromFirstEvent);
    if (loaded === null) return;
    if (loaded.state.epoch !== this.#epoch) {
      this.fence(new Error(`the journal is in epoch ${loaded.state.epoch}, this writer's is ${this.#epoch}`));
      return;
    }
    this.#durable = loaded.head;
    this.#folded = loaded;
    const runs = pendingSubjects(loaded.state);
    this.#runs.retain(runs.map(nameOfRun));
    for (const subject of runs) this.#queueRun(subject);
    for (const pending of durable) {
      if (pending.applied !== null && !pending.answered) {
        this.#conclude(pending, pending.applied.command, pending.applied.decision);
      }
    }
    this.options.observer.noted('the state was reloaded from the journal', { seq: loaded.head.seq });
    this.#pump();
  }

  #fail(pending: PendingCommand, what: string, error: unknown): void {
    this.options.observer.alarm(what, error);
    pending.reject(new InternalError());
    this.#tick();
  }

  /** Answers waiting commands as unavailable while the wall clock is not trusted; the system's stay queued. */
  #refuseForClock(first: PendingCommand): void {
    this.#trustedClock.onceTrusted(this.#pump);
    const systemCommands: PendingCommand[] = [];
    const waiting: (PendingCommand | PendingSequence)[] = [first, ...this.#retryQueue.splice(0)];
    for (let pending = this.#lanes.shift(); pending !== undefined; pending = this.#lanes.shift()) waiting.push(pending);
    for (const pending of waiting) {
      if (pending.lane.kind === 'system' && pending instanceof PendingCommand) systemCommands.push(pending);
      else pending.reject(new Unavailable('the clock of the service is not trusted now'));
    }
    for (const pending of systemCommands) this.#lanes.push(SYSTEM_LANE, pending);
  }

  /** Ends this writer because another one has taken over, or is about to. Idempotent. */
  fence(error: Error): void {
    if (this.#ended) return;
    this.options.observer.alarm('another writer has taken over', error);
    this.#end('another writer has taken over');
    this.options.onFenced(error);
  }

  #leads(): boolean {
    return this.options.leads?.() ?? true;
  }

  #end(message: string): void {
    this.#open = false;
    this.#ended = true;
    this.#alarm.set(null);
    this.#folded = null;
    for (const pending of this.#unanswered.all()) pending.reject(new Unavailable(message));
    this.#checkIdle();
  }

  #expire(pending: PendingRequest): void {
    pending.reject(
      new Unavailable('no answer in time; repeat the request with the same Idempotency-Key to learn its outcome'),
    );
  }

  #remove(pending: PendingRequest): void {
    this.#unanswered.delete(pending);
    this.#lanes.dropWhile(pending.lane, (waiting) => waiting.answered);
    this.#checkIdle();
  }

  get #isIdle(): boolean {
    const nothingWaits = this.#lanes.depth === 0 && this.#retryQueue.length === 0 && this.#unanswered.size === 0;
    return this.#ended || (nothingWaits && this.#batches.empty && this.#runs.none && this.#folded !== null);
  }

  #idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#idleCallbacks.push(resolve);
      this.#checkIdle();
    });
  }

  #checkIdle(): void {
    if (this.#idleCallbacks.length === 0 || !this.#isIdle) return;
    for (const resolve of this.#idleCallbacks.splice(0)) resolve();
  }
}

/** A command of the writer itself: nobody waits for its answer. */
function systemCommand(command: Untimed, onReject: (error: Error) => void): PendingCommand {
  return new PendingCommand(
    SYSTEM_LANE,
    command,
    () => null,
    false,
    () => undefined,
    onReject,
  );
}

/** The error while this process decides no commands: it is starting, stopping, standing by, or may no longer lead. */
export function notServingCommands(): Unavailable {
  return new Unavailable('the service takes no commands now; try again');
}
