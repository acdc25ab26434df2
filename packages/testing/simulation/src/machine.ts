import type { Random } from '@paper/testkit';
import type { Clock } from '@paper/timing';
import type { Agenda } from './agenda.ts';

/** The start of simulated time. The workload's markets close later. */
const BEGINNING_MS = 1_750_000_000_000;

/** The true time, in ms since 1970 UTC. */
export const trueTime = (agenda: Agenda): number => BEGINNING_MS + Math.floor(agenda.nowUs / 1000);

/** The part of a machine that survives a restart of its process: the wall clock. */
export class Host {
  #wallOffMs = 0;
  /** The offset that was set last, even if the machine was asleep. */
  #setToMs = 0;
  #asleepUntilUs = 0;

  constructor(private readonly agenda: Agenda) {}

  get wallOffMs(): number {
    return this.#wallOffMs;
  }

  /** Sets the wall clock to this offset. During sleep, the offset applies from the wake-up on. */
  setClock(offMs: number): void {
    this.#setToMs = offMs;
    const leftUs = this.#asleepUntilUs - this.agenda.nowUs;
    if (leftUs > 0) this.agenda.add(leftUs + 1, () => this.setClock(this.#setToMs));
    else this.#wallOffMs = offMs;
  }

  sleep(ms: number): void {
    this.#asleepUntilUs = this.agenda.nowUs + ms * 1000;
  }

  wake(): void {
    this.#asleepUntilUs = 0;
  }
}

/**
 * A process on a separate machine, with clocks, timers and network. A kill ends all that it awaited. In a pause work
 * waits while the monotonic clock advances; in a suspension that clock stops too.
 */
export class Machine implements Clock {
  readonly cutFrom = new Set<'journal' | 'leases'>();
  #killed = false;
  #pausedUntilUs = 0;
  #pausedUs = 0;
  #suspendedUs = 0;

  constructor(
    readonly name: string,
    readonly host: Host,
    private readonly agenda: Agenda,
    private readonly random: Random,
  ) {}

  get killed(): boolean {
    return this.#killed;
  }

  /** The running time of the machine without pauses. */
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

  suspend(ms: number): void {
    if (this.#pausedUntilUs > this.agenda.nowUs) return;
    this.pause(ms);
    this.host.sleep(ms);
    this.#suspendedUs += ms * 1000;
  }

  readonly now = (): number => trueTime(this.agenda) + this.host.wallOffMs;

  readonly monotonic = (): number => Math.floor(this.#monotonicUs / 1000);

  readonly sinceBoot = (): number => Math.floor(this.agenda.nowUs / 1000);

  readonly after = (delayMs: number, work: () => void): (() => void) => {
    const delayUs = Math.ceil(delayMs * 1000);
    return this.#add(delayUs, work, this.#monotonicUs + delayUs);
  };

  readonly soon = (work: () => void): void => void this.#add(this.random.int(1, 100), work);

  /** Delivers something from outside after this delay. */
  arrive(delayUs: number, work: () => void): void {
    this.#add(delayUs, work);
  }

  get #monotonicUs(): number {
    return this.agenda.nowUs - this.#suspendedUs;
  }

  /** `timerUs`: the time of the monotonic clock from which on the task may run. */
  #add(delayUs: number, work: () => void, timerUs = -Infinity): () => void {
    let cancelled = false;
    const due = (): void => {
      if (this.#killed || cancelled) return;
      const leftUs = Math.max(this.#pausedUntilUs - this.agenda.nowUs, timerUs - this.#monotonicUs);
      if (leftUs > 0) this.agenda.add(leftUs, due);
      else work();
    };
    const cancel = this.agenda.add(delayUs, due);
    return () => {
      cancelled = true;
      cancel();
    };
  }
}
