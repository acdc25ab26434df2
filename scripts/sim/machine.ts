import type { Clock } from '@paper/command-api';
import type { Random } from '@paper/testkit/random';
import type { Agenda } from './agenda.ts';

/** When the simulation begins: the workload's markets close by this calendar. */
const BEGINNING_MS = 1_750_000_000_000;

/**
 * One process on a machine of its own: its clocks, its timers, and what reaches it. Killed, nothing happens in it any
 * more, whatever it was awaiting. Paused, everything waits until it goes on, and its monotonic clock has gone on.
 */
export class Machine implements Clock {
  /** Somebody has set its wall clock by so much. */
  wallOffMs = 0;
  /** It reaches neither journal nor leases. */
  readonly cutFrom = new Set<'journal' | 'leases'>();
  #killed = false;
  #pausedUntilUs = 0;
  #pausedUs = 0;

  constructor(
    readonly name: string,
    private readonly agenda: Agenda,
    private readonly random: Random,
  ) {}

  get killed(): boolean {
    return this.#killed;
  }

  /** How long it has run, pauses left out. */
  get awakeMs(): number {
    const asleepUs = this.#pausedUs - Math.max(0, this.#pausedUntilUs - this.agenda.nowUs);
    return (this.agenda.nowUs - asleepUs) / 1000;
  }

  kill(): void {
    this.#killed = true;
  }

  pause(ms: number): void {
    if (this.#pausedUntilUs > this.agenda.nowUs) return;
    this.#pausedUntilUs = this.agenda.nowUs + ms * 1000;
    this.#pausedUs += ms * 1000;
  }

  readonly now = (): number => BEGINNING_MS + this.wallOffMs + Math.floor(this.agenda.nowUs / 1000);

  readonly monotonic = (): number => Math.floor(this.agenda.nowUs / 1000);

  readonly after = (delayMs: number, work: () => void): (() => void) => this.#add(Math.ceil(delayMs * 1000), work);

  readonly soon = (work: () => void): void => void this.#add(this.random.int(1, 100), work);

  /** Something comes in from outside after this while. */
  arrive(delayUs: number, work: () => void): void {
    this.#add(delayUs, work);
  }

  #add(delayUs: number, work: () => void): () => void {
    let cancelled = false;
    const due = (): void => {
      if (this.#killed || cancelled) return;
      const asleepUs = this.#pausedUntilUs - this.agenda.nowUs;
      if (asleepUs > 0) this.agenda.add(asleepUs, due);
      else work();
    };
    const cancel = this.agenda.add(delayUs, due);
    return () => {
      cancelled = true;
      cancel();
    };
  }
}
