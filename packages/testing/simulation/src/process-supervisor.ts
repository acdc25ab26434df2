import type { Settings } from '@paper/exchange/commands';
import type { StartPoint, Ids } from '@paper/command-side';
import type { Tenure } from '@paper/runtime';
import type { Journal } from '@paper/journal';
import type { Random } from '@paper/testkit';
import type { Agenda } from './agenda.ts';
import { CommandProcess } from './command-process.ts';
import type { JournalServer } from './journal-server.ts';
import type { LeaseServer } from './lease-server.ts';
import { Host, Machine } from './machine.ts';
import type { SnapshotStore } from './snapshot-store.ts';

export interface ProcessSupervisorOptions {
  readonly agenda: Agenda;
  readonly random: Random;
  readonly ids: Ids;
  readonly journal: JournalServer;
  readonly leases: LeaseServer;
  readonly snapshots: SnapshotStore;
  readonly settings: Settings;
  readonly note: (text: string) => void;
  /** Faults that a test adds. Default: none. */
  readonly addedFaults?: {
    readonly journal?: (inner: Journal) => Journal;
    readonly begin?: (real: StartPoint) => StartPoint;
    readonly tenure?: (real: Tenure) => Tenure;
    readonly databaseClock?: (machine: Machine) => Promise<number>;
  };
}

/** Starts the command APIs, and starts each one again some time after it ended. A "slot" keeps its host over restarts. */
export class ProcessSupervisor {
  readonly #running = new Map<string, CommandProcess>();
  readonly #elected = new Set<string>();
  readonly #hosts = new Map<string, Host>();
  #lives = 0;

  constructor(private readonly options: ProcessSupervisorOptions) {}

  get running(): readonly CommandProcess[] {
    return [...this.#running.values()];
  }

  /** The hosts on which the processes run or will be restarted. */
  get hosts(): readonly Host[] {
    return [...this.#hosts.values()];
  }

  /** Whether the process with this name must be elected before it decides. */
  readonly elected = (name: string): boolean => this.#elected.has(name);

  start(slot: string): void {
    this.#live(slot, true);
  }

  /** Starts a second writer without a lease. It is not restarted. */
  startRogue(): string {
    const slot = `rogue-${this.#lives + 1}`;
    this.#live(slot, false);
    return slot;
  }

  /** Kills the process in this slot at once. Its supervisor restarts it after a while. */
  kill(slot: string): void {
    this.#running.get(slot)?.machine.kill();
    this.#ended(slot, 'killed');
  }

  stop(slot: string): void {
    const process = this.#running.get(slot);
    if (process === undefined) return;
    this.options.note(`${process.machine.name} is asked to stop`);
    void process.stop();
  }

  #live(slot: string, elected: boolean): void {
    const { agenda, random, ids, journal, leases, snapshots, settings, note, addedFaults = {} } = this.options;
    const host = this.#hosts.get(slot) ?? new Host(agenda);
    host.wake();
    this.#hosts.set(slot, host);
    const machine = new Machine(`${slot}.${(this.#lives += 1)}`, host, agenda, random);
    const connected = journal.connect(machine);
    const seen = addedFaults.journal?.(connected) ?? connected;
    const begin = snapshots.beginning(seen);
    if (elected) this.#elected.add(machine.name);
    const process = new CommandProcess({
      begin: addedFaults.begin?.(begin) ?? begin,
      databaseClock: () => (addedFaults.databaseClock ?? leases.clock)(machine),
      ids,
      journal: seen,
      leases: elected ? leases.connect(machine) : null,
      machine,
      note: (text) => note(`${machine.name}: ${text}`),
      onEnd: (why) => {
        if (machine.killed) return;
        machine.kill();
        this.#ended(slot, why);
      },
      settings,
      slice: random.int(1, 30),
      tenure: addedFaults.tenure,
    });
    this.#running.set(slot, process);
    note(`${machine.name} starts`);
    process.start();
  }

  #ended(slot: string, why: string): void {
    const { agenda, random, note } = this.options;
    const process = this.#running.get(slot);
    if (process === undefined) return;
    note(`${process.machine.name} has ended: ${why}`);
    this.#running.delete(slot);
    if (this.elected(process.machine.name)) agenda.add(random.int(1_000, 2_000_000), () => this.start(slot));
  }
}
