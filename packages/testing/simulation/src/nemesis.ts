import type { Random } from '@paper/testkit';
import type { Agenda } from './agenda.ts';
import type { ProcessSupervisor } from './process-supervisor.ts';
import type { JournalServer } from './journal-server.ts';
import type { Machine } from './machine.ts';
import { drawFaultRates, NO_FAULTS } from './network.ts';
import type { Network } from './network.ts';
import type { SnapshotStore } from './snapshot-store.ts';

export interface NemesisOptions {
  readonly agenda: Agenda;
  readonly random: Random;
  readonly network: Network;
  readonly supervisor: ProcessSupervisor;
  readonly journal: JournalServer;
  readonly snapshots: SnapshotStore;
  readonly note: (text: string) => void;
}

type Trouble = () => void;

interface RunningProcess {
  readonly slot: string;
  readonly machine: Machine;
}

/** A clock offset too large for the command API to trust. */
const FAR_OFF_MS = 400_000;

/** Causes faults. Each seed draws the kinds and rates of its faults. */
export class Nemesis {
  readonly #troubles: readonly (readonly [weight: number, trouble: Trouble])[];
  readonly #meanGapMs: number;
  #over = false;

  constructor(private readonly options: NemesisOptions) {
    const { random } = options;
    const onAny = (act: (process: RunningProcess) => void) => (): void => {
      const any = this.#any();
      if (any !== null) act(any);
    };
    const kinds: readonly Trouble[] = [
      onAny(({ slot }) => options.supervisor.kill(slot)),
      onAny(({ slot }) => options.supervisor.stop(slot)),
      onAny(({ machine }) => this.#pause(machine)),
      onAny(({ machine }) => this.#suspend(machine)),
      onAny(({ machine }) => this.#setClock(machine)),
      onAny(({ machine }) => this.#leadClockAway(machine)),
      onAny(({ machine }) => this.#cut(machine, 'journal')),
      onAny(({ machine }) => this.#cut(machine, 'leases')),
      () => this.#startRogue(),
    ];
    const drawn = kinds.map((trouble) => [random.chance(0.4) ? 0 : random.int(1, 10), trouble] as const);
    this.#troubles = [
      ...drawn,
      [random.int(1, 10), () => this.changeFaultRates()],
      [random.int(1, 10), () => this.#snapshot()],
    ];
    // In some seeds faults follow each other quickly. In others each fault has time to take effect.
    this.#meanGapMs = random.pick([100, 500, 2_000, 4_000]);
  }

  begin(): void {
    if (this.#over) return;
    const { agenda, random } = this.options;
    random.weighted(this.#troubles)();
    agenda.add(random.int(0, 2_000 * this.#meanGapMs), () => this.begin());
  }

  /** Ends all faults, but may leave one of several processes without the journal or with a wrong clock. */
  end(): void {
    this.#over = true;
    const { network, supervisor, note, random } = this.options;
    note('nothing goes wrong any more');
    network.faultRates = NO_FAULTS;
    for (const { machine } of supervisor.running) machine.cutFrom.clear();
    for (const host of supervisor.hosts) host.setClock(0);
    const several = supervisor.running.filter(({ elected }) => elected);
    if (several.length < 2 || random.chance(0.5)) return;
    const { machine } = several.find(({ serving }) => serving) ?? random.pick(several);
    const withoutJournal = random.chance(0.5);
    note(`${machine.name} is left ${withoutJournal ? 'without the journal' : 'with a wrong clock'}`);
    if (withoutJournal) machine.cutFrom.add('journal');
    else machine.host.setClock(FAR_OFF_MS);
  }

  /** Picks a running process, mostly the leader; null if none runs. */
  #any(): RunningProcess | null {
    const { supervisor, random } = this.options;
    const all = supervisor.running;
    if (all.length === 0) return null;
    const leading = all.filter(({ serving }) => serving);
    const { machine } = random.pick(leading.length > 0 && random.chance(0.7) ? leading : all);
    return { machine, slot: machine.name.slice(0, machine.name.lastIndexOf('.')) };
  }

  #pause(machine: Machine): void {
    const ms = this.options.random.int(10, 8_000);
    this.options.note(`${machine.name} is paused for ${ms} ms`);
    machine.pause(ms);
  }

  /** Suspends a whole machine, sometimes for longer than the clock jump that the command API trusts. */
  #suspend(machine: Machine): void {
    const { random, note } = this.options;
    const ms = random.chance(0.2) ? random.int(61_000, 80_000) : random.int(1_000, 8_000);
    note(`${machine.name} is suspended for ${ms} ms`);
    machine.suspend(ms);
  }

  #setClock({ host, name }: Machine): void {
    const { agenda, random, note } = this.options;
    const far = random.pick([-1, 1]) * random.int(FAR_OFF_MS, 600_000);
    const ms = random.chance(0.5) ? random.int(-25_000, 25_000) : far;
    note(`the wall clock of ${name} is set by ${ms} ms`);
    host.setClock(ms);
    const forMs = random.chance(0.2) ? random.int(4_000, 60_000) : random.int(1, 4_000);
    agenda.add(forMs * 1000, () => host.setClock(0));
  }

  /** Moves a clock in steps that the command API trusts, and then corrects it in one step that it does not trust. */
  #leadClockAway({ host, name }: Machine): void {
    const { agenda, random, note } = this.options;
    const stepMs = random.pick([-50_000, 50_000]);
    const steps = random.int(2, 4);
    note(`the wall clock of ${name} is led away by ${steps * stepMs} ms`);
    for (let step = 1; step <= steps; step += 1) agenda.add(step * 1_100_000, () => host.setClock(step * stepMs));
    agenda.add(random.int(steps * 1_100_000, 10_000_000), () => host.setClock(0));
  }

  #cut({ cutFrom, name }: Machine, from: 'journal' | 'leases'): void {
    const { agenda, random, note } = this.options;
    note(`${name} is cut from the ${from}`);
    cutFrom.add(from);
    // The duration is long enough for a lease to expire and another process to take over, or for a step-down.
    const forMs = random.pick([random.int(10, 2_000), random.int(3_000, 10_000), random.int(10_000, 30_000)]);
    agenda.add(forMs * 1000, () => cutFrom.delete(from));
  }

  #startRogue(): void {
    const { agenda, random, supervisor } = this.options;
    const slot = supervisor.startRogue();
    agenda.add(random.int(100_000, 4_000_000), () => supervisor.kill(slot));
  }

  /** Draws new fault rates of the network. */
  changeFaultRates(): void {
    const { network, random, note } = this.options;
    network.faultRates = random.chance(0.3) ? NO_FAULTS : drawFaultRates(random);
    const bad = Object.entries<number>({ ...network.faultRates }).filter(([, odds]) => odds > 0);
    note(`the network's fault rates: ${bad.map(([what, odds]) => `${what} ${odds.toFixed(3)}`).join(', ') || 'none'}`);
  }

  #snapshot(): void {
    const { snapshots, journal, network, random, note } = this.options;
    const damaged = random.chance(network.faultRates.damagedSnapshot);
    note(damaged ? 'the newest snapshot is damaged' : 'a snapshot is taken');
    if (damaged) snapshots.damage();
    else void snapshots.take(journal.kept);
  }
}
