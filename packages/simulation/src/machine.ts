import type { Clock } from '@paper/command-side';
import type { Random } from '@paper/testkit';
import type { Agenda } from './agenda.ts';

/** When the simulation begins: the workload's markets close by this calendar. */
const BEGINNING_MS = 1_750_000_000_000;

/** What every clock should show, in ms since 1970 UTC. */
export const trueTime = (agenda: Agenda): number => BEGINNING_MS + Math.floor(agenda.nowUs / 1000);

/** What stays where a process ends and the next one is started: the wall clock of its machine. */
export class Host {
  #wallOffMs = 0;
  /** What it was set to last, asleep or not. */
  #setToMs = 0;
  #asleepUntilUs = 0;

  constructor(private readonly agenda: Agenda) {}

  get wallOffMs(): number {
    return this.#wallOffMs;
  }

  /** Somebody sets its wall clock so far off; where it is asleep, once it wakes up. */
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
 * One process on a machine of its own: its clocks, its timers, and what reaches it. Killed, nothing happens in it any
 * more, whatever it was awaiting. Paused, everything waits until it goes on, and its monotonic clock has gone on; not so
 * where the machine was suspended.
 */
export class Machine implements Clock {
  /** It reaches neither journal nor leases. */
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

  /** As paused; its monotonic clock and its timers stand still meanwhile. */
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

  /** Something comes in from outside after this while. */
  arrive(delayUs: number, work: () => void): void {
    this.#add(delayUs, work);
  }

  get #monotonicUs(): number {
    return this.agenda.nowUs - this.#suspendedUs;
  }

  /** `timerUs`: not before its monotonic clock shows this. */
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
