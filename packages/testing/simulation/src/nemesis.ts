import type { Random } from '@paper/testkit';
import type { Agenda } from './agenda.ts';
import type { Fleet } from './fleet.ts';
import type { JournalServer } from './journal-server.ts';
import type { Machine } from './machine.ts';
import { drawFaultRates, NO_FAULTS } from './network.ts';
import type { Network } from './network.ts';
import type { SnapshotShelf } from './snapshot-shelf.ts';

export interface NemesisOptions {
  readonly agenda: Agenda;
  readonly random: Random;
  readonly network: Network;
  readonly fleet: Fleet;
  readonly journal: JournalServer;
  readonly shelf: SnapshotShelf;
  readonly note: (text: string) => void;
}

type Trouble = () => void;

/** A clock offset that is too large for trusted steps. */
const FAR_OFF_MS = 400_000;

/** Causes faults. Each seed draws the kinds and rates of its faults. */
export class Nemesis {
  readonly #troubles: readonly (readonly [weight: number, trouble: Trouble])[];
  readonly #meanGapMs: number;
  #over = false;

  constructor(private readonly options: NemesisOptions) {
    const { random } = options;
    const kinds: readonly Trouble[] = [
      () => this.#kill(),
      () => this.#stop(),
      () => this.#pause(),
      () => this.#suspend(),
      () => this.#setClock(),
      () => this.#leadClockAway(),
      () => this.#cut('journal'),
      () => this.#cut('leases'),
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
    const { network, fleet, note, random } = this.options;
    note('nothing goes wrong any more');
    network.faultRates = NO_FAULTS;
    for (const { machine } of fleet.running) machine.cutFrom.clear();
    for (const host of fleet.hosts) host.setClock(0);
    const several = fleet.running.filter(({ elected }) => elected);
    if (several.length < 2 || random.chance(0.5)) return;
    const { machine } = several.find(({ serving }) => serving) ?? random.pick(several);
    const withoutJournal = random.chance(0.5);
    note(`${machine.name} is left ${withoutJournal ? 'without the journal' : 'with a wrong clock'}`);
    if (withoutJournal) machine.cutFrom.add('journal');
    else machine.host.setClock(FAR_OFF_MS);
  }

  /** The slot and machine of a running process, mostly of the leader; null if none runs. */
  #any(): { readonly slot: string; readonly machine: Machine } | null {
    const { fleet, random } = this.options;
    const all = fleet.running;
    if (all.length === 0) return null;
    const leading = all.filter(({ serving }) => serving);
    const { machine } = random.pick(leading.length > 0 && random.chance(0.7) ? leading : all);
    return { machine, slot: machine.name.slice(0, machine.name.lastIndexOf('.')) };
  }

  #kill(): void {
    const any = this.#any();
    if (any !== null) this.options.fleet.kill(any.slot);
  }

  #stop(): void {
    const any = this.#any();
    if (any !== null) this.options.fleet.stop(any.slot);
  }

  #pause(): void {
    const any = this.#any();
    if (any === null) return;
    const ms = this.options.random.int(10, 8_000);
    this.options.note(`${any.machine.name} is paused for ${ms} ms`);
    any.machine.pause(ms);
  }

  /** Suspends a whole machine, sometimes for longer than the allowed jump of a clock. */
  #suspend(): void {
    const any = this.#any();
    if (any === null) return;
    const { random, note } = this.options;
    const ms = random.chance(0.2) ? random.int(61_000, 80_000) : random.int(1_000, 8_000);
    note(`${any.machine.name} is suspended for ${ms} ms`);
    any.machine.suspend(ms);
  }

  #setClock(): void {
    const any = this.#any();
    if (any === null) return;
    const { agenda, random, note } = this.options;
    const far = random.pick([-1, 1]) * random.int(FAR_OFF_MS, 600_000);
    const ms = random.chance(0.5) ? random.int(-25_000, 25_000) : far;
    note(`the wall clock of ${any.machine.name} is set by ${ms} ms`);
    any.machine.host.setClock(ms);
    const forMs = random.chance(0.2) ? random.int(4_000, 60_000) : random.int(1, 4_000);
    agenda.add(forMs * 1000, () => any.machine.host.setClock(0));
  }

  /** Moves a clock in steps that are each trusted, and then corrects it in one step that is not. */
  #leadClockAway(): void {
    const any = this.#any();
    if (any === null) return;
    const { agenda, random, note } = this.options;
    const { host, name } = any.machine;
    const stepMs = random.pick([-50_000, 50_000]);
    const steps = random.int(2, 4);
    note(`the wall clock of ${name} is led away by ${steps * stepMs} ms`);
    for (let step = 1; step <= steps; step += 1) {
      agenda.add(step * 1_100_000, () => host.setClock(step * stepMs));
    }
    agenda.add(random.int(steps * 1_100_000, 10_000_000), () => host.setClock(0));
  }

  #cut(from: 'journal' | 'leases'): void {
    const any = this.#any();
    if (any === null) return;
    const { agenda, random, note } = this.options;
    note(`${any.machine.name} is cut from the ${from}`);
    any.machine.cutFrom.add(from);
    // The duration is long enough for a lease to expire and another process to take over, or for a step-down.
    const forMs = random.pick([random.int(10, 2_000), random.int(3_000, 10_000), random.int(10_000, 30_000)]);
    agenda.add(forMs * 1000, () => any.machine.cutFrom.delete(from));
  }

  #startRogue(): void {
    const { agenda, random, fleet } = this.options;
    const slot = fleet.startRogue();
    agenda.add(random.int(100_000, 4_000_000), () => fleet.kill(slot));
  }

  /** Draws new fault rates of the network. */
  changeFaultRates(): void {
    const { network, random, note } = this.options;
    network.faultRates = random.chance(0.3) ? NO_FAULTS : drawFaultRates(random);
    const bad = Object.entries<number>({ ...network.faultRates }).filter(([, odds]) => odds > 0);
    note(`the network's fault rates: ${bad.map(([what, odds]) => `${what} ${odds.toFixed(3)}`).join(', ') || 'none'}`);
  }

  #snapshot(): void {
    const { shelf, journal, network, random, note } = this.options;
    const damaged = random.chance(network.faultRates.damagedSnapshot);
    note(damaged ? 'the newest snapshot is damaged' : 'a snapshot is taken');
    if (damaged) shelf.damage();
    else void shelf.take(journal.kept);
  }
}
