import { createHash } from 'node:crypto';
import type { Settings } from '@paper/exchange/commands';
import type { StoredEvent } from '@paper/journal';
import { stateHash } from '@paper/command-side';
import { createRandom, createWorkload, SMALL_SETTINGS, StoredExchange } from '@paper/testkit';
import type { Workload } from '@paper/testkit';
import { Agenda } from './agenda.ts';
import { Clients } from './clients.ts';
import { Coverage } from './coverage.ts';
import { ProcessSupervisor } from './process-supervisor.ts';
import type { ProcessSupervisorOptions } from './process-supervisor.ts';
import { JournalServer } from './journal-server.ts';
import type { Store } from './journal-server.ts';
import { ViolatedGuarantee, Judge } from './judge.ts';
import { LeaseServer } from './lease-server.ts';
import { trueTime } from './machine.ts';
import { Nemesis } from './nemesis.ts';
import { Network } from './network.ts';
import { SnapshotStore } from './snapshot-store.ts';

/** Faults that a test adds to the code, to check that the simulation finds them. */
export type Sabotage = NonNullable<ProcessSupervisorOptions['addedFaults']> & {
  readonly store?: Store;
  readonly toProject?: (events: readonly StoredEvent[]) => readonly StoredEvent[];
};

/** The result of a run, the same for the same seed. */
export type Run = Awaited<ReturnType<typeof simulate>>;

export interface Failure {
  readonly step: number;
  readonly error: unknown;
  readonly history: readonly string[];
}

export const USUAL_STEPS = 2_000;

/** Settings with small limits. Idempotency-Keys are remembered for a whole run. */
const SETTINGS: Settings = {
  ...SMALL_SETTINGS,
  idempotencyEntries: 1_000_000,
  idempotencyWindowMs: 24 * 60 * 60 * 1000,
};
/** Within this simulated time after the end of the faults everything must have recovered. */
const RECOVERY_US = 180_000_000;
const HISTORY = 20;
/** One seed of this many begins with a journal of a build with rules version 1. */
const FORMER_SEEDS = 4;
const FORMER_COMMANDS = 150;

/**
 * Runs the command side against clients and faults that follow from the seed, and judges after each step. After `steps`
 * steps the faults end, and every client must get an answer. At last every process is killed, and the restarted ones
 * must have the journal's state.
 */
export function simulate(seed: number, steps = USUAL_STEPS, sabotage: Sabotage = {}) {
  return new Simulation(seed, sabotage).run(steps);
}

class Simulation {
  readonly #agenda = new Agenda();
  readonly #journal: JournalServer;
  readonly #snapshots = new SnapshotStore();
  readonly #supervisor: ProcessSupervisor;
  readonly #nemesis: Nemesis;
  readonly #clients: Clients;
  readonly #workload: Workload;
  readonly #judge: Judge;
  readonly #trace = createHash('sha256');
  readonly #history: string[] = [];
  readonly #coverage = new Coverage();
  readonly #slots: readonly string[];
  #step = 0;
  #lives = 0;
  #failure: Failure | null = null;

  constructor(
    private readonly seed: number,
    sabotage: Sabotage,
  ) {
    const agenda = this.#agenda;
    const random = createRandom(seed);
    const network = new Network(agenda, random);
    const journal = (this.#journal = new JournalServer(network, random, sabotage.store));
    const snapshots = this.#snapshots;
    const note = this.#note;
    const ids = {
      newId: () => random.uuid(1_750_000_000_000 + Math.floor(agenda.nowUs / 1000)),
      newSalt: () => random.hex(32),
    };
    const rules = this.#startsFormer ? { rulesVersion: 1 } : {};
    const workload = (this.#workload = createWorkload({ byPrimaries: true, changeSettings: false, seed, ...rules }));
    const leases = new LeaseServer(network, agenda);
    const supervisor = (this.#supervisor = new ProcessSupervisor({
      agenda,
      addedFaults: sabotage,
      ids,
      journal,
      leases,
      note,
      random,
      settings: SETTINGS,
      snapshots,
    }));
    this.#nemesis = new Nemesis({ agenda, supervisor, journal, network, note, random, snapshots });
    const judge = (this.#judge = new Judge({
      elected: supervisor.elected,
      journal: journal.events,
      now: () => trueTime(agenda),
      random,
      toProject: sabotage.toProject,
    }));
    this.#clients = new Clients({
      agenda,
      ids,
      network,
      note,
      onAnswer: (asked, answer) => this.#judged(() => judge.answer(asked, answer)),
      onSubmitted: (asked) => judge.asked(asked),
      processes: () => supervisor.running,
      random,
      workload,
    });
    this.#slots = Array.from({ length: random.pick([1, 2, 2, 3, 3]) }, (_, at) => `api-${at + 1}`);
  }

  async run(steps: number) {
    const unhandled = (error: unknown): void => this.#fail(error);
    process.on('unhandledRejection', unhandled);
    try {
      if (this.#startsFormer) await this.#writeFormer();
      for (const slot of this.#slots) this.#supervisor.start(slot);
      this.#clients.begin(() => {
        this.#nemesis.changeFaultRates();
        this.#nemesis.begin();
      });
      while (this.#step < steps && this.#failure === null) await this.#next();
      await this.#recover();
    } finally {
      process.off('unhandledRejection', unhandled);
    }
    return {
      answers: this.#judge.answered,
      coverage: this.#coverage.counts as ReadonlyMap<string, number>,
      events: this.#journal.events.length,
      failure: this.#failure,
      lives: this.#lives,
      /** The simulated time. */
      seconds: this.#agenda.nowUs / 1e6,
      seed: this.seed,
      /** The number of steps, those of the recovery included. */
      steps: this.#step,
      /** SHA-256 of everything that was recorded, and of the journal's last hash. */
      trace: this.#trace.update(this.#journal.events.at(-1)?.hash ?? '').digest('hex'),
      requests: this.#clients.requests,
    };
  }

  get #startsFormer(): boolean {
    return this.seed % FORMER_SEEDS === 0;
  }

  /** Fills the empty journal with decisions under an earlier rules version, for this build to continue. */
  async #writeFormer(): Promise<void> {
    // A separate generator, so that the length of the former journal does not change the rest of the run.
    const random = createRandom(this.seed + 1);
    const exchange = new StoredExchange(this.#journal.kept, () => random.hex(32));
    const at = trueTime(this.#agenda);
    for (let left = random.int(20, FORMER_COMMANDS); left > 0; left -= 1) {
      const next = this.#workload.next();
      // The first command starts the epoch.
      const command = next.type === 'StartWriterEpoch' ? { ...next, at, settings: SETTINGS } : { ...next, at };
      this.#workload.observe(command, await exchange.submit(command));
    }
    this.#note('a former build wrote the journal');
  }

  readonly #note = (text: string): void => {
    if (text.endsWith(' starts')) this.#lives += 1;
    this.#coverage.see(text);
    const line = `${this.#step} at ${(this.#agenda.nowUs / 1e6).toFixed(6)} s: ${text}`;
    this.#trace.update(`${line}\n`);
    this.#history.push(line);
    if (this.#history.length > HISTORY) this.#history.shift();
  };

  /** Runs one step, and all promises that it settles. */
  async #next(): Promise<void> {
    this.#step += 1;
    this.#judged(() => this.#agenda.next());
    // Continuations of settled promises run before the next step.
    await new Promise((resume) => setImmediate(resume));
    this.#judged(() => this.#judge.step(this.#supervisor.running));
  }

  #judged(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Only the first failure counts. */
  #fail(error: unknown): void {
    this.#failure ??= { error, history: [...this.#history], step: this.#step };
  }

  async #recover(): Promise<void> {
    this.#clients.stop();
    this.#nemesis.end();
    const serves = (): boolean => this.#supervisor.running.some(({ serving }) => serving);
    await this.#until('every request has its answer, and a process serves', () => this.#clients.open === 0 && serves());
    this.#judged(() => this.#judge.checkStates(this.#supervisor.running));
    this.#note('everyone is killed');
    for (const slot of this.#slots) this.#supervisor.kill(slot);
    await this.#until('a process serves again, and no run is left', () => serves() && this.#judge.runs === 0);
    if (this.#failure !== null) return;
    this.#judged(() => this.#judge.checkStates(this.#supervisor.running));
    const folded = await this.#snapshots.take(this.#journal.kept);
    this.#judged(() => this.#judge.checkState('a fold from the newest good snapshot', stateHash(folded)));
  }

  async #until(what: string, isSo: () => boolean): Promise<void> {
    const endUs = this.#agenda.nowUs + RECOVERY_US;
    while (this.#failure === null && !isSo()) {
      if (this.#agenda.nowUs > endUs) {
        this.#fail(new ViolatedGuarantee(`it recovers by itself: it never came to be that ${what}`));
      }
      await this.#next();
    }
  }
}
