import { dueToClose, nextCloseAt } from '@paper/exchange';
import { systemIds } from '../random.ts';
import type { Ids } from '../random.ts';
import { SYSTEM_LANE } from './command-request.ts';
import type { Clock } from '@paper/timing';
import type { WriterObserver } from './observer.ts';
import { closeMarket } from './system-commands.ts';
import type { Writer } from './writer.ts';

/** The longest pause between two checks, since the wall clock that closes markets may be set. */
const LONGEST_SLEEP_MS = 10_000;
const PAUSE_AFTER_FAILURE_MS = 1_000;

/** Closes active markets when their closesAt has passed. */
export class ClosingClock {
  #cancel: () => void = () => undefined;
  #stopped = false;

  constructor(
    private readonly writer: Pick<Writer, 'submit' | 'state'>,
    private readonly clock: Clock,
    private readonly observer: WriterObserver,
    private readonly ids: Ids = systemIds,
  ) {}

  /** Sets the timer for the market that closes next. To be called whenever that may have become another one. */
  arm(leastDelayMs = 0): void {
    this.#cancel();
    if (this.#stopped) return;
    const next = this.writer.state === null ? null : nextCloseAt(this.writer.state);
    const delayMs = next === null ? LONGEST_SLEEP_MS : Math.min(LONGEST_SLEEP_MS, next - this.clock.now());
    this.#cancel = this.clock.after(Math.max(leastDelayMs, delayMs), () => void this.#closeDue());
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  async #closeDue(): Promise<void> {
    const { state } = this.writer;
    const due = state === null ? [] : dueToClose(state, this.clock.now());
    const closed = await Promise.allSettled(
      due.map((marketId) =>
        this.writer.submit({
          answer: () => null,
          command: (at) => closeMarket(at, marketId, this.ids),
          lane: SYSTEM_LANE,
        }),
      ),
    );
    let failed = 0;
    for (const result of closed) {
      if (result.status === 'fulfilled') continue;
      failed += 1;
      this.observer.noted('a market could not be closed on time', { error: String(result.reason) });
    }
    this.arm(failed > 0 ? PAUSE_AFTER_FAILURE_MS : 0);
  }
}
