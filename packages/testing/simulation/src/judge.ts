import { Judge as Auditor } from '@paper/auditor';
import { InternalError, PortError, RateLimited, Unavailable } from '@paper/contracts';
import { createState, evolve } from '@paper/exchange';
import type { Decision } from '@paper/exchange';
import type { Command } from '@paper/exchange/commands';
import type { ExchangeEvent } from '@paper/exchange/events';
import { decode, EMPTY_HEAD } from '@paper/journal';
import type { StoredEvent } from '@paper/journal';
import { FleetUsage, stateHash, runSubject } from '@paper/command-side';
import type { CommandResult } from '@paper/command-side';
import { CommandHistory } from '@paper/testkit';
import type { HistoryFault, Random, StoredDecision } from '@paper/testkit';
import { ProjectedPicture, checkDump, dump } from '@paper/testkit/dumps';
import type { CommandProcess } from './command-process.ts';

export interface Submitted {
  readonly command: Command;
  readonly process: CommandProcess;
}

/** The process's answer. */
export type Answer = { readonly decided: CommandResult<Decision> } | { readonly error: unknown };

export class ViolatedGuarantee extends Error {
  override readonly name = 'ViolatedGuarantee';
}

/** A command that waits this long is answered 503; its process may need a moment more. */
const LONGEST_WAIT_MS = 6_000;
/** The limit for a command that is carried out in parts, each its own decision (a "run", e.g. a market's resolution). */
const LONGEST_RUN_MS = 120_000;

/** The most by which trusted steps can move a clock ahead, plus one step. */
const MOST_AHEAD_MS = 300_000;

/** The scope of a command's Idempotency-Key, the key, and the index in a batch; null without a key. */
export function keyOf({ by, idempotency }: Command): string | null {
  if (idempotency === null || by.kind === 'system') return null;
  return `${by.kind === 'key' ? by.accountId : by.name} ${idempotency.key} ${idempotency.index ?? ''}`;
}

const idName = (id: string): string => `command ${id}`;
const keyName = (key: string): string => `key ${key}`;

function namesOf(command: Command): readonly string[] {
  const key = keyOf(command);
  return key === null ? [idName(command.id)] : [idName(command.id), keyName(key)];
}

/** Turns a fault of the history into an error. @throws ViolatedGuarantee */
function report(fault: HistoryFault): never {
  const { name, seq } = fault;
  throw new ViolatedGuarantee(
    fault.kind === 'twice'
      ? `a ${name} is carried out once: at ${fault.first.seq} and at ${seq}`
      : `what was answered "${fault.answer}" did nothing: but ${seq} is of ${name}`,
  );
}

export interface JudgeOptions {
  readonly journal: readonly StoredEvent[];
  readonly random: Random;
  readonly elected: (name: string) => boolean;
  /** True time, in ms since 1970 UTC. */
  readonly now: () => number;
  /** The stored events that the projection receives. Default: all. */
  readonly toProject?: ((events: readonly StoredEvent[]) => readonly StoredEvent[]) | undefined;
}

/** Compares each answer with the journal, and the journal with the auditor, at the moment of the answer. */
export class Judge {
  readonly #state = createState();
  readonly #usage = new FleetUsage();
  readonly #auditor = new Auditor(EMPTY_HEAD);
  readonly #projected = new ProjectedPicture();
  readonly #unprojected: StoredEvent[] = [];
  readonly #history = new CommandHistory(namesOf, report);
  readonly #epochs: string[] = [];
  readonly #waiting = new Map<Submitted, number>();
  #newest: StoredDecision | null = null;
  answered = 0;

  constructor(private readonly options: JudgeOptions) {}

  get seq(): number {
    return this.#state.seq;
  }

  /** The number of runs under way. */
  get runs(): number {
    return this.#state.runs.size + this.#state.closings.size;
  }

  asked(asked: Submitted): void {
    this.#waiting.set(asked, asked.process.machine.awakeMs);
  }

  /** Call with each answer. @throws ViolatedGuarantee when this answer is not permitted now */
  answer(asked: Submitted, answer: Answer): void {
    this.#waiting.delete(asked);
    this.answered += 1;
    // The answer may depend on events that were stored just now.
    this.#readOn();
    if ('decided' in answer) this.#checkDecided(asked, answer.decided);
    else this.#checkRefused(asked, answer.error);
  }

  /** Call after every step. @throws ViolatedGuarantee, and errors of the auditor */
  step(processes: readonly CommandProcess[]): void {
    if (this.#readOn()) {
      if (!this.#auditor.whole) {
        throw new ViolatedGuarantee(`decisions are stored whole: the one at ${this.#newest?.seq} is not`);
      }
      this.#checkPictures();
    }
    for (const [asked, sinceMs] of this.#waiting) {
      const { command, process } = asked;
      const longestMs = runSubject(command) === null ? LONGEST_WAIT_MS : LONGEST_RUN_MS;
      if (process.machine.killed) {
        this.#waiting.delete(asked);
      } else if (process.machine.awakeMs - sinceMs > longestMs) {
        throw new ViolatedGuarantee(
          `no command waits for ever: ${command.type} ${command.id} waits for ${process.machine.name}`,
        );
      }
    }
    if (this.options.random.chance(0.02)) this.checkStates(processes);
  }

  /** Checks each state without a pending append against the fold of the journal. @throws ViolatedGuarantee */
  checkStates(processes: readonly CommandProcess[]): void {
    for (const { machine, serving, writer } of processes) {
      const { state, usage } = writer;
      if (!serving || state === null || usage === null) continue;
      if (state.seq !== this.seq || writer.status().journalSeq !== this.seq) continue;
      this.checkState(`the state of ${machine.name}`, stateHash({ state, usage }));
    }
  }

  /** Checks a state by its hash. @throws ViolatedGuarantee when a fold of the whole journal has another hash */
  checkState(whose: string, hash: string): void {
    const expected = stateHash({ state: this.#state, usage: this.#usage });
    if (hash === expected) return;
    throw new ViolatedGuarantee(`${whose} is another than a fold from the first event: ${hash}, not ${expected}`);
  }

  /** Reads newly stored events. Returns whether there were any. */
  #readOn(): boolean {
    const from = this.seq;
    while (this.seq < this.options.journal.length) {
      const stored = this.options.journal[this.seq];
      if (stored === undefined) break;
      this.#auditor.next(stored);
      const journaled = decode(stored);
      evolve(this.#state, journaled.event, journaled.command);
      this.#usage.add(stored, journaled.event.at, journaled.command, this.#state);
      this.#unprojected.push(stored);
      const decision = this.#history.add(journaled);
      if (decision === null) continue;
      this.#newest = decision;
      this.#checkBegun(decision);
    }
    return this.seq > from;
  }

  #checkBegun({ command, seq }: StoredDecision): void {
    if (command.type === 'StartWriterEpoch') this.#epochs.push(command.build);
    const aheadMs = command.at - this.options.now();
    if (aheadMs > MOST_AHEAD_MS) {
      throw new ViolatedGuarantee(
        `nothing is decided by a clock that is not trusted: ${seq} is ${aheadMs} ms ahead of time`,
      );
    }
  }

  #checkPictures(): void {
    const picture = dump(this.#state);
    checkDump(picture);
    this.#auditor.recount(null);
    const { random, toProject = (all: readonly StoredEvent[]) => all } = this.options;
    this.#projected.add(toProject(this.#unprojected.splice(0)), random.int(1, 50));
    const difference = this.#projected.difference(picture);
    if (difference !== null) throw new ViolatedGuarantee(`the projection is the exchange's picture: ${difference}`);
  }

  #checkDecided({ command, process }: Submitted, { value, seq, hash }: CommandResult<Decision>): void {
    if (this.options.journal[seq - 1]?.hash !== hash) {
      throw new ViolatedGuarantee(
        `an answer rests on what is stored: ${command.id} on ${seq} ${hash}, which is not there`,
      );
    }
    if (value.kind === 'accepted') {
      this.#checkEvents(command, value.events, this.#wholeDecision(idName(command.id)));
      return;
    }
    this.#checkNewest(process, `${command.type} ${command.id} was ${value.kind}`);
    this.#mustDoNothing(command, value.kind);
    if (value.kind !== 'replayed') return;
    const key = keyOf(command);
    const first = key === null ? undefined : this.#wholeDecision(keyName(key));
    if (runSubject(command) === null) this.#checkEvents(command, value.events ?? [], first);
    else if (first === undefined) throw new ViolatedGuarantee(`${command.id} repeats what is not in the journal`);
  }

  /** The decision of this name; undefined if only a part of the decision is stored. */
  #wholeDecision(name: string): StoredDecision | undefined {
    const decision = this.#history.find(name);
    return decision === this.#newest && !this.#auditor.whole ? undefined : decision;
  }

  #checkEvents(command: Command, events: readonly ExchangeEvent[], stored: StoredDecision | undefined): void {
    if (stored === undefined) throw new ViolatedGuarantee(`what is acknowledged is stored: ${command.id} is not`);
    if (JSON.stringify(stored.events) !== JSON.stringify(events)) {
      throw new ViolatedGuarantee(`${command.id} was answered with other events than stand at ${stored.seq}`);
    }
  }

  #checkRefused({ command, process }: Submitted, error: unknown): void {
    if (!(error instanceof PortError)) throw new ViolatedGuarantee(`${command.id} was answered with ${String(error)}`);
    if (error instanceof Unavailable) return;
    // The command that began a run is valid even if a later part of the run could not be stored.
    if (error instanceof InternalError && runSubject(command) !== null) return;
    this.#mustDoNothing(command, error.code);
    if (!(error instanceof InternalError || error instanceof RateLimited)) {
      this.#checkNewest(process, `${command.type} ${command.id} was refused with ${error.code}`);
    }
  }

  #mustDoNothing(command: Command, answer: string): void {
    this.#history.refuse(idName(command.id), answer);
  }

  /** Checks that an elected process does not answer from a state that another elected process has overtaken. */
  #checkNewest({ elected, machine: { name } }: CommandProcess, what: string): void {
    if (!elected) return;
    const later = this.#epochs.slice(this.#epochs.lastIndexOf(name) + 1).find(this.options.elected);
    if (later !== undefined) {
      throw new ViolatedGuarantee(`no answer rests on an overtaken state: ${what} by ${name}, but ${later} leads`);
    }
  }
}
