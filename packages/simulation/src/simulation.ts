import { createHash } from 'node:crypto';
import type { Settings } from '@paper/exchange';
import type { StoredEvent } from '@paper/journal';
import { stateHash } from '@paper/command-side';
import { createWorkload, SMALL_SETTINGS, type Workload, createRandom } from '@paper/testkit';
import { Agenda } from './agenda.ts';
import { Clients } from './clients.ts';
import { Coverage } from './coverage.ts';
import { Fleet, type FleetOptions } from './fleet.ts';
import { writeFormerJournal } from './former-journal.ts';
import { JournalServer, type Store } from './journal-server.ts';
import { Broken, Judge } from './judge.ts';
import { LeaseServer } from './lease-server.ts';
import { trueTime } from './machine.ts';
import { Nemesis } from './nemesis.ts';
import { Network } from './network.ts';
import { SnapshotShelf } from './snapshot-shelf.ts';

/** What a test bends, to see whether it is found. */
export type Sabotage = NonNullable<FleetOptions['bent']> & {
  readonly store?: Store;
  readonly toProject?: (events: readonly StoredEvent[]) => readonly StoredEvent[];
};

/** A run of one seed. It is the same each time. */
export interface Run {
  readonly seed: number;
  /** How many things happened, the end included. */
  readonly steps: number;
  /** Simulated. */
  readonly seconds: number;
  readonly events: number;
  readonly requests: number;
  readonly answers: number;
  readonly lives: number;
  /** How often each kind of thing happened. */
  readonly coverage: ReadonlyMap<string, number>;
  /** SHA-256 over everything that was noted, and the journal's last hash. */
  readonly trace: string;
  readonly failure: Failure | null;
}

export interface Failure {
  readonly step: number;
  readonly error: unknown;
  /** What happened before, the newest last. */
  readonly history: readonly string[];
}

export const USUAL_STEPS = 2_000;

/** Small limits, and Idempotency-Keys that are remembered for as long as a run lasts. */
const SETTINGS: Settings = {
  ...SMALL_SETTINGS,
  idempotencyEntries: 1_000_000,
  idempotencyWindowMs: 24 * 60 * 60 * 1000,
};
/** When nothing goes wrong any more, so much simulated time is enough for everything to be as it should. */
const RECOVERY_US = 180_000_000;
const HISTORY = 20;
/** Every such seed begins with a journal that a build of rules 1 wrote, of so many commands at most. */
const FORMER_SEEDS = 4;
const FORMER_COMMANDS = 150;

/**
 * Plays the command side against clients and mishaps that follow from the seed, one thing after the other, and judges
 * after each. After `steps` things nothing goes wrong any more: everyone has to get an answer then; at last every
 * process is killed, and what starts again has to be as the journal says.
 */
export async function simulate(seed: number, steps = USUAL_STEPS, sabotage: Sabotage = {}): Promise<Run> {
  const simulation = new Simulation(seed, sabotage);
  return simulation.run(steps);
}

class Simulation {
  readonly #agenda = new Agenda();
  readonly #journal: JournalServer;
  readonly #shelf = new SnapshotShelf();
  readonly #fleet: Fleet;
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
    const shelf = this.#shelf;
    const note = this.#note;
    const ids = {
      newId: () => random.uuid(1_750_000_000_000 + Math.floor(agenda.nowUs / 1000)),
      newSalt: () => random.hex(32),
    };
    const rules = this.#startsFormer ? { rulesVersion: 1 } : {};
    const workload = (this.#workload = createWorkload({ changeSettings: false, seed, ...rules }));
    const leases = new LeaseServer(network, agenda);
    const fleet = (this.#fleet = new Fleet({
      agenda,
      bent: sabotage,
      ids,
      journal,
      leases,
      note,
      random,
      settings: SETTINGS,
      shelf,
    }));
    this.#nemesis = new Nemesis({ agenda, fleet, journal, network, note, random, shelf });
    const judge = (this.#judge = new Judge({
      elected: fleet.elected,
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
      onAsked: (asked) => judge.asked(asked),
      processes: () => fleet.running,
      random,
      workload,
    });
    this.#slots = Array.from({ length: random.pick([1, 2, 2, 3, 3]) }, (_, at) => `api-${at + 1}`);
  }

  async run(steps: number): Promise<Run> {
    const unhandled = (error: unknown): void => this.#judged(() => this.#rethrow(error));
    process.on('unhandledRejection', unhandled);
    try {
      if (this.#startsFormer) await this.#writeFormer();
      for (const slot of this.#slots) this.#fleet.start(slot);
      this.#clients.begin(() => {
        this.#nemesis.changeWeather();
        this.#nemesis.begin();
      });
      while (this.#step < steps && this.#failure === null) await this.#next();
      await this.#recover();
    } finally {
      process.off('unhandledRejection', unhandled);
    }
    return {
      answers: this.#judge.answered,
      coverage: this.#coverage.counts,
      events: this.#journal.events.length,
      failure: this.#failure,
      lives: this.#lives,
      seconds: this.#agenda.nowUs / 1e6,
      seed: this.seed,
      steps: this.#step,
      trace: this.#trace.update(this.#journal.events.at(-1)?.hash ?? '').digest('hex'),
      requests: this.#clients.requests,
    };
  }

  get #startsFormer(): boolean {
    return this.seed % FORMER_SEEDS === 0;
  }

  async #writeFormer(): Promise<void> {
    // With a generator of its own: the length of this journal changes nothing of what happens afterwards.
    const random = createRandom(this.seed + 1);
    await writeFormerJournal({
      at: trueTime(this.#agenda),
      commands: random.int(20, FORMER_COMMANDS),
      journal: this.#journal.kept,
      newSalt: () => random.hex(32),
      settings: SETTINGS,
      workload: this.#workload,
    });
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

  /** One thing happens, and all that follows from it at once. */
  async #next(): Promise<void> {
    this.#step += 1;
    this.#judged(() => this.#agenda.next());
    // Every promise that this has settled goes on before the next thing happens.
    await new Promise((resume) => setImmediate(resume));
    this.#judged(() => this.#judge.step(this.#fleet.running));
  }

  /** The first failure counts. */
  #judged(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#failure ??= { error, history: [...this.#history], step: this.#step };
    }
  }

  #rethrow(error: unknown): void {
    throw error;
  }

  async #recover(): Promise<void> {
    this.#clients.stop();
    this.#nemesis.end();
    const serves = (): boolean => this.#fleet.running.some(({ serving }) => serving);
    await this.#until('every request has its answer, and a process serves', () => this.#clients.open === 0 && serves());
    this.#judged(() => this.#judge.checkMemories(this.#fleet.running));
    this.#note('everyone is killed');
    for (const slot of this.#slots) this.#fleet.kill(slot);
    await this.#until('somebody serves again, and no run is left', () => serves() && this.#judge.runs === 0);
    if (this.#failure !== null) return;
    this.#judged(() => this.#judge.checkMemories(this.#fleet.running));
    const { state } = await this.#shelf.take(this.#journal.kept);
    this.#judged(() => this.#judge.checkState('a fold from the newest good snapshot', stateHash(state)));
  }

  async #until(what: string, isSo: () => boolean): Promise<void> {
    const endUs = this.#agenda.nowUs + RECOVERY_US;
    while (this.#failure === null && !isSo()) {
      if (this.#agenda.nowUs > endUs) {
        this.#judged(() => {
          throw new Broken(`it recovers by itself: it never came to be that ${what}`);
        });
      }
      await this.#next();
    }
  }
}
