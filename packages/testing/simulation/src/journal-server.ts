import { AppendRefused, AppendUnknown, createMemoryLog, createMemoryJournal } from '@paper/journal';
import type { Head, Journal, StoredEvent } from '@paper/journal';
import type { Random } from '@paper/testkit';
import type { Machine } from './machine.ts';
import { NoAnswer } from './network.ts';
import type { Network } from './network.ts';

const TIMEOUT_MS = 1_000;
/** The interval at which a follower polls, in case a notification was lost. */
const POLL_MS = 1_000;

/** Handles an append at the server. The correct function stores the batch at the expected head. */
export type Store = (kept: Journal, expected: Head, batch: readonly StoredEvent[]) => Promise<void>;

/** A durable journal on a server. Each machine reaches the server over the network. */
export class JournalServer {
  readonly #log = createMemoryLog();
  /** The stored events, read directly and not over the network. */
  readonly kept = createMemoryJournal(this.#log);
  /** The port demands that the server refuses them for ever. */
  readonly #refused = new Set<string>();
  readonly events: readonly StoredEvent[] = this.#log.events;
  readonly #followers = new Set<() => void>();

  constructor(
    private readonly network: Network,
    private readonly random: Random,
    private readonly store: Store = (kept, expected, batch) => kept.append(expected, batch),
  ) {}

  connect(machine: Machine): Journal {
    const call = <T>(serve: () => Promise<T>): Promise<T> =>
      this.network.call(machine, { serve, timeoutMs: TIMEOUT_MS, to: 'journal' });
    const read = (fromSeq: number, limit: number): Promise<readonly StoredEvent[]> =>
      call(() => this.kept.read(fromSeq, limit));
    return {
      append: async (expected, batch) => {
        try {
          await call(() => this.#append(expected, batch));
        } catch (error) {
          throw error instanceof NoAnswer ? new AppendUnknown(error.message, { cause: error }) : error;
        }
      },
      close: () => Promise.resolve(),
      follow: (fromSeq, { signal }) => this.#follow(machine, read, fromSeq, signal),
      head: () => call(() => this.kept.head()),
      read,
    };
  }

  async #append(expected: Head, batch: readonly StoredEvent[]): Promise<void> {
    const last = batch.at(-1) ?? { hash: '', seq: 0 };
    const stored = this.events[last.seq - 1]?.hash === last.hash;
    if (this.#refused.has(last.hash) || (!stored && this.random.chance(this.network.faultRates.refused))) {
      this.#refused.add(last.hash);
      throw new AppendRefused('the server refuses it');
    }
    await this.store(this.kept, expected, batch);
    for (const tell of this.#followers) tell();
  }

  async *#follow(
    machine: Machine,
    read: Journal['read'],
    fromSeq: number,
    signal: AbortSignal,
  ): AsyncGenerator<readonly StoredEvent[], void, undefined> {
    let next = fromSeq;
    while (!signal.aborted) {
      const page = await read(next, this.random.int(1, 200));
      next += page.length;
      if (page.length > 0) yield page;
      else if (next > this.events.length) await this.#grown(machine, signal);
    }
  }

  #grown(machine: Machine, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        cancel();
        this.#followers.delete(notify);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const notify = (): void => machine.arrive(this.network.delayUs(), done);
      const cancel = machine.after(POLL_MS, done);
      this.#followers.add(notify);
      signal.addEventListener('abort', done);
    });
  }
}
