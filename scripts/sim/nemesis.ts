import type { Random } from '@paper/testkit/random';
import type { Agenda } from './agenda.ts';
import type { Fleet } from './fleet.ts';
import type { JournalServer } from './journal-server.ts';
import type { Machine } from './machine.ts';
import { drawWeather, FAIR, type Network } from './network.ts';
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

/** Who makes things go wrong: each seed draws how often, and what kinds of trouble there are. */
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
      () => this.#setClock(),
      () => this.#cut('journal'),
      () => this.#cut('leases'),
      () => this.#startRogue(),
    ];
    const drawn = kinds.map((trouble) => [random.chance(0.4) ? 0 : random.int(1, 10), trouble] as const);
    this.#troubles = [
      ...drawn,
      [random.int(1, 10), () => this.changeWeather()],
      [random.int(1, 10), () => this.#snapshot()],
    ];
    // Blow upon blow in some seeds; in others each mishap has its time to unfold.
    this.#meanGapMs = random.pick([100, 500, 2_000, 4_000]);
  }

  begin(): void {
    if (this.#over) return;
    const { agenda, random } = this.options;
    random.weighted(this.#troubles)();
    agenda.add(random.int(0, 2_000 * this.#meanGapMs), () => this.begin());
  }

  /** The sun comes out: nothing goes wrong any more, and what was wrong is put right. */
  end(): void {
    this.#over = true;
    const { network, fleet, note } = this.options;
    note('nothing goes wrong any more');
    network.weather = FAIR;
    for (const { machine } of fleet.running) {
      machine.cutFrom.clear();
      machine.wallOffMs = 0;
    }
  }

  /** The slot and the machine of one that runs, and mostly leads; null where none does. */
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

  #setClock(): void {
    const any = this.#any();
    // One at a time: a clock that was led far away in steps that are believed, and is put right in one that is not, is
    // believed again only after a restart.
    if (any === null || any.machine.wallOffMs !== 0) return;
    const { agenda, random, note } = this.options;
    const most = random.chance(0.5) ? 25_000 : 600_000;
    const ms = random.int(-most, most);
    note(`the wall clock of ${any.machine.name} is set by ${ms} ms`);
    any.machine.wallOffMs = ms;
    agenda.add(random.int(1_000, 4_000_000), () => (any.machine.wallOffMs = 0));
  }

  #cut(from: 'journal' | 'leases'): void {
    const any = this.#any();
    if (any === null) return;
    const { agenda, random, note } = this.options;
    note(`${any.machine.name} is cut from the ${from}`);
    any.machine.cutFrom.add(from);
    // Long enough for a lease to run out, and for another to take over.
    agenda.add(random.chance(0.5) ? random.int(3_000_000, 10_000_000) : random.int(10_000, 2_000_000), () =>
      any.machine.cutFrom.delete(from),
    );
  }

  #startRogue(): void {
    const { agenda, random, fleet } = this.options;
    const slot = fleet.startRogue();
    agenda.add(random.int(100_000, 4_000_000), () => fleet.kill(slot));
  }

  /** Another weather, of which nobody has been told. */
  changeWeather(): void {
    const { network, random, note } = this.options;
    network.weather = random.chance(0.3) ? FAIR : drawWeather(random);
    const bad = Object.entries<number>({ ...network.weather }).filter(([, odds]) => odds > 0);
    note(`the weather: ${bad.map(([what, odds]) => `${what} ${odds.toFixed(3)}`).join(', ') || 'fair'}`);
  }

  #snapshot(): void {
    const { shelf, journal, network, random, note } = this.options;
    const damaged = random.chance(network.weather.damagedSnapshot);
    note(damaged ? 'the newest snapshot is damaged' : 'a snapshot is taken');
    if (damaged) shelf.damage();
    else void shelf.take(journal.kept);
  }
}
